"""A log cut anywhere: what the cut run shows, the whole run shows at the same instant."""

from itertools import pairwise, product
from pathlib import Path

import pytest

from tests.support.failover_logs import Failover, Store, ingested, text_of, write_logs, write_timers

CUTS = 25
NAMES = ("engine_A.log", "messages", "db2diag.log")
CRASH_IS_RECORDED = "\n".join(
    f'[[run]]\nconfiguration = "{name}-{number:02d}"\nrun = 1\nfault_at = 2003-07-28T10:27:04Z'
    for name, number in [("whole", 0), *product(NAMES, range(CUTS))]
)


def cut(content: bytes, number: int) -> bytes:
    """The file up to one of `CUTS` offsets, which fall into lines, line ends and the first bytes."""
    return content[: (len(content) * number // CUTS + number * number) % len(content)]


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Store]:
    """The cut runs, with an inferred and with a recorded fault time."""
    found = {}
    logs = {name: text_of(lines).encode() for name, lines in Failover().survivors().items()}
    for kind, manifest in (("inferred", ""), ("recorded", CRASH_IS_RECORDED)):
        study = tmp_path_factory.mktemp(kind) / kind
        write_timers(study)
        write_logs(study / "whole-00" / "run01" / "sun-ha4", logs)
        for name in NAMES:
            for number in range(CUTS):
                folder = study / f"{name}-{number:02d}" / "run01" / "sun-ha4"
                write_logs(folder, logs | {name: cut(logs[name], number)})
        write_logs(study, {"study.toml": manifest})
        found[kind] = ingested(study)
    return found


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("number", range(CUTS))
def test_milestones_of_a_cut_run_are_those_of_the_whole(stores: dict[str, Store], name: str, number: int) -> None:
    for kind, found in stores.items():
        query = 'select milestone, "at", file_id is not null from milestone where configuration = ?'
        whole = set(found.rows(query, "whole-00"))
        assert len(whole) == 8
        assert set(found.rows(query, f"{name}-{number:02d}")) <= whole, kind
    of_cut = stores["recorded"].milestones(f"{name}-{number:02d}")
    of_whole = stores["recorded"].milestones("whole-00")
    assert of_cut.items() <= of_whole.items()


@pytest.mark.parametrize("name", NAMES)
def test_more_of_a_file_never_shows_less(stores: dict[str, Store], name: str) -> None:
    content = text_of(Failover().survivors()[name]).encode()
    by_length = sorted(range(CUTS), key=lambda number: len(cut(content, number)))
    shown = [set(stores["recorded"].milestones(f"{name}-{number:02d}")) for number in by_length]
    assert all(earlier <= later for earlier, later in pairwise(shown))


@pytest.mark.parametrize("name", NAMES)
def test_rows_of_a_cut_file_are_the_first_rows_of_the_whole(stores: dict[str, Store], name: str) -> None:
    table = {"engine_A.log": "vcs_event", "messages": "syslog_event", "db2diag.log": "db2diag_record"}[name]
    found = stores["inferred"]
    query = (
        f'select {table}.line_no, {table}."at" from log.{table} inner join source_file using (file_id) '
        "where path = ? order by 1"
    )
    whole = found.rows(query, f"whole-00/run01/sun-ha4/{name}")
    for number in range(CUTS):
        rows = found.rows(query, f"{name}-{number:02d}/run01/sun-ha4/{name}")
        # the last line may be cut within its stamp
        assert rows[:-1] == whole[: max(len(rows) - 1, 0)]


def test_every_cut_file_is_listed(stores: dict[str, Store]) -> None:
    for found in stores.values():
        statuses = found.rows(
            "select status, count(*) from source_file where format is distinct from 'main_cf' "
            "and path like '%sun-ha4%' group by all"
        )
        assert sum(count for _, count in statuses) == 3 * (3 * CUTS + 1)
        assert {status for status, _ in statuses} <= {"parsed", "skipped", "unrecognised"}


def test_no_study_is_left_beside_its_store(stores: dict[str, Store]) -> None:
    for found in stores.values():
        assert sorted(each.name for each in Path(found.db).parent.iterdir()) == sorted(
            [found.db.name, found.db.name.removesuffix("-store.duckdb")]
        )
