"""Stores that are cut, overwritten, mixed up or another program's: exit 4 with advice, and no traceback."""

import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pytest

from tests.support.command import haledger
from tests.support.failover_logs import ingested, write, write_run, write_timers


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    study = tmp_path_factory.mktemp("store") / "logs"
    write_timers(study / "default")
    write_run(study / "default" / "run01")
    return ingested(study).db


Damage = Callable[[Path], None]


def emptied(db: Path) -> None:
    db.write_bytes(b"")


def halved(db: Path) -> None:
    db.write_bytes(db.read_bytes()[: db.stat().st_size // 2])


def cut_in_its_head(db: Path) -> None:
    db.write_bytes(db.read_bytes()[:5000])


def random_text(db: Path) -> None:
    source = random.Random(5)  # noqa: S311  noise, not secrets
    db.write_text("".join(chr(source.randint(32, 126)) for _ in range(9000)))


def head_and_noise(db: Path) -> None:
    db.write_bytes(db.read_bytes()[:12288] + random.Random(6).randbytes(db.stat().st_size))  # noqa: S311  noise


def zeroed(db: Path) -> None:
    db.write_bytes(bytes(db.stat().st_size))


def another_programs(db: Path) -> None:
    db.unlink()
    with duckdb.connect(str(db)) as con:
        con.execute("create table invoices as select 1 as number")


def unfinished(db: Path) -> None:
    with duckdb.connect(str(db)) as con:
        con.execute("delete from main.store_info")


def of_a_newer_haledger(db: Path) -> None:
    with duckdb.connect(str(db)) as con:
        con.execute("update main.store_info set schema_version = 99")


def a_folder(db: Path) -> None:
    db.unlink()
    db.mkdir()


DAMAGES: tuple[Damage, ...] = (
    emptied,
    halved,
    cut_in_its_head,
    random_text,
    head_and_noise,
    zeroed,
    another_programs,
    unfinished,
    of_a_newer_haledger,
    a_folder,
)
COMMANDS: dict[str, tuple[str, ...]] = {
    "sql": ("sql", "select * from milestone_stats", "--db"),
    "tables": ("tables", "--list", "--db"),
    "figures": ("figures", "--list", "--db"),
    "ingest": ("ingest", "../logs", "--db"),
    "trace": ("trace", "milestone_stats", "1", "mean_s", "--db"),
    "compare": ("compare", "default", "tuned", "--db"),
    "verify": ("verify",),
}
ADVICE = ("build it again", "expected", "name another", "use that one", "no such store", "give a store")


@pytest.fixture
def here(whole: Path) -> Iterator[Path]:
    """A folder beside the study with a copy of its store."""
    folder = whole.with_name("here")
    folder.mkdir()
    shutil.copy(whole, folder / "a.duckdb")
    yield folder
    shutil.rmtree(folder)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_store_is_exit_4_with_advice(here: Path, damage: Damage, command: str) -> None:
    damage(here / "a.duckdb")
    outcome = haledger(*COMMANDS[command], "a.duckdb", cwd=here)
    assert (outcome.returncode, outcome.stdout) == (4, ""), outcome.stderr
    assert "Traceback" not in outcome.stderr
    assert "a.duckdb" in outcome.stderr
    assert any(word in outcome.stderr for word in ADVICE), outcome.stderr
    assert [each.name for each in here.iterdir()] == ["a.duckdb"]


@pytest.mark.parametrize("damage", [random_text, another_programs])
def test_replace_does_not_touch_what_may_be_anothers(here: Path, damage: Damage) -> None:
    damage(here / "a.duckdb")
    before = (here / "a.duckdb").read_bytes()
    outcome = haledger("ingest", "../logs", "--db", "a.duckdb", "--replace", cwd=here)
    assert (outcome.returncode, outcome.stdout) == (2, ""), outcome.stderr
    assert "not a store that haledger wrote" in outcome.stderr
    assert (here / "a.duckdb").read_bytes() == before


@pytest.mark.parametrize("damage", [emptied, halved, cut_in_its_head, head_and_noise, zeroed])
def test_replace_builds_a_damaged_store_again(here: Path, damage: Damage) -> None:
    damage(here / "a.duckdb")
    outcome = haledger("ingest", "../logs", "--db", "a.duckdb", "--replace", cwd=here)
    assert outcome.returncode == 0, outcome.stderr
    shown = haledger("sql", "select count(*) from milestone", "--format", "csv", "--db", "a.duckdb", cwd=here)
    assert shown.stdout.split()[-1:] == ["8"], shown.stderr


def test_the_journal_of_noise_beside_a_store_changes_no_answer(here: Path) -> None:
    (here / "a.duckdb.wal").write_bytes(random.Random(7).randbytes(4000))  # noqa: S311  noise, not secrets
    shown = haledger("sql", "select count(*) from milestone", "--format", "csv", "--db", "a.duckdb", cwd=here)
    assert (shown.returncode, shown.stdout.split()[-1:]) in ((0, ["8"]), (4, []))


def test_a_new_store_does_not_inherit_the_journal_of_the_old(here: Path) -> None:
    """Another program changed the store and died; its unfinished journal belongs to the file that is replaced."""
    write_and_die = (
        "import duckdb, os; con = duckdb.connect('a.duckdb'); con.execute('create table intruder as select 1 as one'); "
        "con.execute('delete from main.rejected_line'); os._exit(9)"
    )
    subprocess.run([sys.executable, "-c", write_and_die], cwd=here, check=False)
    assert (here / "a.duckdb.wal").exists()
    study = here.with_name("logs")
    write(study / "notes.txt", "so that there is something to do\n")
    outcome = haledger("ingest", "../logs", "--db", "a.duckdb", cwd=here)
    (study / "notes.txt").unlink()
    assert outcome.returncode == 0, outcome.stderr
    assert [each.name for each in here.iterdir()] == ["a.duckdb"]
    shown = haledger("sql", "select * from intruder", "--db", "a.duckdb", cwd=here)
    assert "intruder does not exist" in shown.stderr


BLOCK = 256 << 10
"""Bytes that DuckDB keeps one checksum of."""


def test_a_flipped_bit_in_any_block_changes_no_row_in_silence(here: Path) -> None:
    db = here / "a.duckdb"
    content, asked = db.read_bytes(), ("sql", _sum_of_all_rows(db), "--db", "a.duckdb", "--format", "csv")
    expected = haledger(*asked, cwd=here).stdout
    outcomes = set()
    for at in range(BLOCK // 2, len(content), BLOCK):
        db.write_bytes(content[:at] + bytes([content[at] ^ 16]) + content[at + 1 :])
        found = haledger(*asked, cwd=here)
        is_said = (found.returncode, found.stdout) == (4, "") and "build it again" in found.stderr
        is_same = (found.returncode, found.stdout) == (0, expected)
        outcomes.add("said" if is_said else "the same" if is_same else f"at {at}: {found.stderr}")
    assert outcomes == {"the same", "said"}


def _sum_of_all_rows(db: Path) -> str:
    with duckdb.connect(str(db), read_only=True) as con:
        names = con.execute("select schema_name, table_name from duckdb_tables() order by all").fetchall()
    sums = (f'select sum(hash(each)::hugeint) as sum from "{schema}"."{name}" as each' for schema, name in names)
    return f"select list(sum order by sum) from ({' union all '.join(sums)})"
