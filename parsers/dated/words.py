"""Words of dated logs: severities and months in several languages, and zones by name."""

from parsers.syslog.words import LEVEL_WORDS, LEVELS
from parsers.zone_names import OF_SEVERAL, ZONES_MIN

SEVERITY_WORDS = {
    **LEVEL_WORDS,
    **dict.fromkeys(("emergency",), "emerg"),
    # de fr es it pt ja zh ru, as the event viewer of Windows prints them
    **dict.fromkeys(("kritisch", "critique", "crítico", "critico", "重大", "关键", "嚴重", "критический"), "crit"),
    **dict.fromkeys(("severe", "fehler", "erreur", "errore", "erro", "エラー", "错误", "錯誤", "ошибка"), "err"),
    **dict.fromkeys(("warnung", "avertissement", "advertencia", "avviso", "aviso", "警告"), "warning"),
    **dict.fromkeys(("предупреждение",), "warning"),
    **dict.fromkeys(("note", "system", "hint", "audit"), "notice"),
    **dict.fromkeys(("information", "informational", "informationen", "información", "informacion"), "info"),
    **dict.fromkeys(("informazioni", "informações", "informacoes", "情報", "信息", "資訊", "сведения"), "info"),
    **dict.fromkeys(("config", "statement", "detail"), "info"),
    **dict.fromkeys(("verbose", "fine", "finer", "finest", "dbg", "trc", "ausführlich", "commentaires"), "debug"),
    **dict.fromkeys(("commentaire", "detallado", "dettagliato", "detalhado", "詳細", "详细", "подробности"), "debug"),
    **dict.fromkeys(("fel", "fout", "fejl", "feil", "błąd", "hata", "오류", "エラー発生"), "err"),
    **dict.fromkeys(("ostrzeżenie", "waarschuwing", "varning", "uyarı", "경고"), "warning"),
    **dict.fromkeys(("inf", "information:"), "info"),
    **dict.fromkeys(("wrn", "wrn:"), "warning"),
    **dict.fromkeys(("ftl", "dpanic"), "crit"),
}
"""Level by the word printed, lower case."""

SEVERITY_LETTERS = dict(
    zip(
        "TDVINWEFCAS",
        ["debug", "debug", "debug", "info", "notice", "warning", "err", "crit", "crit", "alert", "err"],
        strict=True,
    )
)
"""Level by the letter with which a line begins: glog, etcd, MongoDB, Ruby."""

REDIS_SIGNS = {".": "debug", "-": "debug", "*": "notice", "#": "warning"}
"""Level by the sign after the stamp of Redis."""

CAPITALS = sorted(
    {
        *(word.upper() for word in LEVELS),
        *("ERROR", "WARN", "WARNING", "CRITICAL", "FATAL", "PANIC", "TRACE", "SEVERE", "FINE", "FINER", "FINEST"),
        *("CONFIG", "VERBOSE", "NOTE", "DPANIC", "EMERGENCY", "INF", "WRN", "DBG", "TRC", "FTL", "LOG"),
    },
    key=lambda word: (-len(word), word),
)
"""Words that are a severity wherever they are near a stamp in capitals."""

_MONTHS = (
    "jan january ocak oca sty stycznia januar janv janvier ene enero gen gennaio janeiro янв января",
    "feb february lut lutego şub şubat februar févr fév février febrero febbraio fev fevereiro фев февраля",
    "mar march mrt maart marca mart mär mrz märz mars marzo março марта",
    "apr april kwi kwietnia nis nisan avr avril abr abril aprile апр апреля",
    "may mai maj maja mei mayıs mayo mag maggio maio мая май",
    "jun june cze czerwca haz haziran juni juin junio giu giugno junho июн июня",
    "jul july lip lipca tem temmuz juli juil juillet julio lug luglio julho июл июля",
    "aug august augusti augustus sie sierpnia ağu ağustos août aou ago agosto авг августа",
    "sep sept wrz września eyl eylül september septembre septiembre set settembre setembro сен сентября",
    "oct october paź października eki ekim okt oktober octobre octubre ott ottobre out outubro окт октября",
    "nov november lis listopada kas kasım novembre noviembre novembro ноя ноября",
    "dec december gru grudnia ara aralık dez dezember déc décembre dic diciembre dicembre dezembro дек декабря",
)
MONTH_NUMBERS = {word: number for number, words in enumerate(_MONTHS, 1) for word in words.split()}
"""Month by its name in de, en, es, fr, it, nl, pl, pt, ru, sv, tr: no word means two months."""

ZONE_NAMES = (*(ZONES_MIN.keys() - {"Z"}), *OF_SEVERAL)
"""Zones that programs print by name."""
