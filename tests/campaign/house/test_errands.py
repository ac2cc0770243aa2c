"""The errands of a maintainer, each done in a temporary copy: how many files it takes."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from pipeline.ingest import writing
from pipeline.store import store
from pipeline.study import rules
from reports.study.store import Store
from reports.study.view import StudyView
from tests.support import study_store
from tests.support.hand_made import SURVIVOR, Ledger, add_default_run

ROOT = Path(__file__).parents[3]

MILESTONE = """
[[milestone]]
name = "warm"
place = 200
label = "Warm"
group = "DB2 UDB recovery"
phrase = "the cache is warm"
ends_recovery = 1

[[milestone.evidence]]
source = "syslog"
text = "^cache is warm"
pick = "first"
after = "complete"
before = "end"
"""


def _write_rules(con: duckdb.DuckDBPyConnection, _: object) -> None:
    """As in the blank store of a version that has the rule."""
    con.execute("delete from study.milestone_rule")
    store.insert(con, "study.milestone_rule", rules.table(()))


def test_a_milestone_that_ends_a_recovery_is_one_declaration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two files: the rule, and the test that shows it."""
    folder = shutil.copytree(rules.RULES_FOLDER, tmp_path / "rules")
    monkeypatch.setattr(rules, "RULES_FOLDER", folder)
    monkeypatch.setattr(rules, "_documents", rules._documents.__wrapped__)
    with (folder / "vcs_db2.toml").open("a", encoding="utf-8") as file:
        file.write(MILESTONE)
    monkeypatch.setattr(writing, "write_milestones", _write_rules)

    ledger = Ledger()
    for run in ("run1", "run2"):
        ids = add_default_run(ledger, "net", run)
        ledger.add("syslog_event", ids["messages"], 130, host=SURVIVOR, text="cache is warm")
    study = StudyView(Store(ledger.build()))

    assert study.milestone_clause("warm") == "the cache is warm"
    assert study.milestone_phrase("warm") == "cache warm"
    assert study.end_milestone("net") == "warm"
    assert study.milestone_stats["net", "warm"]["runs"] == 2


GREET = '''\
"""haledger greet: a command that a contributor adds."""

import typer

from haledger.command import Command


def greet(name: str) -> None:
    """Greet somebody."""
    typer.echo(f"Hello {name}")


COMMAND = Command(greet, place=25, examples=("haledger greet Ann",))
'''


