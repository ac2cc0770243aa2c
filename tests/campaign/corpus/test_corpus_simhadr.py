"""Every recorded output of simhadr and its companions as one study: the laws that its numbers obey."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from pipeline.ingest.ingest import ingest

CORPUS = Path(__file__).parents[4] / "shared" / "corpus" / "simhadr"
FILES = sorted(path.name for path in CORPUS.glob("*.txt"))
pytestmark = pytest.mark.skipif(not FILES, reason="the corpus of real logs is not beside this checkout")

SIDES = [(name, name.replace(".primary.", ".standby.")) for name in FILES if ".primary." in name]
PAIRS = [pair for pair in SIDES if pair[1] in FILES and not pair[0].startswith("gen_err")]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    store = tmp_path_factory.mktemp("corpus") / "haledger.duckdb"
    ingest(CORPUS, store)
    with duckdb.connect(str(store), read_only=True) as connection:
        yield connection


def one_row(connection: duckdb.DuckDBPyConnection, sql: str) -> tuple[Any, ...]:
    (row,) = connection.execute(sql).fetchall()
    return row


def test_bytes_are_flushes_of_pages_and_rates_are_quotients(whole: duckdb.DuckDBPyConnection) -> None:
    """Rates and seconds are printed to six decimals."""
    runs, wrong = one_row(
        whole,
        """
        select count(*), count(*) filter (
            where bytes <> flushes * flush_pages * 4096
            or abs(mb_s - bytes / seconds / 1e6) > 0.6e-6 + mb_s * 0.5e-6 / seconds
        )
        from simhadr_run where role in ('primary', 'standby') and bytes is not null
        """,
    )
    assert (runs > 2 * len(PAIRS), wrong) == (True, 0)


def test_every_pair_is_joined_and_agrees(whole: duckdb.DuckDBPyConnection) -> None:
    found = whole.execute(
        "select here.file, there.file, pair.is_consistent from simhadr_pair as pair "
        "inner join simhadr_run as here on pair.primary_run_id = here.run_id "
        "inner join simhadr_run as there on pair.standby_run_id = there.run_id"
    ).fetchall()
    assert sorted(found) == [(*pair, True) for pair in PAIRS]


def test_quantiles_claim_no_more_than_the_buckets(whole: duckdb.DuckDBPyConnection) -> None:
    (distributions, wrong) = one_row(
        whole,
        """
        select
            count(distinct (quantile.run_id, quantile.metric)),
            count(*) filter (where quantile.lo > quantile.hi or quantile.lo < each.min or quantile.hi > each.max)
        from simhadr_quantile as quantile
        inner join simhadr_distribution as each
            on quantile.file_id = each.file_id and quantile.distribution_no = each.distribution_no
        """,
    )
    assert distributions == one_row(whole, "select count(*) from simhadr_distribution")[0]
    assert wrong == 0
