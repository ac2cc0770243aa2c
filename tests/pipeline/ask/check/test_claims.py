"""Claims: every statistic by hand, statements of the study's own, names that do not exist, hostile texts."""

from collections.abc import Iterator
from math import exp, inf, sqrt
from pathlib import Path

import duckdb
import pytest
from scipy import stats

from pipeline.ask.check.claims import evaluate_claims
from pipeline.ask.check.verdict import EvaluatedClaim, Verdict
from pipeline.errors import UsageError
from pipeline.query import sandbox
from pipeline.store import log_tables, store
from pipeline.study import manifest
from pipeline.study.manifest_entries import STATISTICS
from tests.support.hand_made import Ledger, add_default_run

PASS, FAIL, CANNOT_TELL = Verdict.PASS, Verdict.FAIL, Verdict.CANNOT_TELL
T2 = 4.302653  # 97.5 % quantile of Student's t with two degrees of freedom, from printed tables

VALUES = {
    "on": [10.0, 12.0, 14.0],  # mean 12, deviation 2
    "off": [20.0, 22.0, 24.0, 26.0, 28.0],  # mean 24, deviation sqrt(10)
    "six": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
    "pair": [7.0, 9.0],
    "once": [5.0],
    "same": [8.0, 8.0, 8.0],
    "it's; drop table study.claim; --": [1.0, 2.0, 3.0],
}


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    ledger = Ledger('[study]\nreference = "off"')
    for configuration, values in VALUES.items():
        for number, value in enumerate(values, 1):
            file_id = ledger.file(f"{configuration}/run{number}/x", "pgbench", configuration, f"run{number}", None)
            row = {"summary_no": 1, "is_valid": True, "metric": "tps", "unit": "1/s", "value": value}
            ledger.add("measurement_value", file_id, None, **row)
            if configuration in ("on", "off"):
                clients = 8 if configuration == "on" else 16
                ledger.add("measurement_value", file_id, None, **(row | {"metric": "ops", "clients": clients}))
            if configuration == "on":
                for clients in (8, 16):
                    ledger.add("measurement_value", file_id, None, **(row | {"metric": "qps", "clients": clients}))
    for number in (1, 2, 3):
        add_default_run(ledger, "crash", f"run{number}")
    with ledger.build() as store_of_all:
        yield store_of_all


def test_a_published_number_is_reproduced_where_the_interval_reaches_it(con: duckdb.DuckDBPyConnection) -> None:
    """As far as its digits tell; two runs have no interval, and their mean of 8 is none of 7.0."""
    published = 'off = 27.9, on = 6, six = "0.1", once = 5, pair = "7.0"'
    row = '[[claim]]\npaper = "3"\npublished.crash = { complete = 61 }'
    declared = f'[[claim]]\nmeasurement = "tps"\npaper = "2"\npublished = {{ {published} }}\n{row}'
    tables = manifest.parse(declared.encode()).tables()
    con.execute("delete from study.claim")
    store.insert(con, "study.claim", tables["claim"])
    found = {each.published: (each.paper, each.verdict) for each in evaluate_claims(con)}
    verdicts = {"27.9": PASS, "6": FAIL, "0.1": FAIL, "5": PASS, "7.0": CANNOT_TELL}
    assert found == {number: ("2", verdict) for number, verdict in verdicts.items()} | {"61": ("3", PASS)}


def evaluated(con: duckdb.DuckDBPyConnection, claim: str, study: str = "") -> EvaluatedClaim:
    """The one claim of a study.toml."""
    tables = manifest.parse(f"{study}\n[[claim]]\n{claim}".encode()).tables()
    con.execute("delete from study.claim")
    store.insert(con, "study.claim", tables["claim"])
    con.execute("update study.setting set margin_pct = ?", [tables["setting"].item(0, "margin_pct")])
    (found,) = evaluate_claims(con)
    return found


def tps(con: duckdb.DuckDBPyConnection, configuration: str, statistic: str, more: str = "") -> EvaluatedClaim:
    asked = f'measurement = "tps"\nconfiguration = "{configuration}"\nstatistic = "{statistic}"'
    return evaluated(con, f'{asked}\nop = "<"\nvalue = 1e9\n{more}')


