"""What holds for any input, held to every sample that is shipped."""

from pathlib import Path

import duckdb
import pytest

from samples.files import SAMPLES
from tests.support.failover_logs import VIOLATIONS
from tests.support.sample import STUDIES, sample_store

LEADERS = sorted(f"leaders/{each.name}" for each in (SAMPLES / "leaders").iterdir() if each.is_dir())


@pytest.fixture(scope="module", params=[*STUDIES, *LEADERS])
def db(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sample_store(str(request.param), tmp_path_factory)


@pytest.mark.parametrize("rule", VIOLATIONS)
def test_no_row_breaks_a_rule(db: Path, rule: str) -> None:
    with duckdb.connect(str(db), read_only=True) as con:
        assert con.execute(VIOLATIONS[rule]).fetchall() == []
