"""Dated logs of other layouts: exported, without seconds, of several programs (`mixed`), declared."""

from datetime import datetime

import polars as pl
import pytest

from parsers.dated import event_export, minute_log
from parsers.dated.declared import draft, of_layout
from parsers.dated.moments import in_order_of_file
from parsers.format import Layout, Recognition, Verdict, drafted, format_of, formats
from tests.support.message_lines import claimed_by, counts, numbered, reasons, rows, verdicts

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
    assert counts(event_export.FORMAT, lines) == [1, 1, 1, 1, 0]
    (found,) = rows(event_export.FORMAT, *lines, table="log_record")
    assert found["stamp"] == at("2020-01-31T18:38:24")
    assert (found["level"], found["process"], found["message_id"]) == (level, "Disk", "7")
    assert found["text"] == 'A "bad" block\nof 2020-01-31.'


def test_a_header_of_a_language_orders_open_dates() -> None:
    lines = [LANGUAGES["fr"][0], "Erreur,02/01/2020 10:00:00,a,1,b,c"]
    found = in_order_of_file(event_export.FORMAT.parse(numbered(lines)).tables["log_record"], {})
    assert found.select("stamp", "date_order").row(0) == (at("2020-01-02T10:00"), "language")


# RECONSTRUCTED: layouts of backup scripts, logbooks and appliances
def test_stamps_without_seconds() -> None:
    stamps = {
        "2024-03-17 10:11": "2024-03-17T10:11",
        "2024-03-17T10:11Z": "2024-03-17T10:11",
        "17.03.2024 10:11": "2024-03-17T10:11",
        "3/17/2024 10:11 PM": "2024-03-17T22:11",
        "17 Mar 2024 10:11": "2024-03-17T10:11",
        "Mar 17 10:11": "2000-03-17T10:11",
        "17.03. 10:11": "2000-03-17T10:11",
        "[2024/03/17 10:11]": "2024-03-17T10:11",
    }
    for stamp, moment in stamps.items():
        lines = [f"{stamp} WARN it began", f"{stamp} it ended"]
        assert claimed_by(lines) == "minute_log", stamp
        first, _ = rows(minute_log.FORMAT, *lines, table="log_record")
        assert (first["stamp"], first["level"], first["stamp_step_s"]) == (at(moment), "warning", 60.0), stamp


def test_lines_below_belong_to_the_record() -> None:
    lines = ["2024-03-17 10:11 it began", "with more", "2024-03-17 10:12 it ended"]
    assert verdicts(minute_log.FORMAT, *lines) == [Verdict.PARSED, Verdict.CONTINUATION, Verdict.PARSED]


def test_what_has_seconds_or_no_words_is_none() -> None:
    for lines in (
        ["2024-03-17 10:11:12 it began", "2024-03-17 10:11:13 it ended"],
        ["2024-03-17 10:11 1.5 2.5", "2024-03-17 10:12 1.5 2.5"],
        ["-rw-r--r-- 1 root root 12 Mar 17 10:11 a", "-rw-r--r-- 1 root root 12 Mar 17 10:12 b"],
        ["start,end,station", "2024-03-17 10:11,2024-03-17 10:15,Kiel", "2024-03-17 10:12,2024-03-17 10:17,Bonn"],
    ):
        assert claimed_by(lines) != "minute_log", lines


TOOL = ["2021-05-04 08:10:11,836: toold pid=10 INFO attach 6", "  of a resource"]
KERNEL = [
    "May  4 08:10:11 stor7 kernel: [  118.046555] block drbd6: disk( Diskless -> Attaching )",
    "May  4 08:10:12 stor7 kernel: [  118.946555] block drbd6: disk( Attaching -> UpToDate )",
]


