"""What study.toml declares is held against the folder and the relations, and refused with its line."""

from pathlib import Path

import pytest

from pipeline.discovery.walk import discover
from pipeline.errors import UsageError
from pipeline.ingest import contract
from pipeline.ingest.ingest import ingest
from pipeline.store.store import opened
from pipeline.study.declared_places import is_same_run
from pipeline.study.manifest import declared

TPS = "config,run,clients,tps\nfast,1,4,100\nfast,2,4,110\nslow,1,4,50\nslow,2,4,55\n"


def refused(folder: Path, text: str, *, has_bound: bool = True) -> list[str]:
    """The messages on a study.toml for a folder, without the place of the file; no log is read."""
    (folder / "study.toml").write_text(text, encoding="utf-8")
    try:
        contract.validate_before_reading(declared(folder), discover(folder).sources, has_bound=has_bound)
    except UsageError as error:
        return [line.removeprefix(f"{folder}/") for line in str(error).splitlines()]
    return []


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for place in ("old/run01/alpha", "new/run1/alpha"):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "errors.log").write_text("nothing\n")
    return tmp_path


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param('[study]\nreference = "od"', ":2: 'reference' in [study]: no configuration 'od'", id="reference"),
        pytest.param('[configuration."odl"]', ":1: 'odl' in [configuration]: no configuration 'odl'", id="table"),
        pytest.param('[configuration.new]\nreference = "odl"', "'old'", id="its reference"),
        pytest.param(
            "[[run]]\nconfiguration = 'odl'\nrun = 1", ":2: 'configuration' in [[run]] number 1", id="of a run"
        ),
        pytest.param(
            "[[run]]\nconfiguration = 'old'\nrun = 7", "no run '7' of configuration 'old'; known: run01", id="7"
        ),
        pytest.param("[[event]]\nat = 2024-01-01T00:00:00Z\ntext = 'x'\nconfiguration = 'odl'", ":4:", id="event"),
        pytest.param("[[claim]]\nphase = 'redo'\nop = '<'\nvalue = 1\nconfiguration = 'odl'", ":5:", id="claim"),
        pytest.param("[[table]]\nname = 'a'\nkind = 'milestones'\nconfigurations = ['odl']", ":4:", id="of a table"),
        pytest.param(
            "[[figure]]\nname = 'a'\nkind = 'measurements'\noptions = { metric = 'tps', normalised = 'odl' }",
            ":4: 'options' in [[figure]] number 1: no configuration 'odl'",
            id="option",
        ),
        pytest.param('[[section]]\nbody = \'{{ mean("tps", "odl") }}\'', ":2: 'body' in [[section]]", id="prose"),
        pytest.param("[[files]]\nmatch = 'erors.log'\nyear = 2024", "'errors.log'", id="glob of a name"),
        pytest.param("[[files]]\nmatch = 'old/*/alhpa/*'\nyear = 2024", "fits no file", id="glob of a path"),
        pytest.param(
            "[[format]]\nname = 'own'\nmatch = '*.txt'\nbegins = 'x'", ":3: 'match' in [[format]]", id="format"
        ),
        pytest.param("[node.x]\nfolders = ['alhpa']", ":2: 'folders' in [node.x]: 'alhpa' fits no folder", id="folder"),
    ],
)
def test_a_name_that_the_folder_does_not_have_is_refused(folder: Path, text: str, words: str) -> None:
    (message,) = refused(folder, text)
    assert words in message


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[[run]]\nconfiguration = 'old'\nrun = 1", id="run by number"),
        pytest.param("[[run]]\nconfiguration = 'new'\nrun = 'run01'", id="run by another spelling"),
        pytest.param(
            "[study]\nreference = 'mine'\n[[files]]\nmatch = 'old/**'\nconfiguration = 'mine'", id="by [[files]]"
        ),
        pytest.param(
            "[[files]]\nmatch = '*/run01/**'\nrun = 9\n[[run]]\nconfiguration = 'old'\nrun = 9", id="given run"
        ),
        pytest.param("[node.x]\nfolders = ['alpha']", id="folder in any place"),
    ],
)
def test_a_name_that_the_folder_may_have_is_taken(folder: Path, text: str) -> None:
    assert refused(folder, text) == []