SAME_HALF = T2 / sqrt(12 * 3) + 0.5
RATIO_U, RATIO_V = 4 / (3 * 12**2), 10 / (5 * 24**2)


@pytest.mark.parametrize(
    ("configuration", "statistic", "expected"),
    [
        pytest.param("on", "mean", (12, 12 - T2 * 2 / sqrt(3), 12 + T2 * 2 / sqrt(3)), id="mean +- t s / sqrt n"),
        pytest.param("on", "runs", (3, None, None), id="a count has no interval"),
        pytest.param("on", "min", (10, None, None), id="nor has the least value seen"),
        pytest.param("on", "max", (14, None, None), id="nor the greatest"),
        pytest.param("six", "median", (3.5, 1, 6), id="six runs enclose their median with 97 %"),
        pytest.param("off", "median", (24, None, None), id="five do not"),
        # chi-square quantiles of 2: 0.050636 and 7.377759
        pytest.param("on", "stddev", (2, 2 * sqrt(2 / 7.377759), 2 * sqrt(2 / 0.0506356)), id="s and chi-square"),
        # (0.0506356 + 2) / 3 - 1 = -0.316455; (7.377759 + 2) / 3 - 1 = 2.125920; v = 1/6, v^2 = 0.0277778
        pytest.param(
            "on",
            "cv_pct",
            (
                100 / 6,
                100 / 6 / sqrt(2.125920 * 0.0277778 + 7.377759 / 2),
                100 / 6 / sqrt(-0.316455 * 0.0277778 + 0.0506356 / 2),
            ),
            id="McKay's interval, as Vangel modified it",
        ),
        pytest.param("pair", "mean", (8, None, None), id="two runs give no interval"),
        pytest.param("once", "mean", (5, None, None), id="one neither"),
        pytest.param("once", "stddev", (None, None, None), id="one run has no spread"),
        # printed as whole numbers: each known to 1 / sqrt(12), and all may lie half a unit to one side
        pytest.param("same", "mean", (8, 8 - SAME_HALF, 8 + SAME_HALF), id="no spread, the width of what is printed"),
        pytest.param("same", "stddev", (0, 0, sqrt(2 / 0.0506356 / 12)), id="no spread that the decimals can show"),
    ],
)
def test_statistic_of_one_configuration(
    con: duckdb.DuckDBPyConnection, configuration: str, statistic: str, expected: tuple[float | None, ...]
) -> None:
    found = tps(con, configuration, statistic).estimate
    assert found is not None
    for number, by_hand in zip((found.value, found.low, found.high), expected, strict=True):
        assert number == (None if by_hand is None else pytest.approx(by_hand, rel=1e-5))


def test_ratio_and_what_follows_from_it(con: duckdb.DuckDBPyConnection) -> None:
    """12 / 24, times e to the power of +- t sqrt(u + v)."""
    df = (RATIO_U + RATIO_V) ** 2 / (RATIO_U**2 / 2 + RATIO_V**2 / 4)
    t = stats.t.ppf(0.975, df)
    low, high = (0.5 * exp(sign * t * sqrt(RATIO_U + RATIO_V)) for sign in (-1, 1))
    for statistic, expected in {
        "ratio": (0.5, low, high),
        "reduction_pct": (50, 100 * (1 - high), 100 * (1 - low)),
        "improvement_pct": (-50, 100 * (low - 1), 100 * (high - 1)),
    }.items():
        found = tps(con, "on", statistic).estimate
        assert found is not None
        assert (found.value, found.low, found.high) == pytest.approx(expected, rel=1e-5), statistic


def test_difference(con: duckdb.DuckDBPyConnection) -> None:
    """12 - 24; squared error 4/3 + 10/5 = 10/3; df = (10/3)^2 / ((4/3)^2 / 2 + 2^2 / 4) = 5.88."""
    df = (10 / 3) ** 2 / ((4 / 3) ** 2 / 2 + 1)
    half = stats.t.ppf(0.975, df) * sqrt(10 / 3)
    found = tps(con, "on", "difference").estimate
    assert found is not None
    assert (found.value, found.low, found.high) == pytest.approx((-12, -12 - half, -12 + half), rel=1e-5)
    assert found.unit == "1/s"


