"""Text of lines of syslog: words, marks (`text`), and what wraps it (`markdown`)."""

from datetime import datetime

import polars as pl
import pytest

from parsers.syslog.container_log import FORMAT as CONTAINER_LOG
from parsers.syslog.syslog import FORMAT
from parsers.syslog.words import FACILITIES, LEVELS, level_of, named
from parsers.syslog.wrapping import string, text_of
from tests.support.message_lines import claimed_by, row


@pytest.mark.parametrize(
    ("word", "level"),
    [
        *((level, level) for level in LEVELS),
        ("WARN", "warning"),
        ("CRITICAL", "crit"),
        ("PANIC", "emerg"),
        ("LOG", "info"),
        ("DEBUG5", "debug"),
        ("STATEMENT", None),
        (None, None),
    ],
)
def test_level_of_a_word(word: str | None, level: str | None) -> None:
    assert pl.select(level_of(pl.lit(word, pl.String))).item() == level


def test_names_by_number() -> None:
    assert pl.select(named(FACILITIES, pl.lit(23))).item() == "local7"
    assert pl.select(named(LEVELS, pl.lit(9))).item() is None


at = datetime.fromisoformat


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        pytest.param(
            "Dec 10 00:00:19 pg-01 patroni[582]: 2023-12-10 00:00:19,397 INFO: promoted self to leader",
            {
                "stamp": at("2023-12-10T00:00:19.397"),
                "has_year": True,
                "level": "info",
                "text": "promoted self to leader",
            },
            id="REAL: a finer stamp with its year takes the place of the head's",
        ),
        pytest.param(
            "Dec 10 00:00:19 pg-01 postgres[5]: 2023-12-10 00:00:18.600 UTC [5] LOG:  redo starts at 0/3",
            {"stamp": at("2023-12-10T00:00:18.600"), "has_year": True, "level": "info", "text": "redo starts at 0/3"},
            id="PostgreSQL's",
        ),
        pytest.param(
            "Dec 10 00:00:19 pg-01 patroni[582]: 2023-12-10 00:00:29,397 INFO: x",
            {"stamp": at("2000-12-10T00:00:19"), "has_year": False, "text": "2023-12-10 00:00:29,397 INFO: x"},
            id="a stamp further away is part of the text",
        ),
        pytest.param(
            "2023-12-10T00:00:19+01:00 pg-01 patroni[582]: 2022-12-10 00:00:19,397 INFO: x",
            {"stamp": at("2023-12-10T00:00:19"), "has_year": True, "text": "2022-12-10 00:00:19,397 INFO: x"},
            id="a stamp of another year too",
        ),
        pytest.param(
            "Feb 11 13:15:39 n1 postgres[10808]: [3-1] db=,user= FATAL:  no pg_hba.conf entry",
            {"msgid": "3-1", "level": "crit", "text": "no pg_hba.conf entry"},
            id="PostgreSQL through syslog",
        ),
        pytest.param(
            "Feb 11 13:15:39 n1 other[10808]: [3-1] db=,user= FATAL:  x",
            {"text": "[3-1] db=,user= FATAL:  x"},
            id="brackets of another program",
        ),
    ],
)
def test_marks_before_the_text(line: str, expected: dict[str, object]) -> None:
    found = row(FORMAT, line)
    assert found == found | expected


# ADAPTED: lines of corosync, SAPHana and a kernel as public notes keep them, with other hosts
@pytest.mark.parametrize(
    ("line", "tag", "text"),
    [
        (
            r"[2022-02-07T08:18:08.7+08:00 n1 corosync\[3083\]:   \[TOTEM \] ]A processor failed, forming new.",
            "corosync",
            "[TOTEM ] A processor failed, forming new.",
        ),
        (
            r"2022-02-07T08:06:29.3+08:00 n1 SAPHana(rsc_HDB01)\[67749\]: WARNING: call \'a\_b \--site=X\' \-\> 124",
            "SAPHana",
            r"call 'a_b --site=X' -> 124",
        ),
        (
            r"[May 26 13:29:00 n1 kernel: \[3098788.455720\] ixgbe: em1: ]NIC Link is Down",
            "kernel",
            "ixgbe: em1: NIC Link is Down",
        ),
        (r"2022-02-07T08:06:29.3+08:00 n1 app[7]: pattern \[a-z\] of [x]", "app", r"pattern \[a-z\] of [x]"),
    ],
)
def test_line_kept_as_markdown_is_that_of_the_log(line: str, tag: str, text: str) -> None:
    assert claimed_by([line] * 3) == "syslog"
    found = row(FORMAT, line)
    assert (str(found["tag"]).partition("(")[0], found["text"]) == (tag, text)


def test_docker_and_podman_print_the_time_before_a_line_of_syslog() -> None:
    line = "Mar  4 10:00:01 birch corosync[1200]: [TOTEM ] A processor failed, forming new configuration."
    for time in ("2026-03-04T09:00:01.123456789Z", "2026-03-04T10:00:01.123456789+01:00"):
        assert claimed_by([f"{time} {line}"] * 3) == "container_log"
        found, plain = row(CONTAINER_LOG, f"{time} {line}"), row(FORMAT, line)
        assert [found[name] for name in ("host", "tag", "text")] == [plain[name] for name in ("host", "tag", "text")]
        assert str(found["stamp"]) == "2026-03-04 10:00:01"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('{"a": "x"}', "x"),
        ('{"a" : 5}', "5"),
        ('{"a": null}', None),
        ('{"a": ""}', ""),
        ('{"b": "x"}', None),
        ('{"b": "\\"a\\": \\"y\\"", "a": "x"}', "x"),
        ('{"a": ["x"]}', None),
        ("a: x", None),
    ],
)
def test_value_of_a_key(line: str, expected: str | None) -> None:
    assert pl.DataFrame({"line": [line]}).select(string(pl.col("line"), "a")).item() == expected


def test_first_of_several_keys_wins() -> None:
    assert pl.DataFrame({"line": ['{"b": 1, "a": 2}']}).select(string(pl.col("line"), "a", "b")).item() == "1"


def test_escapes_are_decoded_and_broken_ones_give_nothing() -> None:
    lines = ['{"a": "x\\ny \\u00e9"}', '{"a": "plain"}', '{"a": "\\q"}', '{"a": "\\n"', "{}"]
    assert text_of(pl.Series(lines), "a").to_list() == ["x\ny é", "plain", None, None, None]