def test_a_command_is_one_file(tmp_path: Path) -> None:
    """With its test, the generated page and the changelog it makes four."""
    shutil.copytree(ROOT / "haledger", tmp_path / "haledger", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("parsers", "pipeline", "reports", "docs"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "haledger" / "commands" / "greet.py").write_text(GREET, encoding="utf-8")

    def run(*command: str) -> str:
        process = [sys.executable, *command]
        return subprocess.run(process, cwd=tmp_path, check=True, capture_output=True, text=True).stdout

    listed = [
        line.split()[0]
        for line in run("-m", "haledger", "--help").partition("Commands:\n")[2].split("\n\n")[0].splitlines()
    ]
    assert listed.index("greet") == listed.index("ingest") + 1
    assert run("-m", "haledger", "greet", "Ann") == "Hello Ann\n"
    assert "## haledger greet\n" in run("-c", "from docs.cli_page import markdown; print(markdown())")


BUILDER = '''\
"""The table of the slowest runs."""

from reports.study.view import StudyView
from reports.tables.catalogue import table
from reports.tables.fields import configuration, fixed, from_rows


@table(section="results", topic="failover", after="recovery")
def slowest_runs(study: StudyView) -> list:
    """The slowest run of each configuration."""
    columns = (configuration(study), fixed("Slowest", "slowest_s", 1, unit="s"))
    return from_rows(study.rows("slowest_runs"), "The slowest runs", columns, source="Source: relation milestone.")
'''
STATEMENT = "select configuration, max(elapsed_s) as slowest_s from milestone group by configuration order by all"
PLACES = """
import json, sys
from reports.document.document import compose
from reports.figures.catalogue import all_figures
from reports.study.view import opened_study
from reports.tables.catalogue import all_tables
from pathlib import Path
with opened_study(Path(sys.argv[1])) as study:
    tables = [each.item for each in compose(study, all_tables(study), all_figures(study)).listed_tables]
print(json.dumps([[each.name, each.section, each.topic, each.sql] for each in tables]))
"""


def test_table_of_the_report_is_a_module_and_its_statement(tmp_path: Path) -> None:
    """Three files with its test; it moves no other table."""
    store = study_store.write(tmp_path / "store.duckdb", study_store.paper())
    copy = shutil.copytree(ROOT / "reports", tmp_path / "reports", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("parsers", "pipeline"):
        (tmp_path / name).symlink_to(ROOT / name)

    def placed() -> list[list[str]]:
        command = [sys.executable, "-c", PLACES, str(store)]
        listed = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True).stdout
        return list(json.loads(listed))

    before = placed()
    (copy / "tables" / "failover" / "slowest_runs.py").write_text(BUILDER, encoding="utf-8")
    (copy / "tables" / "failover" / "slowest_runs.sql").write_text(STATEMENT, encoding="utf-8")
    after = placed()

    new = ["slowest-runs", "results", "failover", STATEMENT]
    assert [each for each in after if each != new] == before
    names = [name for name, *_ in after]
    assert names.index("slowest-runs") == names.index("changes") - 1


KEEPD = '''\
"""Settings of keepd, a daemon that a contributor runs."""

import re
from collections.abc import Iterator

import polars as pl

from parsers.by_line import LineVerdict, parsed, rejected, settings_format
from parsers.format import Recognition, Refusal

SETTING = r"^keepd\\.(?P<name>[a-z]+) = (?P<value>\\S+)$"


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Look for a setting."""
    return Recognition(0.95, "a setting of keepd", 1) if head.str.contains(SETTING).any() else Refusal("none", 1)


def read(texts: list[str]) -> Iterator[LineVerdict]:
    """Turn each setting into a parameter."""
    for text in texts:
        found = re.match(SETTING, text)
        yield parsed({"scope": "keepd", **found.groupdict()}) if found else rejected("no setting of keepd")


FORMAT = settings_format("keepd", "keepd settings", recognise=recognise, read=read, needs="keepd")
'''

FANS = '''\
"""Speeds of fans, as a contributor's sensors print them."""

import polars as pl

from parsers.format import STAMP_SCHEMA, Column, Format, Parsed, Recognition, Refusal, Table
from parsers.line_verdict import verdicts

FAN_SPEED = Table(
    name="fan_speed",
    grain="One row per reading of a fan.",
    columns=(
        Column("host", pl.String(), "host that was read", host="own"),
        Column("speed_rpm", pl.Int32(), "turns a minute"),
    ),
    subject="Cooling",
)
READING = r"^(\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d) (\\w+) fan (\\d{1,5}) rpm$"


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Look for a reading."""
    return Recognition(0.95, "a reading of a fan", 1) if head.str.contains(READING).any() else Refusal("none", 1)


def parse(lines: pl.DataFrame) -> Parsed:
    """Turn each reading into a row."""
    text = pl.col("text").str
    rows = lines.filter(text.contains(READING)).select(
        "file_id",
        "line_no",
        part=pl.lit(1, pl.Int16),
        stamp=text.extract(READING, 1).str.to_datetime("%Y-%m-%d %H:%M:%S", time_unit="us"),
        has_year=pl.lit(value=True),
        utc_offset_min=pl.lit(None, STAMP_SCHEMA["utc_offset_min"]),
        host=text.extract(READING, 2),
        speed_rpm=text.extract(READING, 3).cast(pl.Int32),
    )
    return Parsed({FAN_SPEED.name: rows}, verdicts(lines, text.contains(READING), "no reading of a fan"))


FORMAT = Format("fans", "readings of fans", (FAN_SPEED,), recognise, parse, None, role="measurement")
'''

CONTRIBUTED = {"keepd": KEEPD, "fans": FANS}
LOGS = {"keepd.txt": "keepd.grace = 30\nwhat is this?\n", "fans.txt": "2003-07-28 10:27:04 oak fan 900 rpm\n"}
QUERIES = (
    "select format, status, parsed_lines, rejected_lines from source_file order by format",
    "select configuration, run, scope, name, value from parameter",
    'select configuration, run, node, "at"::varchar, speed_rpm, line_no from fan_speed',
)
TRY_FORMATS = """
import sys
from pathlib import Path

import duckdb

from docs import formats_page, relations_page
from pipeline.ingest.ingest import ingest
from pipeline.store.description import described

ingest(Path("study"), Path("tried.duckdb"))
connection = duckdb.connect("tried.duckdb", read_only=True)
for query in sys.argv[1:]:
    print(connection.execute(query).fetchall())
print(formats_page.markdown())
print(relations_page.page(described(connection)))
"""


@pytest.fixture(scope="module")
def contributed(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What a copy of haledger with two more parsers says of a study with a log of each: answers, then pages."""
    copy = tmp_path_factory.mktemp("copy")
    shutil.copytree(ROOT / "parsers", copy / "parsers", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pipeline", "reports", "haledger", "docs"):
        (copy / name).symlink_to(ROOT / name)
    for name, source in CONTRIBUTED.items():
        (copy / "parsers" / "configuration" / f"{name}.py").write_text(source, encoding="utf-8")
    folder = copy / "study" / "base" / "run01"
    folder.mkdir(parents=True)
    for name, text in LOGS.items():
        (folder / name).write_text(text, encoding="utf-8")
    process = subprocess.run(
        [sys.executable, "-c", TRY_FORMATS, *QUERIES],
        cwd=copy,
        env=os.environ | {"XDG_CACHE_HOME": str(copy / "cache")},
        check=True,
        capture_output=True,
        text=True,
    )
    return process.stdout.splitlines()


def test_a_format_that_fills_an_existing_table_is_one_file(contributed: list[str]) -> None:
    """Three with its test and the changelog: it is recognised, its lines are counted, it is listed."""
    files, parameters, _, *pages = contributed
    assert "('keepd', 'parsed', 1, 1)" in files
    assert parameters == "[('base', 'run01', 'keepd', 'grace', '30')]"
    assert any(line.startswith("| `keepd` | keepd settings |") for line in pages)


def test_a_format_with_a_table_of_its_own_is_one_file(contributed: list[str]) -> None:
    """Three with its test and the changelog: relation, documentation and list follow."""
    files, _, speeds, *pages = contributed
    assert "('fans', 'parsed', 1, 0)" in files
    assert speeds == "[('base', 'run01', 'oak', '2003-07-28 10:27:04', 900, 1)]"
    assert any(line.startswith("| `fans` | readings of fans |") for line in pages)
    assert {"## Cooling", "### fan_speed", "| `speed_rpm` | integer | turns a minute |"} <= set(pages)
