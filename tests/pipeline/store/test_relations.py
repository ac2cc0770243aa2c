import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

from parsers.format import tables
from pipeline.ask.trace.follow import LEAVES
from pipeline.store import relations
from pipeline.store.relations import RelationError, create, in_order, parse_relation
from tests.support.hand_made import Ledger, without_rows

WRITTEN = {file.stem for file in relations.SQL_FOLDER.rglob("*.sql")}
"""Relations whose headers a person writes."""

SOURCE = """\
-- One row per thing.
-- It's said twice.
-- materialised: costly
-- rows by: configuration
-- empty without rows of: other_thing, log.third
-- empty without rows of: log.fourth where x = 1 and y
-- columns:
--   thing: the thing
--   at: when,
--     UTC
select 1 as thing, timestamp '2003-07-28' as "at" from other_thing
"""


def test_header_gives_comment_columns_and_reason() -> None:
    relation = parse_relation("stuff", SOURCE)
    assert relation.comment == "One row per thing. It's said twice."
    assert relation.columns == {"thing": "the thing", "at": "when, UTC"}
    assert (relation.kind, relation.materialised, relation.rows_by) == ("table", "costly", "configuration")
    assert relation.empty_without == (
        frozenset({"other_thing", "log.third"}),
        frozenset({"log.fourth where x = 1 and y"}),
    )
    assert relation.reads == {"other_thing"}


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("select 1 as x", id="no header"),
        pytest.param("-- One row.\n", id="no select"),
        pytest.param("-- One row.\n-- columns:\n-- x: badly indented\nselect 1 as x", id="column not indented"),
    ],
)
def test_file_without_its_parts_is_refused(source: str) -> None:
    with pytest.raises(RelationError, match=r"stuff\.sql"):
        parse_relation("stuff", source)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        pytest.param("--   x: known\n", "meaning of its own or one to inherit: y", id="undocumented column"),
        pytest.param(
            "--   x: a\n--   y: b\n--   z: c\n", "do not exist: z", id="documented column that does not exist"
        ),
    ],
)
def test_documentation_names_exactly_the_columns(columns: str, message: str) -> None:
    relation = parse_relation("stuff", f"-- One row.\n-- columns:\n{columns}select 1 as x, 2 as y")
    with pytest.raises(RelationError, match=message):
        create(duckdb.connect(), [relation])


def test_meaning_is_the_headers_else_the_vocabularys_else_that_of_the_relations_read() -> None:
    first = parse_relation(
        "first", "-- One row.\n-- columns:\n--   x: length\n--   file_id: file of the end\nselect 1 as x, 2 as file_id"
    )
    second = parse_relation("second", "-- One row.\nselect x, file_id, 3 as line_no from first")
    con = duckdb.connect()
    create(con, [first, second])
    assert comments(con, "first") == {"x": "length", "file_id": "file of the end"}
    words = relations.vocabulary()
    assert comments(con, "second") == {"x": "length", "file_id": words["file_id"], "line_no": words["line_no"]}


def test_relations_read_that_disagree_leave_no_meaning() -> None:
    one, other = (parse_relation(name, f"-- One row.\n-- columns:\n--   x: {name}\nselect 1 as x") for name in "ab")
    both = parse_relation("both", "-- One row.\nselect x from a union all select x from b")
    with pytest.raises(RelationError, match=r"both\.sql: column without a meaning .*: x"):
        create(duckdb.connect(), [one, other, both])


def test_no_header_repeats_what_a_column_means_without_it() -> None:
    columns, known, repeated = relations.columns_of(Ledger().build()), dict[str, dict[str, str]](), []
    for relation in relations.catalogue():
        own = known[relation.name] = relations.meanings_of(relation, columns[relation.name], known)
        for name in relation.columns if relation.name in WRITTEN else ():
            rest = {each: words for each, words in relation.columns.items() if each != name}
            with suppress(RelationError):
                if relations.meanings_of(replace(relation, columns=rest), columns[relation.name], known) == own:
                    repeated.append(f"{relation.name}.{name}")
    assert repeated == []


