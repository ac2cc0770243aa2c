"""Series that a statement of the study gives, drawn from progress lines of pgbench that were written for this test."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import altair as alt
import pytest

from pipeline.errors import UsageError
from pipeline.ingest.ingest import ingest
from reports.figures import catalogue
from reports.study.store import opened
from reports.study.view import StudyView

SUMMARY = """\
pgbench (15.18)
progress: 1.0 s, 10.0 tps, lat 2.0 ms stddev 0.1, 0 failed
progress: 2.0 s, 30.0 tps, lat 2.0 ms stddev 0.1, 0 failed
transaction type: <builtin: TPC-B (sort of)>
scaling factor: 1
query mode: simple
number of clients: 4
number of threads: 2
duration: 2 s
number of transactions actually processed: 40
latency average = 2.000 ms
tps = 20.000000 (without initial connection time)
"""
POINTS = """
select configuration, run, word as line, offset_s as x, factor * value as "value"
from measurement_series, (values ('single', 1), ('double', 2)) as twice (word, factor)
where metric = 'tps'
order by value desc
"""
Opener = Callable[..., AbstractContextManager[StudyView]]


@pytest.fixture
def drawn(tmp_path: Path) -> Opener:
    """Opens a study of two configurations whose figure has this statement."""

    @contextmanager
    def open_study(sql: str, options: str = "") -> Iterator[StudyView]:
        for configuration in ("plain", "tuned"):
            run = tmp_path / "study" / configuration / "run01"
            run.mkdir(parents=True)
            (run / "pgbench.txt").write_text(SUMMARY)
        figure = (
            f'[[figure]]\nname = "own"\nkind = "series"\noptions = {{ metric = "rows"{options} }}\nsql = """{sql}"""\n'
        )
        (tmp_path / "study" / "study.toml").write_text(figure)
        ingest(tmp_path / "study", tmp_path / "haledger.duckdb")
        with opened(tmp_path / "haledger.duckdb") as connection:
            yield StudyView(connection)

    return open_study


def test_lines_of_a_run_are_drawn_apart_in_order_of_time(drawn: Opener) -> None:
    with drawn(POINTS) as study:
        figure = catalogue.all_figures(study)["own"]
    panels = figure.spec["vconcat"]
    assert [panel["title"]["text"] for panel in panels] == ["double, rows", "single, rows"]
    for panel, factor in zip(panels, (2, 1), strict=True):
        points = panel["layer"][-1]["data"]["values"]
        assert {each["configuration"] for each in points} == {"plain", "tuned"}
        assert [(each["x"], each["value"]) for each in points if each["configuration"] == "plain"] == [
            (1.0, 10.0 * factor),
            (2.0, 30.0 * factor),
        ]
    alt.Chart.from_dict({**figure.spec})


def test_panels_share_one_legend(drawn: Opener) -> None:
    """A panel without a legend took it from all others: dashes were drawn that nothing explained."""
    with drawn(POINTS, ", overlaid = false") as study:
        panels = catalogue.all_figures(study)["own"].spec["vconcat"]
    legends = [panel["layer"][-1]["encoding"]["strokeDash"]["legend"] for panel in panels]
    assert legends[0] is not None
    assert legends[0] == legends[1]


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        pytest.param("select 1 as x", "it lacks configuration, run, value", id="columns"),
        pytest.param(
            "select 'other' as configuration, 'run01' as run, 1 as x, 2 as \"value\"",
            "no point of a configuration that the figure shows",
            id="rows",
        ),
    ],
)
def test_a_statement_that_gives_no_series_is_reported(drawn: Opener, sql: str, told: str) -> None:
    with pytest.raises(UsageError, match=told), drawn(sql) as study:
        catalogue.all_figures(study)
