from datetime import datetime

import pytest

from parsers.dated.event_export import FORMAT
from parsers.dated.moments import in_order_of_file
from tests.support.message_lines import claimed_by, counts, numbered, rows

at = datetime.fromisoformat
# RECONSTRUCTED after the headers that the viewer prints in each language
LANGUAGES = {
    "en": ("Level,Date and Time,Source,Event ID,Task Category", "Error,1/31/2020 6:38:24 PM", "err"),
    "de": ("Ebene,Datum und Uhrzeit,Quelle,Ereignis-ID,Aufgabenkategorie", "Fehler,31.01.2020 18:38:24", "err"),
    "fr": ("Niveau,Date et heure,Source,ID de l’événement,Catégorie", "Avertissement,31/01/2020 18:38:24", "warning"),
    "es": ("Nivel,Fecha y hora,Origen,Id. del evento,Categoría", "Información,31/01/2020 18:38:24", "info"),
    "it": ("Livello,Data e ora,Origine,ID evento,Categoria attività", "Critico,31/01/2020 18:38:24", "crit"),
    "pt": ("Nível,Data e Hora,Fonte,Identificação do Evento,Categoria", "Aviso,31/01/2020 18:38:24", "warning"),
    "ja": ("レベル,日付と時刻,ソース,イベント ID,タスクのカテゴリ", "エラー,2020/01/31 18:38:24", "err"),
    "zh": ("级别,日期和时间,来源,事件 ID,任务类别", "警告,2020/1/31 18:38:24", "warning"),
    "ru": ("Уровень,Дата и время,Источник,Код события,Категория", "Ошибка,31.01.2020 18:38:24", "err"),
}
BELOW = ['"A ""bad"" block', "", 'of 2020-01-31."']


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("delimiter", [",", "\t"])
def test_events_in_each_language(language: str, delimiter: str) -> None:
    header, begun, level = LANGUAGES[language]
    first = f"{begun},Disk,7,None,".replace(",", delimiter) + BELOW[0]
    lines = [header.replace(",", delimiter), first, *BELOW[1:]]
    assert claimed_by(lines) == "event_export"
    assert counts(FORMAT, lines) == [1, 1, 1, 1, 0]
    (found,) = rows(FORMAT, *lines, table="log_record")
    assert found["stamp"] == at("2020-01-31T18:38:24")
    assert (found["level"], found["process"], found["message_id"]) == (level, "Disk", "7")
    assert found["text"] == 'A "bad" block\nof 2020-01-31.'


def test_a_header_of_a_language_orders_open_dates() -> None:
    lines = [LANGUAGES["fr"][0], "Erreur,02/01/2020 10:00:00,a,1,b,c"]
    found = in_order_of_file(FORMAT.parse(numbered(lines)).tables["log_record"], {})
    assert found.select("stamp", "date_order").row(0) == (at("2020-01-02T10:00"), "language")