def test_every_word_of_the_vocabulary_is_used_more_than_once() -> None:
    named = [
        name
        for (name,) in Ledger()
        .build()
        .execute("select column_name from duckdb_columns() where schema_name = 'main' and not internal")
        .fetchall()
    ]
    assert [name for name in relations.vocabulary() if named.count(name) < 2] == []


def comments(con: duckdb.DuckDBPyConnection, relation: str) -> dict[str, str]:
    """The comments of a relation's columns."""
    found = con.execute("select column_name, comment from duckdb_columns() where table_name = ?", [relation])
    return dict(found.fetchall())


def test_failing_statement_names_its_file() -> None:
    relation = parse_relation("stuff", "-- One row.\n-- columns:\n--   x: x\nselect x from nowhere")
    with pytest.raises(RelationError, match=r"stuff\.sql"):
        create(duckdb.connect(), [relation])


def test_relation_comes_after_those_it_reads_with_any_names_of_ctes() -> None:
    late = parse_relation("a_late", "-- One row.\nwith a_late as (select * from main.z_early) select * from a_late")
    early = parse_relation("z_early", "-- One row. from a_late\nselect 'from a_late' from log.a_late")
    assert [each.name for each in in_order([late, early])] == ["z_early", "a_late"]


def test_circle_is_refused() -> None:
    one = parse_relation("one", "-- One row.\nselect * from two")
    two = parse_relation("two", "-- One row.\nselect * from one")
    with pytest.raises(RelationError, match=r"(one -> two|two -> one)"):
        in_order([one, two])


def test_materialised_relations_are_filled_in_order_and_only_those_asked_for() -> None:
    con = without_rows()
    kinds = dict(con.execute("select table_name, table_type from information_schema.tables").fetchall())
    for relation in relations.catalogue():
        assert kinds[relation.name] == ("VIEW" if relation.materialised is None else "BASE TABLE")
    counts = "select (select count(*) from configuration_order), (select count(*) from run_range)"
    con.execute(
        "insert into main.source_file (file_id, path, format, status, configuration) "
        "values (1, 'a', 'syslog', 'parsed', 'a')"
    )
    relations.fill(con, ["run_range"])
    assert con.execute(counts).fetchall() == [(0, 0)]
    relations.fill(con, ["configuration_order"])
    assert con.execute(counts).fetchall() == [(1, 0)]


def test_what_is_constant_is_in_every_store_from_the_start() -> None:
    con = without_rows()
    constant = [each.name for each in relations.catalogue() if each.is_constant]
    before = {name: con.execute(f"select count(*) from {name}").fetchall() for name in constant}
    relations.fill(con)
    assert (
        before
        == {"t_quantile": [(600,)]}
        == {name: con.execute(f"select count(*) from {name}").fetchall() for name in constant}
    )


def test_nothing_is_computed_without_the_rows_that_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    def table(name: str, rule: str, sql: str) -> relations.Relation:
        return parse_relation(name, f"-- One row.\n-- materialised: small\n{rule}-- columns:\n--   x: x\n{sql}")

    con = duckdb.connect()
    con.execute("create schema log; create table log.source as select 1 as x; create table log.empty (x integer)")
    statements = (
        table("always", "", "select x from log.source"),
        table("filled", "-- empty without rows of: log.empty, log.source\n", "select x from always"),
        table("spared", "-- empty without rows of: log.empty\n", "select x from log.source"),
        table("next_one", "-- empty without rows of: spared\n", "select x from log.source"),
        table("last_one", "-- empty without rows of: next_one, filled\n", "select x from filled"),
        table("both", "-- empty without rows of: filled\n-- empty without rows of: spared\n", "select x from filled"),
        table("some", "-- empty without rows of: spared, filled where x = 1\n", "select x from filled"),
        table("others", "-- empty without rows of: filled where x = 2\n", "select x from filled"),
    )
    monkeypatch.setattr(relations, "catalogue", lambda: statements)
    relations.create(con)
    relations.fill(con)
    counts = {each.name: con.table(each.name).shape[0] for each in statements}
    assert counts == {
        "always": 1,
        "filled": 1,
        "spared": 0,
        "next_one": 0,
        "last_one": 1,
        "both": 0,
        "some": 1,
        "others": 0,
    }


