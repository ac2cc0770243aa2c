"""Logs that name no host, of nodes that only file names tell apart, count as those in folders of nodes."""

import lzma
import re
import shutil
from pathlib import Path

import pytest

from tests.support.failover_logs import Store, ingested

RUNS = Path(__file__).parents[3] / "samples" / "leaders" / "galera" / "baseline"
OWN = re.compile(r"mariadbd\[\d+\]: (.*\n)")


def study(folder: Path, name: str) -> Store:
    """Two recorded runs of Galera, with the log that MariaDB itself writes, which names no host."""
    for run in ("run01", "run02"):
        for node in sorted((RUNS / run).glob("node*")):
            log = folder / run / name.format(node.name)
            log.parent.mkdir(parents=True, exist_ok=True)
            with lzma.open(node / "mariadb.log.xz", "rt", errors="replace") as written:
                log.write_text("".join(OWN.findall(written.read())))
        (folder / run / "client").mkdir()
        shutil.copy(RUNS / run / "client" / "probe.csv.xz", folder / run / "client")
    return ingested(folder)


STEPS = "select run, milestone, elapsed_s from milestone order by all"


@pytest.mark.parametrize("name", ["{}.err", "mariadb_{}.log"])
def test_a_file_for_each_node_is_as_good_as_a_folder(tmp_path: Path, name: str) -> None:
    expected = study(tmp_path / "folders", "{}/mariadb.err")
    found = study(tmp_path / "files", name)
    assert found.rows(STEPS) == expected.rows(STEPS) != []
    assert found.rows("select run, outcome from run_outcome order by all") == [
        ("run01", "recovered"),
        ("run02", "recovered"),
    ]
