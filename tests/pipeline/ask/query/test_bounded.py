"""A statement ends when its time or memory is used up, no matter what DuckDB makes of it."""

import resource
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from pipeline.ask.query import bounded, sandbox
from pipeline.ask.query.sandbox import Limits
from pipeline.errors import UsageError
from pipeline.memory import MEBIBYTE

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
    with bounded.session(store, Limits(timeout_s=0.3)) as session:
        for refused in (ENDLESS, "select nonsense", "select len(range(500000000))"):
            with pytest.raises(UsageError):
                session.run(refused)
        assert session.run("select 1").frame.rows() == [(1,)]


def test_a_statement_that_heeds_nothing_is_given_up(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    is_over = threading.Event()
    monkeypatch.setattr(sandbox, "run", lambda *_args, **_named: is_over.wait())
    monkeypatch.setattr(bounded, "GRACE_S", 0.1)
    with bounded.session(store, Limits(timeout_s=0.1)) as session, pytest.raises(bounded.StuckError, match="stopped"):
        session.run("select 1")
    is_over.set()
    session.connection.close()


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
