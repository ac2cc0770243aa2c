"""Series that a statement of the study gives, drawn from progress lines of pgbench that were written for this test."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from pipeline.errors import UsageError
from pipeline.ingest.ingest import ingest
from reports.figures import catalogue
from reports.figures.draw.chart import Chart
from reports.figures.draw.scene import Line
from reports.study.store import opened
from reports.study.view import StudyView
from tests.support.drawings import marks, panels

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
        found = panels(catalogue.all_figures(study)["own"])
    assert [(panel.title, panel.subtitle) for panel in found] == [("double", "rows"), ("single", "rows")]
    for panel, factor in zip(found, (2, 1), strict=True):
        plain, tuned = marks(panel, Line)
        assert plain.points == tuned.points == ((1.0, 10.0 * factor), (2.0, 30.0 * factor))
        assert plain.look.dash != tuned.look.dash


def test_lines_in_one_panel_are_explained_by_a_legend(drawn: Opener) -> None:
    with drawn(POINTS, ", overlaid = false") as study:
        scene = catalogue.all_figures(study)["own"].scene
    assert isinstance(scene, Chart)
    looks = {entry.name: entry.look for entry in scene.legend}
    assert set(looks) == {"double", "single"}
    assert [line.look for line in marks(scene.panels[0], Line)] == [looks["double"], looks["single"]]


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
