"""Runs jobs on the workers of a Dask cluster, as `run_parallel` runs them in threads here.

What is sent is pickled by this module, and what comes back is data (`pipeline/values.py`), so that Dask sees nothing
but bytes, and a worker runs nothing here. A job whose workers die again and again is given to a process of its own on a
worker, which alone dies; what fails there is a `Failure`.
"""

import logging
import os
import pickle
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from threading import Event
from types import TracebackType
from typing import Any, Generic, Self, TypeVar
from uuid import uuid4

from pipeline.child import child_process
from pipeline.errors import MachineError, UsageError
from pipeline.failure import Failure
from pipeline.parallel import called_in_subprocess, run_one
from pipeline.values import as_data, from_data

CONNECT_S = 10.0
WITHOUT_WORKERS_S = 60.0
"""So long a cluster may be without any worker: one that died is started again by its nanny."""

TICK_S = 1.0
JOBS_PER_THREAD = 2
"""Jobs sent ahead for each thread of a worker."""

AS_DATA = "msgpack"
"""The form of Dask's in which answers pass: bytes, and nothing that is run."""

Job = TypeVar("Job")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class WorkerState:
    """What a worker says of itself: its program, and why it cannot see the study; None: it does."""

    program: str
    problem: str | None


@dataclass(frozen=True, slots=True)
class Entry:
    """What workers import: `hello(study)` gives a `WorkerState`, `work(program, content, in_subprocess)` a result."""

    program: str
    hello: Callable[[str], bytes]
    work: Callable[[str, bytes, bool], bytes]


@dataclass(frozen=True, slots=True)
class _Other:
    """The answer of a worker that has another program."""

    worker: str
    program: str


@dataclass(slots=True)
class _Sent(Generic[Job]):
    function: Callable[[Job], object]
    job: Job
    size: int
    future: Any
    is_done: Event
    in_subprocess: bool = False