def test_other_reference_than_the_studys(con: duckdb.DuckDBPyConnection) -> None:
    there = tps(con, "off", "ratio", 'reference = "on"').estimate
    here = tps(con, "on", "ratio").estimate
    assert there is not None
    assert here is not None
    assert here.high is not None
    assert (there.value, there.low) == pytest.approx((2, 1 / here.high))


@pytest.mark.parametrize("statistic", [each for each in STATISTICS if each != "share"])  # of runs, not of measurements
def test_every_statistic_has_its_words(con: duckdb.DuckDBPyConnection, statistic: str) -> None:
    assert tps(con, "on", statistic).condition.startswith("tps of on")


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ('measurement = "tps"\nstatistic = "share"', "a share is one of 'outcome'"),
        ('outcome = "recovered"\nstatistic = "mean"', "what became of runs has share and runs"),
        ('outcome = "recovred"', "the nearest known is 'recovered'"),
    ],
)
def test_what_became_of_runs_has_statistics_of_its_own(
    con: duckdb.DuckDBPyConnection, entry: str, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        evaluated(con, f'{entry}\nop = ">"\nvalue = 0.5')


@pytest.mark.parametrize(("op", "verdict"), [("<", PASS), (">", FAIL)])
def test_milestones_and_phases_are_evaluated(con: duckdb.DuckDBPyConnection, op: str, verdict: Verdict) -> None:
    for subject in ('milestone = "gab"', 'phase = "detection"'):
        found = evaluated(con, f'{subject}\nop = "{op}"\nvalue = 1000')
        assert found.verdict is verdict
        assert found.estimate is not None
        assert (found.estimate.unit, found.estimate.runs) == ("s", 3)
        assert "of crash" in found.condition


@pytest.mark.parametrize(
    ("margin", "study", "verdict"),
    [
        pytest.param("margin = 5", "", PASS, id="7.03 to 16.97 lies within 12 +- 5"),
        pytest.param("margin_pct = 50", "", PASS, id="and within 12 +- 6"),
        pytest.param("margin_pct = 10", "", CANNOT_TELL, id="not within 12 +- 1.2"),
        pytest.param("", "[study]\nmargin_pct = 50", PASS, id="the study's margin serves where the claim has none"),
        pytest.param("margin = 1", "[study]\nmargin_pct = 50", CANNOT_TELL, id="its own margin goes before"),
        pytest.param("", "", CANNOT_TELL, id="without any, nothing is equal"),
    ],
)
def test_margin_of_equality(con: duckdb.DuckDBPyConnection, margin: str, study: str, verdict: Verdict) -> None:
    claim = f'measurement = "tps"\nconfiguration = "on"\nop = "="\nvalue = 12\n{margin}'
    assert evaluated(con, claim, study).verdict is verdict


# --- statements ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sql", "verdict", "rows"),
    [
        ("select true", PASS, 1),
        ("select unnest([true, false, null])", FAIL, 3),
        ("select unnest([true, null])", CANNOT_TELL, 2),
        ("select true where false", CANNOT_TELL, 0),
        ("select true as one, false as other", FAIL, 1),
        ("select 'said beside it' as name, 7 as number, true as holds", PASS, 1),
        ("select mean > 11 from measurement_stats where configuration = 'on' and metric = 'tps'", PASS, 1),
    ],
)
def test_statement_is_true_in_every_row(con: duckdb.DuckDBPyConnection, sql: str, verdict: Verdict, rows: int) -> None:
    found = evaluated(con, f'sql = """{sql}"""')
    assert (found.verdict, found.rows) == (verdict, rows)


