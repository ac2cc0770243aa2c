from datetime import datetime

import polars as pl
import pytest

from parsers.syslog import dmesg, journal, syslog
from parsers.syslog.locale import in_english
from tests.support.message_lines import claimed_by, row, rows

at = datetime.fromisoformat

MONTHS = {
    "de": "Jan Feb Mär Apr Mai Jun Jul Aug Sep Okt Nov Dez",
    "fr": "janv. févr. mars avril mai juin juil. août sept. oct. nov. déc.",
    "es": "ene feb mar abr may jun jul ago sep oct nov dic",
    "it": "gen feb mar apr mag giu lug ago set ott nov dic",
    "pt": "jan fev mar abr mai jun jul ago set out nov dez",
    "ru": "янв фев мар апр мая июн июл авг сен окт ноя дек",
    "ja": " 1月  2月  3月  4月  5月  6月  7月  8月  9月 10月 11月 12月",
    "ko": " 1월  2월  3월  4월  5월  6월  7월  8월  9월 10월 11월 12월",
    "zh": "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月",
}


@pytest.mark.parametrize("language", MONTHS)
def test_months(language: str) -> None:
    words = MONTHS[language].split()
    blank = " " if language in {"ja", "ko"} else ""
    lines = [
        f"{blank if len(word) == 2 else ''}{word} {number + 1:2} 10:34:48 n1 sshd[5]: a"
        for number, word in enumerate(words, 1)
    ]
    found = rows(syslog.FORMAT, *lines)
    assert [each["stamp"] for each in found] == [datetime(2000, n, n + 1, 10, 34, 48) for n in range(1, 13)]  # noqa: DTZ001  a wall clock
    assert {each["host"] for each in found} == {"n1"}
    assert claimed_by(lines) == "syslog"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        # REAL
        ("9 月 16 日 19:31:41 cl4 chronyd[2153]: a", "Sep 16 19:31:41 cl4 chronyd[2153]: a"),
        ("[ven. nov.  8 17:41:18 2019] a", "[Mon Nov  8 17:41:18 2019] a"),
        ("[金 11月  8 17:41:18 2019] a", "[Mon Nov  8 17:41:18 2019] a"),
        ("Fr 2019-03-22 11:01:02 CET n1 a[1]: b", "Mon 2019-03-22 11:01:02 CET n1 a[1]: b"),
        ("pg 2019-03-22 11:01:02 CET n1 a[1]: b", "pg 2019-03-22 11:01:02 CET n1 a[1]: b"),
        ("mars and venus", "mars and venus"),
        ("Mar 22 10:34:48 n1 a: b", "Mar 22 10:34:48 n1 a: b"),
    ],
)
def test_head(line: str, expected: str) -> None:
    assert in_english(pl.Series([line, "other"])).to_list() == [expected, "other"]


def test_dmesg_and_journal() -> None:
    printed = "[ven. nov.  8 17:41:18 2019] drbd r0: conn( Connected -> Timeout )"
    assert row(dmesg.FORMAT, printed)["stamp"] == at("2019-11-08T17:41:18")
    assert claimed_by([printed]) == "dmesg"
    assert claimed_by(["Fr 2019-03-22 11:01:02 CET n1 kernel: a"]) == "journal"
    assert row(journal.FORMAT, "Fr 2019-03-22 11:01:02 CET n1 kernel: a")["host"] == "n1"