class Cluster:
    """The workers of a scheduler. A context manager. Raises UsageError where there are none that can read the study."""

    def __init__(self, address: str, entry: Entry, study: object, tls: Sequence[Path | None] = ()) -> None:
        """Connect to a scheduler. `tls`: files of the authority, own certificate and its key, else as Dask has them."""
        import dask
        import distributed

        _hush()
        _let_workers_run_nothing()
        connect: Callable[..., Any] = distributed.Client

        self._address = address
        self._entry = entry
        dask.config.set({"distributed.admin.large-graph-warning-threshold": "4 GiB"})
        security = _security(address, tls) if any(tls) or address.startswith("tls") else None
        try:
            self._client = connect(
                address, timeout=CONNECT_S, set_as_default=False, security=security, serializers=[AS_DATA]
            )
        except (OSError, ValueError, TypeError) as error:
            raise UsageError(
                f"--scheduler {address}: no Dask scheduler answers there ({_words(_first_cause(error))})"
            ) from error
        self._threads = 0
        self._count = 0
        self._most_beside = 1
        self._looked_at = 0.0
        self._seen_at = time.monotonic()
        try:
            self._meet(study)
        except BaseException:
            self._client.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the cluster, which goes on."""
        self._client.close()

    @property
    def label(self) -> str:
        """How many workers there are, in words."""
        return f" on {self._count} worker{'' if self._count == 1 else 's'}"

    @property
    def most_beside(self) -> int:
        """How many jobs run at the same time on that machine on which most do."""
        return self._most_beside

    @property
    def program(self) -> str:
        """Names the program that runs here and on all workers."""
        return self._entry.program

    def on_each(self, function: Callable[[Job], Result], job: Job) -> dict[str, Result]:
        """The function's result for one job on each worker that there is now, by the worker's address."""
        content = pickle.dumps((function, job, 0), protocol=pickle.HIGHEST_PROTOCOL)
        answers = self._client.run(self._entry.work, self._entry.program, content, False, on_error="return")
        return {worker: self._of(worker, each) for worker, each in sorted(answers.items())}

    def _of(self, worker: str, found: object) -> Any:  # noqa: ANN401  what the function gives
        answer = from_data(found) if isinstance(found, bytes) else found
        self._refuse_other(answer)
        if isinstance(answer, Failure | BaseException):
            raise MachineError(f"the worker {worker} fails: {_words(answer)}")
        return answer

    def run_parallel(
        self, function: Callable[[Job], Result], jobs: Iterable[Job], size: Callable[[Job], int]
    ) -> Iterator[Result | Failure[Job]]:
        """The function's result for each job, in order, each taken once. Raises MachineError if the cluster fails."""
        running: deque[_Sent[Job]] = deque()
        try:
            for job in jobs:
                self._look()
                while len(running) > JOBS_PER_THREAD * max(1, self._threads):
                    yield self._outcome(running.popleft())
                running.append(_Sent(function, job, size(job), *self._submitted(function, job, size(job))))
            while running:
                yield self._outcome(running.popleft())
        finally:
            for each in running:
                each.future.cancel()

    def _submitted(
        self, function: Callable[[Job], Result], job: Job, size: int, *, in_subprocess: bool = False
    ) -> tuple[Any, Event]:
        """A task, as Dask's future, and what is set once it ended in any way."""
        content = pickle.dumps((function, job, size), protocol=pickle.HIGHEST_PROTOCOL)
        name = f"haledger-{uuid4().hex}"
        future = self._client.submit(
            self._entry.work, self._entry.program, content, in_subprocess, key=name, pure=False
        )
        is_done = Event()
        future.add_done_callback(lambda _future: is_done.set())
        return future, is_done

    def _outcome(self, sent: _Sent[Job]) -> Result | Failure[Job]:
        from distributed import KilledWorker

        while True:
            # not by `result(timeout=...)`: where a task ends as its time does, Dask 2026.8 fails in its own wait
            while not sent.is_done.wait(TICK_S):
                self._look()
            if sent.future.cancelled():
                raise MachineError(f"the scheduler at {self._address} gave up a task; run the same command again")
            try:
                answer: Any = from_data(sent.future.result(timeout=WITHOUT_WORKERS_S))
                break
            except KilledWorker:
                if sent.in_subprocess:
                    return Failure(sent.job, "ends every worker that reads it")
                sent.in_subprocess = True
                sent.future, sent.is_done = self._submitted(sent.function, sent.job, sent.size, in_subprocess=True)
            except Exception as error:
                raise MachineError(f"the cluster at {self._address} fails: {_words(error)}") from error
        sent.future.release()
        self._refuse_other(answer)
        if isinstance(answer, Failure):
            return Failure(sent.job, answer.reason)
        found: Result = answer
        return found

    def _refuse_other(self, answer: object) -> None:
        if isinstance(answer, _Other):
            raise UsageError(_other(answer.worker, answer.program, self._entry.program))

    def _look(self) -> None:
        """Count the workers now and then."""
        now = time.monotonic()
        if now - self._looked_at < TICK_S:
            return
        workers = self._client.scheduler_info(n_workers=-1)["workers"]
        self._looked_at = now
        by_host: Counter[str] = Counter()
        for each in workers.values():
            by_host[each["host"]] += each["nthreads"]
        self._count, self._threads = len(workers), by_host.total()
        self._most_beside = max([1, *by_host.values()])
        if workers:
            self._seen_at = now
        elif self._client.status != "running":
            raise MachineError(f"the scheduler at {self._address} is gone; run the same command again")
        elif now - self._seen_at > WITHOUT_WORKERS_S:
            raise MachineError(f"the cluster at {self._address} has had no worker for {WITHOUT_WORKERS_S:.0f} s")

    def _meet(self, study: object) -> None:
        """See to it that there are workers, that all are this haledger, and that each sees the study."""
        try:
            self._client.wait_for_workers(1, timeout=CONNECT_S)
        except TimeoutError as error:
            raise UsageError(f"--scheduler {self._address}: has no worker; start some with `dask worker`") from error
        place = study.resolve() if isinstance(study, Path) else study
        answers = self._client.run(self._entry.hello, str(place), on_error="return")
        for worker, found in sorted(answers.items()):
            answer = from_data(found) if isinstance(found, bytes) else found
            if not isinstance(answer, WorkerState):
                raise UsageError(f"the worker {worker} cannot run haledger: {_words(answer)}")
            if answer.program != self._entry.program:
                raise UsageError(_other(worker, answer.program, self._entry.program))
            if answer.problem is not None:
                raise UsageError(
                    f"the worker {worker} cannot see {place}: {answer.problem}; workers need the study under the same "
                    "path, as in a shared folder, or the right to read its objects"
                )
        self._look()


