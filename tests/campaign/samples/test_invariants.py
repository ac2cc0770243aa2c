"""What holds for any input, held to every sample that is shipped."""

from pathlib import Path

import duckdb
import pytest

from parsers import secret
from pipeline.ask.anonymise.anonymise import anonymise
from pipeline.ingest.ingest import ingest
from pipeline.store import relations
from pipeline.store.store import STORAGE_VERSION, quoted
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


CONFIGURATIONS = {
    "main.cf": 'include "types.cf"\ncluster c (\n\tUserNames = { a = "Emu11Wild" }\n\tSecInfo = "Emu12Wild"\n\t)\n',
    "drbd.conf": 'resource r0 {\n  net {\n    shared-secret "Emu13Wild";\n  }\n'
    "  on sun-1 {\n    device /dev/drbd0;\n    disk /dev/sdb1;\n    address 10.0.0.1:7788;\n  }\n}\n",
    "corosync.conf": "totem {\n  version: 2\n  token: 3000\n  key: Emu14Wild\n}\n",
    "sysctl.conf": "vm.swappiness = 1\nnet.ipv4.tcp_fastopen_key = Emu15Wild\nvm.overcommit_memory = 2\n",
    "postgresql.conf": "max_connections = 10\nwal_level = replica\narchive_command = 'PGPASSWORD=Emu16Wild cp %p'\n",
    "haresources": "sun-1 IPaddr::10.0.0.1/24/eth0 drbddisk::r0 apc::operator::Emu17Wild\n",
    "messages": "Mar  2 10:00:00 sun-1 app[7]: token=Emu18Wild\nMar  2 10:00:01 sun-1 app[7]: -pEmu16Wild Emu13Wild\n",
}


def test_what_is_masked_in_a_store_is_in_no_file_of_the_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    masked: list[str] = []

    def mask(value: str) -> str:
        masked.append(value)
        return secret.MASK

    monkeypatch.setattr(secret, "mask", mask)
    for name, text in CONFIGURATIONS.items():
        (tmp_path / "study" / "run1" / "sun-1").mkdir(parents=True, exist_ok=True)
        (tmp_path / "study" / "run1" / "sun-1" / name).write_text(text)
    ingest(tmp_path / "study", tmp_path / "store.duckdb")
    values = {value.strip('"') for value in masked}
    assert {f"Emu{number}Wild" for number in range(11, 19)} <= values
    done = anonymise(tmp_path / "study", tmp_path / "copy")
    assert done.left_out == ()
    copied = "\n".join(each.read_text() for each in done.folder.rglob("*") if each.is_file())
    assert [value for value in values if value in copied] == []


FILLED = {each.name for each in relations.catalogue() if each.materialised is not None and not each.is_constant}


@pytest.mark.parametrize("name", STUDIES)
def test_relations_are_the_same_bit_for_bit_with_any_threads_and_layout(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, name: str
) -> None:
    db, mixed = sample_store(name, tmp_path_factory), tmp_path / "mixed.duckdb"
    with duckdb.connect(str(db), read_only=True, config={"threads": 1}) as con:
        expected = hashes(con)
    mix(db, mixed)
    with duckdb.connect(str(mixed), config={"threads": 4, "preserve_insertion_order": False}) as con:
        con.execute("begin")
        relations.fill(con)
        found = hashes(con)
    assert [each for each in expected if found[each] != expected[each]] == []


def mix(db: Path, mixed: Path) -> None:
    """Copy a store without what is computed: rows in another order, in as many groups as there can be."""
    with duckdb.connect() as con:
        con.execute(f"attach '{db}' as old (read_only)")
        con.execute(f"attach '{mixed}' as new (row_group_size 2048, storage_version '{STORAGE_VERSION}')")
        con.execute("copy from database old to new (schema)")
        tables = "select schema_name, table_name from duckdb_tables() where database_name = 'old'"
        for schema, table in con.execute(tables).fetchall():
            if schema != "main" or table not in FILLED:
                place = f"{quoted(schema)}.{quoted(table)}"
                con.execute(f"insert into new.{place} select * from old.{place} order by hash(rowid)")


def hashes(con: duckdb.DuckDBPyConnection) -> dict[str, object]:
    """Rows and their hashes, added up, of each relation."""
    return {
        each.name: con.execute(f"select count(*), sum(hash(t)::hugeint) from main.{quoted(each.name)} as t").fetchone()
        for each in relations.catalogue()
    }
