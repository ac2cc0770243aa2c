"""Dates in front of lines whose month and weekday are words of another language than English.

journalctl, dmesg and systemctl print them in the language of the person who saved the log: `Mär 22 10:34:48 host ...`,
`9月 16 19:31:41 host ...`, `[ven. nov.  8 17:41:18 2019] ...`. rsyslog's own files are always English. No word below
is a month of two numbers in two languages.
"""

import re

import polars as pl

from parsers.syslog.words import MONTHS

# abbreviations of glibc's locales, and what older releases and other systems print
WORDS = {
    "de": "jän|jan januar, februar, mär|mrz|märz|maer, april, mai, juni, juli, august, sept|september, okt|oktober, "
    "november, dez|dezember",
    "fr": "janv, févr|fév|fevr, mars, avr|avril, mai, juin, juil|juill|juillet, août|aout, sept, oct, nov, déc",
    "es": "ene, feb, mar, abr, may, jun, jul, ago, sep|sept|set, oct, nov, dic",
    "it": "gen, feb, mar, apr, mag, giu, lug, ago, set, ott, nov, dic",
    "pt": "jan, fev, mar, abr, mai, jun, jul, ago, set, out, nov, dez",
    "ru": "янв|января, фев|февр|февраля, мар|марта, апр|апреля, мая|май, июн|июня, июл|июля, авг|августа, "
    "сен|сент|сентября, окт|октября, ноя|нояб|ноября, дек|декабря",
}
NUMBER_OF = {
    word: number
    for months in WORDS.values()
    for number, words in enumerate(months.split(", "), 1)
    for word in re.split(r"[| ]", words)
}

MONTH = "|".join(
    sorted(
        {cased for word in NUMBER_OF for cased in (word, word.title())} - set(MONTHS),
        key=lambda word: (-len(word), word),
    )
)
NUMBERED = r"(?:1[0-2]|0?[1-9]) ?[月월]"  # Chinese, Japanese, Korean
TIME = r"[0-9]{2}:[0-9]{2}:[0-9]{2}"
WEEKDAYS = (
    "Mo|Di|Mi|Do|Fr|Sa|So|lun|mar|mer|jeu|ven|sam|dim|mié|jue|vie|sáb|dom|gio|sab|seg|ter|qua|qui|sex"
    "|[Пп]н|[Вв]т|[Сс]р|[Чч]т|[Пп]т|[Сс]б|[Вв]с|[月火水木金土日월화수목금토일]|周?[一二三四五六日]"
)

# REAL: 9 月 16 日 19:31:41 cl4 chronyd[2153]: System clock was stepped by 72927926.233466 seconds
BEGINS = (
    rf"^(?P<before>(?:<[0-9]{{1,3}}>)?) ?(?:(?P<word>{MONTH})\.?|(?P<number>{NUMBERED})) {{0,3}}(?P<day>[0-9]{{1,2}})"
    rf"(?:\.| ?[日일])? +(?P<behind>(?:[0-9]{{4}} )?{TIME})"
)
# ADAPTED: [ven. nov.  8 17:41:18 2019] drbd r0: conn( Connected -> Timeout )
IN_BRACKETS = (
    rf"^(?P<before>\[)[^\s\[\]0-9]{{1,8}} (?:(?P<word>{MONTH}|{'|'.join(MONTHS)})\.?|(?P<number>{NUMBERED})) {{1,2}}"
    rf"(?P<day>[0-9]{{1,2}}) (?P<behind>{TIME} [0-9]{{4}}\])"
)
# ADAPTED: Fr 2019-03-22 11:01:02 CET 15sp1-1 kernel: sd 2:0:0:0: [sda] Attached SCSI disk
WEEKDAY = rf"^(?:{WEEKDAYS})\.? (?P<behind>[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}} {TIME}[. ])"

SHAPES = (BEGINS, IN_BRACKETS, WEEKDAY)


def in_english(lines: pl.Series) -> pl.Series:
    """The lines, with dates of other languages in front of them as they are in English."""
    is_foreign = lines.str.contains("|".join(re.sub(r"\(\?P<\w+>", "(?:", shape) for shape in SHAPES))
    if not is_foreign.any():
        return lines
    places = is_foreign.arg_true()
    return lines.scatter(places, [_in_english(line) for line in lines.gather(places)])


def _in_english(line: str) -> str:
    found = re.match(BEGINS, line) or re.match(IN_BRACKETS, line)
    if found is None:
        return re.sub(WEEKDAY, r"Mon \g<behind>", line, count=1)
    weekday = "Mon " if found["before"] == "[" else ""
    day = f"{int(found['day']):2}"
    return f"{found['before']}{weekday}{_month(found)} {day} {found['behind']}{line[found.end() :]}"


def _month(found: re.Match[str]) -> str:
    if found["number"] is not None:
        return MONTHS[int(found["number"].rstrip("月월 ")) - 1]
    word = found["word"]
    return word if word in MONTHS else MONTHS[NUMBER_OF[word.lower()] - 1]