def test_every_relation_and_column_carries_a_comment() -> None:
    con = Ledger().build()
    names = {relation.name for relation in relations.catalogue()}
    bare = con.execute(
        "select table_name, column_name from duckdb_columns() "
        "where schema_name = 'main' and not internal and coalesce(comment, '') = ''"
    ).fetchall()
    assert [each for each in bare if each[0] in names] == []
    commented = con.execute(
        "select view_name from duckdb_views() where schema_name = 'main' and comment is not null "
        "union select table_name from duckdb_tables() where schema_name = 'main' and comment is not null"
    ).fetchall()
    assert names <= {name for (name,) in commented}


def test_every_relation_leads_to_runs_or_lines() -> None:
    declared = {  # constants, words and settings, whose rows no line gives
        *(
            "t_quantile",
            "log_format",
            "milestone_order",
            "recovery_step",
            "resource_type",
            "design",
            "declared_system",
            "node_line",
            "node_setting",
        ),
        *("configuration_order", "comparison_pair", "configuration_factor", "data_origin"),
    }
    columns = relations.columns_of(Ledger().build())
    known = {each.name: each for each in relations.catalogue()}
    silent = {name for name, each in known.items() if not each.links and set(LEAVES).isdisjoint(columns[name])}
    assert silent == declared
    for name, each in known.items():
        for link in each.links:
            assert {own for own, _ in link.keys} | link.only | link.others <= {*columns[name]}, name
            assert {theirs for _, theirs in link.keys} | {*link.values.values()} <= {*columns[link.relation]}, name


def test_empty_store_gives_empty_relations() -> None:
    con = Ledger().build()
    filled = {"t_quantile", "milestone_order", "log_format"}
    for relation in relations.catalogue():
        row = con.execute(f"select count(*) from main.{relation.name}").fetchone()
        assert row is not None
        assert (row[0] > 0) == (relation.name in filled), relation.name


def test_no_statement_uses_syntax_newer_than_the_store_format() -> None:
    # Of `if(a, b, c)`, `lambda x:` and the arrow, each is refused by some client that reads the store.
    for relation in relations.catalogue():
        assert not re.search(r"\blambda\b|->|\bif\(", relation.sql), relation.name
    for macro in (relations.SQL_FOLDER / "macros").glob("*.sql"):
        assert not re.search(r"\blambda\b|->|\bif\(", macro.read_text(encoding="utf-8")), macro.name


def test_kept_sums_of_floating_numbers_are_taken_in_order() -> None:
    """A sum in the order in which threads come to it has another last digit each time, and so has the report."""
    adds_up = re.compile(r"\b(?:fsum|favg|avg|stddev_samp|var_samp|regr_\w+|corr)\(")
    kept = [each for each in relations.catalogue() if each.materialised]
    assert kept
    for relation in kept:
        for found in adds_up.finditer(relation.sql):
            assert " order by " in inside(relation.sql, found.end()), (relation.name, found[0])


def inside(sql: str, start: int) -> str:
    """What is between a bracket that opened before `start` and the one that closes it."""
    depth = 1
    for place in range(start, len(sql)):
        depth += {"(": 1, ")": -1}.get(sql[place], 0)
        if not depth:
            return sql[start:place]
    raise AssertionError(sql)


def test_columns_of_a_table_of_a_parser_keep_the_meaning_of_its_declaration() -> None:
    con = Ledger().build()
    create(con, [parse_relation("stuff", "-- One row.\nselect link, device from log.llt_event as own")])
    declared = {column.name: column.comment for column in tables()["llt_event"].columns}
    comments = con.execute("select comment from duckdb_columns() where table_name = 'stuff' and column_name = 'link'")
    assert comments.fetchall() == [(declared["link"],)]


