"""A number does not depend on how many threads computed it, nor on the order in which DuckDB met the rows."""

from pathlib import Path

import duckdb
import pytest

from pipeline.ingest.ingest import ingest

SAMPLES = Path(__file__).parents[3] / "samples"


@pytest.mark.parametrize("name", ["hadr-simulator-2009", "nfs-fcp-2009", "pacemaker-postgresql"])
def test_relations_are_the_same_bit_for_bit_with_any_number_of_threads(tmp_path: Path, name: str) -> None:
    db = tmp_path / "a.duckdb"
    ingest(SAMPLES / name, db)
    found = []
    for threads in (1, 2, 8):
        with duckdb.connect(str(db), read_only=True, config={"threads": threads}) as con:
            names = [
                row[0]
                for row in con.execute("select view_name from duckdb_views() where schema_name = 'main'").fetchall()
            ]
            found.append(
                {each: sorted(map(repr, con.execute(f'select * from main."{each}"').fetchall())) for each in names}
            )
    assert [each for each in found[0] if found[1][each] != found[0][each] or found[2][each] != found[0][each]] == []