@pytest.mark.parametrize(
    ("sql", "verdict", "value"),
    [
        ("select 3 as value", PASS, 3),
        ("select unnest([3, 5]) as value", FAIL, 5),
        ("select unnest([3, 2]) as value", PASS, 3),  # the nearest to failing, as rows come in any order
        ("select unnest([3, null]) as value", CANNOT_TELL, None),
        ("select 3.0 as value, 2.5 as low, 3.5 as high", PASS, 3),
        ("select 3.9::decimal(5, 2) as value, 3.1 as low, 4.7 as high", CANNOT_TELL, 3.9),
        ("select 3 as value, null as low, null as high", CANNOT_TELL, 3),
        ("select 'nan'::double as value", CANNOT_TELL, None),
        ("select '-inf'::double as value", CANNOT_TELL, None),
        ("select 1 as value where false", CANNOT_TELL, None),
    ],
)
def test_statement_gives_values_to_compare(
    con: duckdb.DuckDBPyConnection, sql: str, verdict: Verdict, value: float | None
) -> None:
    found = evaluated(con, f'op = "<="\nvalue = 4\nsql = """{sql}"""')
    assert found.verdict is verdict
    assert (found.estimate.value if found.estimate else None) == value


@pytest.mark.parametrize(
    ("condition", "shown"),
    [
        pytest.param('op = "<"\nvalue = 10', 9.0, id="the greatest may first be too great"),
        pytest.param('op = ">="\nvalue = 1', 2.0, id="the least may first be too small"),
        pytest.param('op = "="\nvalue = 4\nmargin = 6', 9.0, id="the farthest is the first to be unlike"),
    ],
)
def test_of_several_values_the_nearest_to_failing_is_shown(
    con: duckdb.DuckDBPyConnection, condition: str, shown: float
) -> None:
    found = evaluated(con, f'sql = "select unnest([5, 9, 2, 4]) as value"\n{condition}\nunit = "s"')
    assert found.verdict is Verdict.PASS
    assert found.estimate is not None
    assert (found.estimate.value, found.estimate.unit) == (shown, "s")
    assert found.condition.startswith("each of 4 values ")


def test_truth_values_may_bring_the_number_behind_them(con: duckdb.DuckDBPyConnection) -> None:
    found = evaluated(con, 'sql = "select 5 < 6 as holds, 5 as value, 4 as low, 5.5 as high"')
    assert found.verdict is PASS
    assert found.estimate is not None
    assert (found.estimate.value, found.estimate.low, found.estimate.high) == (5, 4, 5.5)


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ('sql = "select 1 as one"', "no truth value"),
        ('op = "<"\nvalue = 1\nsql = "select 1 as one"', "no column `value`"),
        ('op = "<"\nvalue = 1\nsql = "select \'a\' as value"', "no numbers"),
        ('sql = "select treu"', "its SQL cannot be run"),
        ('sql = "select true; select true"', "one SQL statement"),
        ('sql = ""', "one SQL statement"),
        ('sql = "select true from range(1000000)"', "more than 100,000 rows"),
    ],
)
def test_statement_that_cannot_serve_is_a_mistake_that_is_explained(
    con: duckdb.DuckDBPyConnection, claim: str, said: str
) -> None:
    with pytest.raises(UsageError, match=r"claim 1 \(Told\)") as refused:
        evaluated(con, f'text = "Told"\n{claim}')
    assert said in str(refused.value)


# --- names -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ('milestone = "complet"', "no milestone 'complet'; the nearest known is 'complete'"),
        ('phase = "detektion"', "the nearest known is 'detection'"),
        ('measurement = "tsp"', "the nearest known is 'tps'"),
        (
            'measurement = "tps"\nconfiguration = "onn"',
            "no configuration 'onn' in the study; the nearest known is 'on'",
        ),
        ('measurement = "tps"\nconfiguration = "on"\nstatistic = "ratio"\nreference = "of"', "nearest known is 'off'"),
        ('measurement = "tps"', "several 'tps' in the study; give `configuration`"),
        ('measurement = "qps"\nconfiguration = "on"', "give `clients`: '8', '16'"),
        ('measurement = "tps"\nconfiguration = "off"\nstatistic = "ratio"', "compared with itself"),
        ('phase = "detection"\nstatistic = "median"', "a phase has mean, stddev"),
    ],
)
def test_unknown_name_is_a_mistake_that_names_the_nearest(
    con: duckdb.DuckDBPyConnection, claim: str, said: str
) -> None:
    with pytest.raises(UsageError) as refused:
        evaluated(con, f'{claim}\nop = "<"\nvalue = 1')
    assert said in str(refused.value)


def test_clients_tell_measurements_apart(con: duckdb.DuckDBPyConnection) -> None:
    found = evaluated(con, 'measurement = "qps"\nconfiguration = "on"\nclients = 8\nop = "<"\nvalue = 100')
    assert found.verdict is PASS