def test_every_time_column_has_a_name_that_sql_takes_bare() -> None:
    con = without_rows()
    columns: dict[str, set[str]] = {}
    for relation, name in con.execute(
        "select table_name, column_name from duckdb_columns() where schema_name = 'main'"
    ).fetchall():
        columns.setdefault(relation, set()).add(name)
    in_time = {relation for relation, names in columns.items() if "at" in names}
    assert in_time == {relation for relation, names in columns.items() if "time" in names}
    assert {"event", "milestone", "vcs_event", "measurement_series", "iostat_device"} <= in_time
    for relation in sorted(in_time):
        con.execute(f"select time from {relation} where time > timestamp '2003-07-28' order by time")


def test_the_second_name_of_a_time_is_computed_and_not_kept() -> None:
    moments = """\
-- One row per moment.
-- materialised: two relations read it
-- columns:
--   at: when
select timestamp '2003-07-28' as "at"
"""
    lines = '-- One row per line.\nselect * from moment where "at" is not null'
    kept = lines.replace("line.\n", "line.\n-- materialised: costly\n")
    con = duckdb.connect()
    relations_of = [
        parse_relation(name, source) for name, source in (("moment", moments), ("line", lines), ("kept", kept))
    ]
    create(con, relations_of)
    for relation in relations_of:
        if relation.materialised is not None:
            con.execute(f'insert into {relation.name} select "at" from ({relation.sql})')
    for name in ("moment", "line", "kept"):
        assert con.execute(f'select time = "at" from {name}').fetchall() == [(True,)]
    (made,) = con.execute("select sql from duckdb_tables() where table_name = 'kept'").fetchall()[0]
    assert "GENERATED ALWAYS" in made


def test_a_relation_that_has_not_enough_memory_gets_more_and_the_ones_before_stay(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def table(name: str, sql: str) -> relations.Relation:
        return parse_relation(name, f"-- One row.\n-- materialised: small\n-- columns:\n--   x: x\n{sql}")

    # A list of all numbers does not wait on disk: 80 MB of them
    first = table("first_one", "select 1 as x")
    second = table("second_one", "select len(list(i)) as x from first_one, range(10000000) as r(i)")
    monkeypatch.setattr(relations, "catalogue", lambda: (first, second))
    settings: dict[str, str | bool | int | float | list[str]]
    settings = {"memory_limit": "64MB", "threads": 1, "temp_directory": str(tmp_path / "spilled")}
    with duckdb.connect(str(tmp_path / "a.duckdb"), config=settings) as con:
        con.execute("begin")
        create(con, [first, second])
        relations.fill(con, more_memory=[80_000_000, 1_000_000_000])
        con.execute("commit")
        assert con.execute("select (from first_one), (from second_one)").fetchall() == [(1, 10_000_000)]


def test_a_relation_for_which_no_limit_is_enough_is_an_error(tmp_path: Path) -> None:
    greedy = parse_relation(
        "greedy", "-- One row.\n-- columns:\n--   x: x\nselect len(list(i)) as x from range(10000000) as r(i)"
    )
    with duckdb.connect(config={"memory_limit": "64MB", "threads": 1, "temp_directory": str(tmp_path)}) as con:
        con.execute("begin")
        con.execute("create table greedy (x bigint)")
        with pytest.raises(RelationError, match="Out of Memory"):
            relations._fill(con, greedy, iter([80_000_000]))


def test_no_relation_that_is_filled_adds_lines_of_all_logs_to_others() -> None:
    """Such a join keeps every line in memory, even if there is nothing to add them to: gigabytes for a large log."""
    by_name = {each.name: each for each in relations.catalogue()}

    def views_read(name: str) -> set[str]:
        views = {each for each in by_name[name].reads & by_name.keys() - {name} if by_name[each].kind == "view"}
        return views.union(*map(views_read, views))

    filled = [each.name for each in by_name.values() if each.kind == "table"]
    found = {each for name in filled for each in {name} | views_read(name)}
    assert [each for each in sorted(found) if re.search(r"\bleft join (event|event_line)\b", by_name[each].sql)] == []
