"""A statement ends when its time or memory is used up, no matter what DuckDB makes of it."""

import resource
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest

from pipeline.errors import UsageError
from pipeline.memory import MEBIBYTE, bounded_address_space
from pipeline.query import bounded, sandbox
from pipeline.query.bounded import StudyStatements
from pipeline.query.sandbox import Limits
from tests.support.bare_system import require_process_files

ENDLESS = "with recursive r(n) as (select 1 union all select n + 1 from r) select count(*) from r"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "haledger.duckdb"
    duckdb.connect(str(path)).close()
    return path


def test_rows_come_back_and_the_bound_of_the_process_is_lifted_again(store: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_AS)
    with bounded.session(store, Limits()) as session:
        assert session.run("select $a as a", {"a": "x"}).frame.rows() == [("x",)]
    assert resource.getrlimit(resource.RLIMIT_AS) == before


def test_after_a_refusal_the_session_goes_on(store: Path) -> None:
    require_process_files()
    with bounded.session(store, Limits(timeout_s=0.3)) as session:
        for refused in (ENDLESS, "select nonsense", "select len(range(500000000))"):
            with pytest.raises(UsageError):
                session.run(refused)
        assert session.run("select 1").frame.rows() == [(1,)]


def test_a_statement_that_heeds_nothing_is_given_up(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    is_over = threading.Event()
    monkeypatch.setattr(sandbox, "run", lambda *_args, **_named: is_over.wait())
    monkeypatch.setattr(bounded, "GRACE_S", 0.1)
    with bounded.session(store, Limits(timeout_s=0.1)) as session, pytest.raises(sandbox.StuckError, match="stopped"):
        session.run("select 1")
    is_over.set()
    session.connection.close()


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        (ENDLESS, "claim 1: its SQL cannot be run: .*stopped after 0.2 s; study.toml may not ask for more"),
        ("select length(repeat('a', 2000000000))", "more than 1024 MiB of memory; study.toml may not ask for more"),
        ("from range(3000000000)", "returns more than 100,000 rows"),
    ],
    ids=["endless", "a constant that no interrupt ends", "rows"],
)
def test_a_statement_of_the_study_has_its_bounds(
    store: Path, monkeypatch: pytest.MonkeyPatch, sql: str, words: str
) -> None:
    """A table with the second one took 4 GB, with the third 12 GB."""
    if "memory" in words:
        require_process_files()
    if sql == ENDLESS:
        monkeypatch.setattr(bounded, "STUDY_LIMITS", replace(bounded.STUDY_LIMITS, timeout_s=0.2))
    with sandbox.connect(store, bounded.STUDY_LIMITS) as connection, pytest.raises(UsageError, match=words):
        StudyStatements(connection).run(sql, "study.toml, claim 1")


def test_all_statements_of_a_study_have_one_bound(store: Path) -> None:
    with sandbox.connect(store, bounded.STUDY_LIMITS) as connection:
        statements = StudyStatements(connection, left_s=0.001)
        assert statements.run("select count(*) from range(1000000)", "claim 1").rows() == [(1_000_000,)]
        with pytest.raises(UsageError, match="claim 2: the statements before its own took more than 300 s"):
            statements.run("select 1", "claim 2")


def test_where_the_machine_gives_less_than_the_statement_may_use_memory_is_what_lacks(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--memory` allows no more there; the message of the command line names `ulimit -v`."""

    def refused(*_: object, **_named: object) -> None:
        raise MemoryError

    monkeypatch.setattr(sandbox, "run", refused)
    with bounded.session(store, Limits()) as session:
        with pytest.raises(UsageError, match="--memory allows more"):
            session.run("select 1")
        require_process_files()
        with bounded_address_space(512 * MEBIBYTE), pytest.raises(MemoryError):
            session.run("select 1")


@pytest.fixture
def _heard_interrupts() -> Iterator[None]:
    """Python's own answer to an interrupt, which what a shell starts in the background passes over."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_heard_interrupts")
@pytest.mark.parametrize("early_s", [pytest.param(0, id="it runs"), pytest.param(0.5, id="it has not begun")])
def test_an_interrupt_stops_the_statement_and_is_passed_on(
    store: Path, monkeypatch: pytest.MonkeyPatch, early_s: float
) -> None:
    monkeypatch.setattr(bounded, "GRACE_S", 30.0)  # a loaded machine takes longer to stop
    run = sandbox.run

    def begin(*arguments: Any, **named: Any) -> Any:  # as of sandbox.run
        # to the main thread, as a terminal's is: a signal that another thread takes wakes no waiting
        threading.Timer(0.3, signal.pthread_kill, [threading.main_thread().ident, signal.SIGINT]).start()
        time.sleep(0.3 + early_s if early_s else 0)
        return run(*arguments, **named)

    monkeypatch.setattr(sandbox, "run", begin)
    with bounded.session(store, Limits(timeout_s=60)) as session:
        with pytest.raises(KeyboardInterrupt):
            session.run(ENDLESS)
        assert not session.is_stuck
        monkeypatch.setattr(sandbox, "run", run)
        assert session.run("select 1").frame.rows() == [(1,)]


def test_what_is_larger_than_memory_is_not_put_on_disk(store: Path) -> None:
    with bounded.session(store, Limits(memory_bytes=64 * MEBIBYTE)) as session:
        with pytest.raises(UsageError, match="64 MiB"):
            session.run("select range from range(50000000) order by hash(range)")
        assert [each.name for each in store.parent.iterdir()] == [store.name]