def test_known_name_that_no_run_shows_cannot_be_determined(con: duckdb.DuckDBPyConnection) -> None:
    claim = 'milestone = "complete"\nconfiguration = "on"\nop = "<"\nvalue = 1'
    found = evaluated(con, claim)
    assert (found.verdict, found.reason) == (CANNOT_TELL, "no run shows it in on")
    against = 'measurement = "qps"\nconfiguration = "on"\nclients = 8\nstatistic = "ratio"\nop = "<"\nvalue = 1'
    assert evaluated(con, against).reason == "no run shows it in off, the reference, under the same load"


def test_load_may_differ_where_the_claim_names_the_reference(con: duckdb.DuckDBPyConnection) -> None:
    asked = 'measurement = "ops"\nconfiguration = "on"\nstatistic = "ratio"\nop = "="\nvalue = 2\nmargin = 1'
    assert evaluated(con, asked).verdict is CANNOT_TELL
    found = evaluated(con, f'{asked}\nreference = "off"').estimate
    assert found is not None
    assert found.value == 0.5


def test_names_are_values_not_sql(con: duckdb.DuckDBPyConnection) -> None:
    name = "it's; drop table study.claim; --"
    found = evaluated(con, f'measurement = "tps"\nconfiguration = "{name}"\nstatistic = "ratio"\nop = "<"\nvalue = 1')
    assert found.verdict is PASS
    assert con.execute("select count(*) from study.claim").fetchall() == [(1,)]


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ('milestone = "gab"\nop = "<"', "needs keys 'op' and 'value'"),
        ('sql = "select 1"\nop = "<"', "needs keys 'op' and 'value'"),
        ('op = "<"\nvalue = 1', "needs exactly one of"),
        ('milestone = "gab"\nphase = "x"\nop = "<"\nvalue = 1', "needs exactly one of"),
        ('milestone = "gab"\nop = "=<"\nvalue = 1', "the nearest known is '<='"),
        ('milestone = "gab"\nop = "<"\nvalue = 1\nstatistic = "meen"', "the nearest known is 'mean'"),
        ('milestone = "gab"\nop = "="\nvalue = 1\nmargin = 1\nmargin_pct = 1', "one of 'margin' and 'margin_pct'"),
        ('milestone = "gab"\nop = "<"\nvalue = 1\nunit = "s"', "'sql' and 'value' beside 'unit'"),
        (f'milestone = "gab"\nop = "="\nvalue = {inf}', "finite"),
    ],
)
def test_half_given_claim_is_refused(claim: str, said: str) -> None:
    with pytest.raises(UsageError) as refused:
        manifest.parse(f"[[claim]]\n{claim}".encode())
    assert said in str(refused.value)


# --- hostile statements ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sql",
    [
        "copy (select 1) to 'out.csv'",
        "select content is not null from read_text('secret')",
        "attach 'other.duckdb'",
        "delete from study.claim",
        "set enable_external_access = true",
        "install httpfs",
        "select true from range(100000000000) as a, range(100000000000) as b where a.range + b.range < 0",
    ],
)
def test_statement_reaches_nothing_but_the_store(sql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret").write_text("x")
    db = tmp_path / "claims.duckdb"
    with duckdb.connect(str(db), config={"storage_compatibility_version": store.STORAGE_VERSION}) as con:
        con.execute("create schema study")
        tables = manifest.parse(f"[[claim]]\nsql = '''{sql}'''".encode()).tables()
        for name in ("claim", "setting"):
            log_tables.create_table(con, f"study.{name}", tables[name].schema, "", {})
            store.insert(con, f"study.{name}", tables[name])
    before = db.read_bytes()
    limits = sandbox.Limits(timeout_s=0.5)
    monkeypatch.setattr("pipeline.query.bounded.STUDY_LIMITS", limits)
    with sandbox.connect(db, limits) as con, pytest.raises(UsageError, match="claim 1"):
        evaluate_claims(con)
    assert db.read_bytes() == before
    assert sorted(each.name for each in tmp_path.iterdir()) == ["claims.duckdb", "secret"]