def seen(program: str, look: Callable[[], object]) -> bytes:
    """What this worker says of itself. `look`: at the study; raises OSError or UsageError where it cannot."""
    problem = None
    try:
        look()
    except (OSError, UsageError) as error:
        problem = (getattr(error, "strerror", None) or str(error)).lower()
    return as_data(WorkerState(program, problem))


def answer(own: str, expected: str, content: bytes, *, in_subprocess: bool) -> bytes:
    """Run what was sent on this worker; `in_subprocess`: in a process of its own."""
    from distributed import get_worker

    found: object
    if own != expected:
        found = _Other(get_worker().address, own)
    else:
        function, job, size = pickle.loads(content)  # noqa: S301  of the command that asks
        if in_subprocess:
            with child_process() as child:
                found = called_in_subprocess(child, function, job, size)
        else:
            found = run_one(function, job, size)
        if isinstance(found, Failure):
            found = Failure(None, found.reason)
    return as_data(found)


def _other(worker: str, found: str, own: str) -> str:
    return f"the worker {worker} has another program, {found}; this is {own}: install the same on all"


def _hush() -> None:
    """Keep what Dask logs from standard error: what matters of it is in our own messages."""
    names = ["distributed", "tornado", "asyncio"]
    names += [each for each in logging.root.manager.loggerDict if each.partition(".")[0] in names]
    for name in names:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _let_workers_run_nothing() -> None:
    """Build nothing of what Dask's own messages pickle, and print nothing: else who holds a worker could act here."""
    from distributed import client
    from distributed.protocol import pickle as messages

    setattr(client.Client, "_default_event_handlers", {})  # noqa: B010  by which workers print
    for module in (client, messages):
        setattr(module, "loads", unpickled)  # noqa: B010  mypy knows them as they were


def _security(address: str, tls: Sequence[Path | None]) -> object:
    """What a tls:// connection needs: files that options name, else those that Dask's variables or its files do."""
    import distributed

    declared: Callable[..., Any] = distributed.Security
    if not address.startswith("tls"):
        raise UsageError(f"--scheduler {address}: --tls-* go with an address tls://HOST:PORT")
    names = ("tls_ca_file", "tls_client_cert", "tls_client_key")
    given = {name: str(file) for name, file in zip(names, tls, strict=False) if file is not None}
    options = dict(zip(names, ("--tls-ca-file", "--tls-cert", "--tls-key"), strict=True))
    security = declared(require_encryption=True, **given)
    for name, option in options.items():
        file = getattr(security, name)
        if file is None:
            variable = (
                f"DASK_DISTRIBUTED__COMM__TLS__{name.removeprefix('tls_').upper().replace('CLIENT_', 'CLIENT__')}"
            )
            raise UsageError(f"--scheduler {address}: TLS needs {option} FILE, or the variable {variable}")
        if "\n" not in file and not os.access(file, os.R_OK):
            raise UsageError(f"{option} {file}: cannot be read; give a file of PEM")
    try:
        security.get_connection_args("client")
    except (OSError, ValueError) as error:  # ssl's errors are of OSError
        raise UsageError(
            f"--tls-cert {security.tls_client_cert}: not a certificate and key in PEM that belong together, or "
            f"{security.tls_ca_file} is no certificate ({_words(error)})"
        ) from error
    return security


def _first_cause(error: BaseException) -> BaseException:
    """The error at which it began, as ssl's behind "timed out while connecting"."""
    while error.__cause__ is not None:
        error = error.__cause__
    return error


def _words(error: object) -> str:
    """An error in one line."""
    return " ".join(str(error).split()) or type(error).__name__


class Unknown(Exception):  # noqa: N818  stands for any object
    """Stands for what Dask's own messages pickle: it takes everything and does nothing."""

    def __setstate__(self, state: object) -> None:
        """Drop what it is given."""


class _Unpickler(pickle.Unpickler):
    """Builds what is pickled without running anything of it."""

    def find_class(self, module: str, name: str) -> type:
        """KilledWorker, which says that a task ended its workers; for all else what does nothing."""
        from distributed import KilledWorker

        killed: type = KilledWorker
        return killed if (module, name) == (killed.__module__, killed.__name__) else Unknown


def unpickled(content: bytes, *, buffers: Any = ()) -> object:  # noqa: ANN401  as Dask has them
    """What a message of Dask pickles, as far as it is data."""
    return _Unpickler(BytesIO(content), buffers=buffers).load()
