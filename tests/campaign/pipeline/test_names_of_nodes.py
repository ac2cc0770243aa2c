"""Logs that name no host, of nodes that only file names tell apart, count as those in folders of nodes."""

import re
from pathlib import Path

import pytest

from samples.files import SAMPLES, files
from tests.support.failover_logs import Store, ingested, write

OWN = re.compile(r"mariadbd\[\d+\]: (.*)")


def study(folder: Path, name: str) -> Store:
    """Two recorded runs of Galera, with the log that MariaDB itself writes, which names no host."""
    for run in ("run01", "run02"):
        for path, content in files(SAMPLES / "leaders/galera", f"baseline/{run}/"):
            *_, node, file = path.split("/")
            text = content.decode(errors="replace")
            if file == "mariadb.log":
                write(folder / run / name.format(node), OWN.findall(text))
            elif file == "probe.csv":
                write(folder / run / node / file, text.splitlines())
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