def test_names_that_a_table_of_measurements_may_hold_are_held_against_the_store(tmp_path: Path) -> None:
    (tmp_path / "tps.csv").write_text(TPS)
    assert refused(tmp_path, "[study]\nreference = 'slwo'") == []
    (tmp_path / "study.toml").write_text(
        "[study]\nreference = 'slwo'\n[[claim]]\nmeasurement = 'tsp'\nconfiguration = 'fast'\nop = '>'\nvalue = 1\n"
    )
    with pytest.raises(UsageError) as caught:
        ingest(tmp_path, tmp_path / "own.duckdb")
    assert [line.removeprefix(f"{tmp_path}/") for line in str(caught.value).splitlines()] == [
        "study.toml:2: 'reference' in [study]: no configuration 'slwo' in the study; the nearest known is 'slow'",
        (
            "study.toml:4: 'measurement' in [[claim]] number 1: no measurement 'tsp' in the study; "
            "the nearest known is 'tps'"
        ),
    ]
    assert {each.name for each in tmp_path.iterdir()} == {"study.toml", "tps.csv"}


STATEMENTS = """
[[table]]
name = "a"
sql = "select nothing from run"
[[table]]
name = "b"
sql = "select configuration, run from run"
spanners = { "Of" = ["configuration", "rnu"] }
options = { decimals = { "runn" = 2 } }
[[figure]]
name = "c"
kind = "measurements"
sql = "select configuration, 1 as value from run"
[[claim]]
sql = "select 1 as value"
[[claim]]
sql = "select 'a' as value"
op = "<"
value = 1
[[claim]]
sql = '''
select true
from run
where rnu = 1'''
[[claim]]
sql = "select * from read_csv('/etc/passwd')"
[[claim]]
sql = "drop table run"
[[claim]]
sql = "select bool_and(mean_s > 0) from milestone_stats"
[[claim]]
sql = "select avg(mean_s) as value, 1 as low, 2.5 as high from milestone_stats"
op = "<"
value = 1
"""


def test_statements_are_bound_before_a_log_is_read(folder: Path) -> None:
    found = refused(folder, STATEMENTS, has_bound=False)
    said = {int(line.split(":")[1]): line.partition(": ")[2] for line in found}
    expected = {
        4: 'cannot be run: Binder Error: Referenced column "nothing" not found',
        8: "no column 'rnu'; the nearest known is 'run'",
        9: "no column 'runn'; the nearest known is 'run'",
        13: "expected columns configuration, run, value; it lacks run",
        15: "gives no truth value but value",
        17: "column 'value' holds no numbers but VARCHAR",
        21: 'Referenced column "rnu" not found',
        26: "cannot be run: haledger sql reads the store and nothing else",
        28: "a DROP is refused",
    }
    assert [line for line, words in expected.items() if words not in said.get(line, "")] == [], found
    assert len(found) == len(expected)


@pytest.mark.parametrize(
    ("recorded", "found", "is_same"),
    [("3", "run03", True), ("run03", "Test 3", True), ("3", "run30", False), ("a", "a", True), ("3", "3rd", True)],
)
def test_runs_are_compared_by_text_or_number(recorded: str, found: str, *, is_same: bool) -> None:
    assert is_same_run(recorded, found) is is_same


@pytest.mark.parametrize("place", ["Study.toml", "old/study.toml"])
def test_a_study_toml_that_does_not_count_is_mentioned(folder: Path, place: str) -> None:
    (folder / place).write_text("[study]\ntitle = 'x'\n")
    db = folder.parent / f"{folder.name}.duckdb"
    first, again = ingest(folder, db), ingest(folder, db)
    assert again.is_unchanged
    assert [each.startswith(f"{place} is not read, because") for each in first.remarks] == [True]
    assert again.remarks == first.remarks
    with opened(db) as con:
        doubts = con.execute("select text from finding where kind = 'misplaced_manifest'").fetchall()
    assert doubts == [(f"{first.remarks[0]}.",)]


@pytest.mark.parametrize(("others", "expected"), [((), [("a", "run1", "it was")]), (("b",), [])])
def test_a_run_is_of_the_only_configuration(
    others: tuple[str, ...], expected: list[tuple[str, str, str]], tmp_path: Path
) -> None:
    for number, name in enumerate(("a", *others)):
        log = tmp_path / "study" / name / "run1" / "engine_A.log"
        log.parent.mkdir(parents=True)
        log.write_text(f"2003/07/28 10:27:0{number} VCS NOTICE V-16-1-10300 Node joined\n", encoding="utf-8")
    (tmp_path / "study" / "study.toml").write_text('[[run]]\nrun = 1\nexclude = "it was"\n', encoding="utf-8")
    ingest(tmp_path / "study", tmp_path / "a.duckdb")
    with opened(tmp_path / "a.duckdb") as con:
        asked = "select configuration, run, excluded_reason from run where contains(flags, 'excluded')"
        assert con.execute(asked).fetchall() == expected
        warned = con.execute("select count(*) from finding where kind = 'unknown_name'").fetchall()
    assert warned == [(len(others),)]
