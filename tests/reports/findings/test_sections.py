from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest

from reports.findings import sections
from reports.study.store import opened
from reports.study.view import StudyView


def said(store: Path, body: str) -> str:
    with opened(store) as connection:
        return str(sections.prose(StudyView(connection), body))


@pytest.mark.parametrize(
    ("expression", "printed"),
    [
        pytest.param('mean("complete", "tuned")', "41.0", id="40 plus 1, 2, 0, ... seconds, ten runs: 41.0"),
        pytest.param('mean("complete", "tuned", decimals=0)', "41", id="decimals on request"),
        pytest.param('stddev("complete", "tuned")', "0.8", id="sqrt(6 / 9)"),
        pytest.param('runs("complete", "tuned")', "10", id="runs"),
        pytest.param('ratio("complete", "tuned")', "0.661", id="41 over 62"),
        pytest.param('reduction_pct("complete", "tuned")', "34", id="1 - 41 / 62"),
        pytest.param('ratio_interval("complete", "tuned")', "0.651 to 0.672", id="0.661 exp(+-2.12 * 0.0075)"),
        pytest.param('reduction_interval("complete", "tuned")', "32.8 to 34.9", id="the same as percentages less"),
        pytest.param('difference("complete", "tuned")', "\u221221.0", id="41 - 62"),
        pytest.param('duration("crash_recovery", "tuned")', "6.0", id="40 - 34"),
    ],
)
def test_prose_takes_its_numbers_from_the_data(make_store: Callable[..., Path], expression: str, printed: str) -> None:
    assert said(make_store(), f"It is {{{{ {expression} }}}} s.") == f"<p>It is {printed}\u00a0s.</p>\n"


def test_no_line_of_prose_ends_before_a_unit(make_store: Callable[..., Path]) -> None:
    body = "After 2.10 s or 5 % more, not `2.10 s`, 3 steps later."
    assert said(make_store(), body) == (
        "<p>After 2.10\u00a0s or 5\u00a0% more, not <code>2.10 s</code>, 3 steps later.</p>\n"
    )


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        pytest.param("{{ averge('complete', 'tuned') }}", "averge", id="unknown function"),
        pytest.param("{{ mean('compleet', 'tuned') }}", "known: complete, db2udb", id="unknown milestone"),
        pytest.param(
            "{{ mean('complete', 'tunde') }}",
            "configurations of the study: 'default', 'tuned'",
            id="unknown configuration",
        ),
        pytest.param("{{ mean('complete') }}", "missing 1 required positional argument", id="missing argument"),
        pytest.param("{{ 'a' * 1000000000 }}", "not available", id="no arithmetic"),
        pytest.param("{{ mean.__globals__ }}", "unsafe", id="no way into objects"),
        pytest.param("{{ ''.__class__ }}", "unsafe", id="nor into literals"),
        pytest.param("{{ 'a'.ljust(1000000000) }}", "unsafe", id="no methods"),
        pytest.param("{{ '%1000000000d' % 1 }}", "not available", id="no formats"),
        pytest.param("{{ 'a'|upper }}", "upper", id="no filters"),
        pytest.param("{{ mean( }}", "has no result", id="bad syntax"),
    ],
)
def test_a_wrong_value_is_reported_in_its_place_and_fails_no_report(
    make_store: Callable[..., Path], body: str, complaint: str
) -> None:
    printed = said(make_store(), f"{body}, and {{{{ runs('complete', 'tuned') }}}} runs")
    assert (complaint in unescape(printed), printed.endswith("and 10 runs</p>\n")) == (True, True), printed


@pytest.mark.parametrize(
    ("body", "absent"),
    [
        pytest.param("<script>alert(1)</script>", "<script", id="markup is text"),
        pytest.param("![x](http://example.org/x.png)", "<img", id="no pictures from elsewhere"),
        pytest.param("[x](javascript:alert(1))", "href", id="no script links"),
        pytest.param("{% for x in range(9) %}x{% endfor %}", "xxx", id="statements are text"),
    ],
)
def test_prose_brings_nothing_active(make_store: Callable[..., Path], body: str, absent: str) -> None:
    assert absent not in said(make_store(), body)


def test_value_without_a_result_is_reported_in_its_place(make_store: Callable[..., Path]) -> None:
    printed = said(make_store(), "From {{ 1 / 0 }} to {{ mean('complete', 'tuned') }}.")
    assert printed == "<p>From [<code>1 / 0</code> has no result: division by zero] to 41.0.</p>\n"
