"""A store is a plain DuckDB file: other programs read it, older ones too."""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import polars as pl
import pytest
import yaml

from docs import worked_pages
from pipeline.discovery.entry_names import STORE_NAME
from tests.support.command import haledger, ran
from tests.support.sample import sample_store

ROOT = Path(__file__).parents[3]
CLIENTS = ("1.4.2", "1.4.5", "1.5.6", "2.0.0")
"""Clients that read every relation: of each line the oldest that does and the newest. Decision 25."""

COMMAND_LINES = ("1.4.4", "1.5.6")
"""DuckDB's command line, as packages of Python bring it."""

JDBC = ("1.4.2.0", "1.5.6.0")
"""The driver that DBeaver, Metabase and other programs in Java embed."""

TIME_SERIES = 0
"""Grafana's word for rows with a time, a name and a value; 1 is a table."""

RELATIONS = """
select schema_name || '.' || view_name from duckdb_views() where not internal
union all select schema_name || '.' || table_name from duckdb_tables() order by 1
"""

READ_IN_JAVA = """
import java.sql.*;
public class Read {
  public static void main(String[] given) throws Exception {
    java.util.Properties settings = new java.util.Properties();
    settings.setProperty("duckdb.read_only", "true");
    int read = 0;
    try (Connection store = DriverManager.getConnection("jdbc:duckdb:" + given[0], settings)) {
      for (int each = 1; each < given.length; each++) {
        String query = "select * from " + given[each];
        try (Statement statement = store.createStatement(); ResultSet rows = statement.executeQuery(query)) {
          int columns = rows.getMetaData().getColumnCount();
          while (rows.next()) for (int column = 1; column <= columns; column++) rows.getString(column);
          read++;
        } catch (SQLException error) { System.err.println(given[each] + ": " + error.getMessage()); }
      }
    }
    System.out.println(read);
  }
}
"""

