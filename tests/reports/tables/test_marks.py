import re
from xml.etree.ElementTree import fromstring

import pytest

from pipeline.ask.check.verdict import Condition, Estimate, Verdict
from reports.tables.marks import WIDTH, interval_bar, verdict_mark


def rects(svg: str) -> list[tuple[float, float]]:
    """Left and right ends: of what is asked for, then of the interval."""
    found = [dict(re.findall(r'(x|width)="([\d.]+)"', each)) for each in re.findall("<rect[^>]*>", svg)]
    return [(float(each["x"]), float(each["x"]) + float(each["width"])) for each in found]


def test_marks_differ_in_shape() -> None:
    marks = [verdict_mark(each) for each in Verdict]
    assert len({re.sub("#[0-9a-f]+", "", each) for each in marks}) == 3
    assert all(fromstring(each).tag.endswith("svg") for each in marks)


@pytest.mark.parametrize(
    ("op", "low", "high", "is_inside"),
    [("<=", 10, 12, True), (">=", 10, 12, False), (">=", 24, 30, True), ("<", 21, 26, False)],
)
def test_an_interval_lies_in_the_shade_where_it_fulfils_the_condition(
    op: str, low: float, high: float, *, is_inside: bool
) -> None:
    shade, bar = rects(interval_bar(Estimate((low + high) / 2, low, high), Condition(op, 20)))
    assert (shade[0] <= bar[0] and bar[1] <= shade[1]) is is_inside
    assert all(0 <= end <= WIDTH for end in (*shade, *bar))


def test_equality_shades_its_margin() -> None:
    shade, bar = rects(interval_bar(Estimate(1.0, 0.98, 1.02), Condition("==", 1, 0.1)))
    assert shade[0] < bar[0] < bar[1] < shade[1]


def test_no_interval_no_bar() -> None:
    assert interval_bar(Estimate(3.0, is_exact=True), Condition("<", 4)) == ""
    assert interval_bar(Estimate(None), Condition("<", 4)) == ""
    assert interval_bar(Estimate(3.0, 2.0, 4.0), None) == ""
