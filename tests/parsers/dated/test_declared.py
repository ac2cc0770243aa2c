from datetime import datetime

import polars as pl
import pytest

from parsers.dated.declared import draft, of_layout
from parsers.format import Layout, Recognition, drafted, format_of
from tests.support.message_lines import counts, reasons, rows

at = datetime.fromisoformat
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