READ_EVERYTHING = """
import sys
import duckdb
store = duckdb.connect(sys.argv[1], read_only=True)
store.execute("set enable_progress_bar = false")  # else it is drawn where a query takes two seconds
names = store.execute(
    "select schema_name, view_name from duckdb_views() where not internal "
    "union all select schema_name, table_name from duckdb_tables()"
).fetchall()
for schema, name in names:
    store.execute(f'select * from {schema}."{name}"').fetchall()
comments = store.execute("select count(*) from duckdb_columns() where not internal and comment is null")
assert comments.fetchone() == (0,)
print(duckdb.__version__, len(names), store.execute("select max(runs) from milestone_stats").fetchone()[0])
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sample_store("failover-modern", tmp_path_factory)


@pytest.fixture(scope="module")
def relations(store: Path) -> list[str]:
    with duckdb.connect(str(store), read_only=True) as con:
        return [f'"{name}"'.replace(".", '"."') for (name,) in con.execute(RELATIONS).fetchall()]


def install(package: str, folder: Path, *options: str) -> None:
    """Put a package into a folder; skips where it cannot be had."""
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--retries", "0", "--timeout", "10"]
    command = [*pip, "install", "--only-binary", ":all:", "--target", str(folder), *options, package]
    if subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip(f"{package} cannot be installed here")


@pytest.mark.parametrize("client", CLIENTS)
def test_an_older_duckdb_reads_every_relation(store: Path, tmp_path: Path, client: str) -> None:
    install(f"duckdb=={client}", tmp_path, "--no-deps")
    outcome = ran(sys.executable, "-c", READ_EVERYTHING, str(store), env={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert outcome.returncode == 0, outcome.stderr
    version, relations, runs = outcome.stdout.split()
    assert version == client
    assert int(relations) > 100
    assert int(runs) == 6


@pytest.mark.parametrize("client", COMMAND_LINES)
def test_the_command_line_of_duckdb_reads_every_relation(
    store: Path, relations: list[str], tmp_path: Path, client: str
) -> None:
    install(f"duckdb-cli=={client}", tmp_path, "--no-deps")
    program = max((each for each in tmp_path.rglob("duckdb") if each.is_file()), key=lambda each: each.stat().st_size)
    program.chmod(0o755)
    statements = "".join(f"select count(*), '{name}' from (select * from {name});\n" for name in relations)
    outcome = ran(program, "-readonly", "-csv", "-noheader", str(store), input=statements)
    assert (outcome.returncode, outcome.stderr) == (0, "")
    assert len(outcome.stdout.splitlines()) == len(relations) > 100


@pytest.mark.slow
@pytest.mark.parametrize("client", JDBC)
def test_the_driver_for_java_reads_every_relation(
    store: Path, relations: list[str], tmp_path: Path, client: str
) -> None:
    java, maven = shutil.which("java"), shutil.which("mvn")
    if java is None or maven is None:
        pytest.skip("Java and Maven are not installed here")
    copy = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"
    fetched = subprocess.run(
        [maven, "-B", "-q", copy, f"-Dartifact=org.duckdb:duckdb_jdbc:{client}", f"-DoutputDirectory={tmp_path}"],
        capture_output=True,
        check=False,
    )
    if fetched.returncode != 0:
        pytest.skip(f"duckdb_jdbc {client} cannot be fetched here")
    (tmp_path / "Read.java").write_text(READ_IN_JAVA, encoding="utf-8")
    outcome = ran(java, "-cp", str(next(tmp_path.glob("*.jar"))), str(tmp_path / "Read.java"), str(store), *relations)
    assert (outcome.stderr, outcome.stdout) == ("", f"{len(relations)}\n")


def test_parquet_files_hold_the_rows_and_comments_of_the_store(store: Path, tmp_path: Path) -> None:
    assert haledger("export", "--db", store, "-o", "out", cwd=tmp_path).returncode == 0
    with duckdb.connect(str(store), read_only=True) as con:
        names = con.execute(
            "select view_name, comment from duckdb_views() where schema_name = 'main' and not internal "
            "union all select table_name, comment from duckdb_tables() where schema_name = 'main'"
        ).fetchall()
        assert {each.stem for each in (tmp_path / "out").glob("*.parquet")} == {name for name, _ in names}
        for name, comment in names:
            file = tmp_path / "out" / f"{name}.parquet"
            rows = con.execute(f'select count(*) from main."{name}"').fetchone()
            frame = pl.read_parquet(file)
            assert rows == (frame.height,), name
            held = pl.read_parquet_metadata(file)
            assert held["comment"] == comment, name
            assert list(json.loads(held["columns"])) == frame.columns, name
            assert all(json.loads(held["columns"]).values()), name
        exact = con.execute("select sum(elapsed_s) from milestone").fetchone()
    found = pl.read_parquet(tmp_path / "out" / "milestone.parquet").get_column("elapsed_s").sum()
    assert exact is not None
    assert found == pytest.approx(exact[0], rel=1e-12)
    meanings = list(csv.DictReader((tmp_path / "out" / "columns.csv").read_text(encoding="utf-8").splitlines()))
    assert {each["relation"] for each in meanings} == {name for name, _ in names}


def test_spans_are_the_failovers_of_the_store(store: Path, tmp_path: Path) -> None:
    """As the OpenTelemetry protocol has it in JSON: ids in hex, nanoseconds as text, children within their trace."""
    assert haledger("export", "--db", store, "--format", "otlp", "-o", ".", cwd=tmp_path).returncode == 0
    document = json.loads((tmp_path / "failovers.otlp.json").read_text())
    ((scope,),) = [each["scopeSpans"] for each in document["resourceSpans"]]
    spans = scope["spans"]
    roots = {each["traceId"]: each for each in spans if "parentSpanId" not in each}
    assert len(roots) == 12
    assert all(re.fullmatch("[0-9a-f]{32}", each["traceId"]) for each in spans)
    assert all(re.fullmatch("[0-9a-f]{16}", each["spanId"]) for each in spans)
    assert len({(each["traceId"], each["spanId"]) for each in spans}) == len(spans)
    with duckdb.connect(str(store), read_only=True) as con:
        phases = con.execute("select count(*) from phase where start_s is not null and end_s >= start_s").fetchone()
        rows = con.execute(
            "select run.configuration, run.run, epoch_ns(fault_at), max(elapsed_s), count(*) "
            "from run join milestone using (configuration, run) group by all"
        ).fetchall()
    assert phases == (len(spans) - 12,)
    by_name = {each["name"]: each for each in roots.values()}
    for configuration, run, fault_ns, last_s, milestones in rows:
        root = by_name[f"failover {configuration} {run}"]
        assert int(root["startTimeUnixNano"]) == fault_ns
        assert len(root["events"]) == milestones
        assert int(root["endTimeUnixNano"]) >= fault_ns + last_s * 1e9 - 1000
    for each in spans:
        root = roots[each["traceId"]]
        assert each.get("parentSpanId", root["spanId"]) == root["spanId"]
        assert int(each["startTimeUnixNano"]) <= int(each["endTimeUnixNano"]) <= int(root["endTimeUnixNano"])


@pytest.mark.slow
def test_the_notebook_runs(store: Path, tmp_path: Path) -> None:
    for package in ("nbconvert", "ipykernel", "pandas"):
        install(package, tmp_path)
    notebook = shutil.copy(ROOT / "docs" / "failovers.ipynb", tmp_path)
    paths = {"PYTHONPATH": str(tmp_path), "JUPYTER_PATH": str(tmp_path / "share" / "jupyter")}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    (tmp_path / STORE_NAME).symlink_to(store)
    command = [sys.executable, *["-m", "nbconvert", "--execute", "--to", "markdown", "--stdout"], notebook]
    environment = {**os.environ, **paths, "PATH": path, "PYTHONWARNINGS": "ignore"}
    outcome = ran(*command, cwd=tmp_path, env=environment)
    assert outcome.returncode == 0, outcome.stderr
    assert re.search(r"<td>tuned</td>\s*<td>complete</td>\s*<td>6</td>", outcome.stdout), outcome.stdout


def test_grafana_gets_what_its_panels_ask_for(store: Path) -> None:
    folder = ROOT / "docs" / "grafana"
    (source,) = yaml.safe_load((folder / "datasource.yml").read_text())["datasources"]
    found = {}
    with duckdb.connect(store, read_only=True) as con:
        for panel in json.loads((folder / "failovers.json").read_text())["panels"]:
            (target,) = panel["targets"]
            asked = re.sub(r"\$__timeFilter\(([\w.]+)\)", r"\1 > timestamp '2000-01-01'", target["rawSql"])
            rows = con.sql(asked)
            found[panel["title"]] = (target["format"], rows.columns, len(rows.fetchall()))
            assert panel["datasource"] == target["datasource"] == {key: source[key] for key in ("type", "uid")}
            assert "$" not in asked
    assert found["Time to recovery, each run"] == (TIME_SERIES, ["time", "metric", "value"], 12)
    assert all(count for _, _, count in found.values())
    assert source["jsonData"]["readOnly"] is True


@pytest.mark.parametrize(
    ("language", "command", "said"),
    [
        pytest.param("python", (sys.executable, "-c"), r"tuned", id="python"),
        pytest.param("r", ("Rscript", "-e"), r"tuned +24\.12657", id="r"),
    ],
)
def test_the_lines_of_the_page_run_as_they_are(
    store: Path, tmp_path: Path, language: str, command: tuple[str, str], said: str
) -> None:
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed here")
    page = (ROOT / "docs" / "notebooks.md").read_text(encoding="utf-8")
    (block,) = re.findall(rf"^```{language}\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    (tmp_path / STORE_NAME).symlink_to(store)
    outcome = ran(*command, block, cwd=tmp_path, env=worked_pages.environment(tmp_path))
    assert outcome.returncode == 0, outcome.stderr
    assert re.search(said, outcome.stdout), outcome.stdout


def test_haledger_and_another_program_read_at_once(store: Path) -> None:
    other = subprocess.Popen(
        [sys.executable, "-c", HOLD_OPEN, str(store)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert other.stdout is not None
    assert other.stdout.readline() == "open\n"
    command = [
        sys.executable,
        *["-m", "haledger", "sql", "-f", "csv", "--db"],
        str(store),
        "select count(*) as n from run",
    ]
    outcome = ran(*command, cwd=ROOT)
    other.communicate("\n", timeout=120)
    assert (outcome.returncode, outcome.stdout) == (0, "n\n12\n")


HOLD_OPEN = """
import sys
import duckdb
store = duckdb.connect(sys.argv[1], read_only=True)
print("open", flush=True)
sys.stdin.readline()
"""