@pytest.mark.parametrize("name", ["dated_log", "syslog"])
def test_each_line_is_read_as_what_it_is(name: str) -> None:
    lines = [*TOOL, KERNEL[0], *TOOL, KERNEL[1]]
    parsed = formats()[name].parse(numbered(lines))
    assert parsed.lines["verdict"].to_list() == [1, 2, 1, 1, 2, 1]
    events = parsed.tables["ha_event"].select("line_no", "host", "object", "peer", "process", "new_state").rows()
    assert events == [
        (3, "stor7", "drbd6", None, "kernel", "Attaching"),
        (6, "stor7", "drbd6", None, "kernel", "UpToDate"),
    ]
    own = (
        parsed.tables["log_record"] if name == "dated_log" else parsed.tables["syslog_event"].filter(framing="program")
    )
    assert own.select("line_no", "host").rows() == [(1, None), (4, None)]


def test_seconds_since_1970_show_the_zone_of_the_wall_clock_below() -> None:
    lines = [
        "3894:signal-handler (1683364211) Received SIGTERM scheduling shutdown...",
        "3894:M 06 May 14:40:11.373 # User requested shutdown...",
    ]
    found = formats()["dated_log"].parse(numbered(lines)).tables["log_record"]
    assert found["utc_offset_min"].to_list() == [330, None]
    assert str(found["stamp"][0]) == "2023-05-06 14:40:11"


LINES = [
    "(app) n1 at 07.02.2020-10:00:00,500 sev=WARN lost the leader",
    "   detail",
    "(app) n1 at 07.02.2020-10:00:05,250 sev=INFO became leader",
]
WITH_KEYS = Layout("app", r"^\(app\) ", "%d.%m.%Y-%H:%M:%S,%f", r"^\(app\) (\w+)", r"sev=(\w+)")
WITH_GROUPS = Layout("app", r"^\(app\) (?P<host>\w+) at (?P<stamp>\S+) sev=(?P<severity>\w+)")
WITH_PATTERN = Layout("app", stamp=r"at (\S+)", host=r"\) (\w+)", severity="sev=(WARN|INFO)")


@pytest.mark.parametrize("layout", [WITH_KEYS, WITH_GROUPS, WITH_PATTERN])
def test_records_as_they_are_declared(layout: Layout) -> None:
    form = format_of("app", layout)
    assert counts(form, LINES) == [2, 1, 0, 0, 0]
    first, second = rows(form, *LINES, table="log_record")
    assert (first["stamp"], first["host"], first["level"]) == (at("2020-02-07T10:00:00.5"), "n1", "warning")
    assert (second["stamp"], second["level"]) == (at("2020-02-07T10:00:05.25"), "info")
    assert str(first["text"]).endswith("lost the leader\n   detail")


def test_a_letter_is_a_severity_where_one_is_declared() -> None:
    layout = Layout("app", r"^(?P<host>\w+)\|(?P<stamp>[^|]+)\|(?P<severity>\w)\|", "%d%m%y %H:%M:%S")
    (found,) = rows(of_layout(layout), "b1|070220 10:00:00|E|lost the leader", table="log_record")
    assert (found["host"], found["stamp"], found["level"]) == ("b1", at("2020-02-07T10:00"), "err")


def test_lines_that_begin_no_record_are_rejected_until_one_does() -> None:
    form = of_layout(WITH_KEYS)
    assert reasons(form, "other", *LINES)[0] == "before the first stamp"
    assert isinstance(form.recognise(pl.Series(LINES)), Recognition)
    assert form.boundary is not None


def test_a_log_with_stamps_within_its_lines_is_drafted() -> None:
    head = pl.Series([f"unit web said 2020-02-07 10:00:0{second}.5 lost it" for second in range(4)])
    layout = drafted("web", head)
    assert layout == Layout("web", stamp=r"[0-9]+-[0-9]+-[0-9]+\s+[0-9]+:[0-9]+:[0-9]+\.[0-9]+")
    (found, *_) = rows(of_layout(layout), *head.to_list(), table="log_record")
    assert (found["stamp"], found["text"]) == (at("2020-02-07T10:00:00.5"), "unit web said lost it")
    assert draft("web", pl.Series(["no", "date"])) is None
