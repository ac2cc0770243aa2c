"""A pytest plugin: how many CPU seconds the tests of each folder need, compared with a budget.

    python -m pytest -p tests.cpu                        say which folder needs over 20 % more than its budget
    python -m pytest -p tests.cpu --cpu-budget=check     fail there too (`make test BUDGET=check`)
    python -m pytest -p tests.cpu --cpu-budget=renew     write the budget anew (`make budget`)

CPU seconds, of the process and of children that it waited for, do not grow while the machine serves others, but a core
that is shared, hot or another one does less in a second. So each test counts in units of a loop of the same work,
timed every few seconds beside the tests: a unit is what the loop needs. A budget is in seconds of the machine where it
was written, and holds only if all tests of the folder were run. What another machine, or other work on it, does to
tests is not what it does to the loop: a folder is measured by the others too, and fails only where it stands out from
them. Where the loop itself was not steady, or more processes waited than there are cores, a surplus is reported and
fails nothing.
"""

import hashlib
import json
import os
import resource
import time
import tomllib
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path
from statistics import median, quantiles

import pytest

TESTS = Path(__file__).parent
BUDGET = TESTS / "cpu_budget.toml"
SURPLUS = 1.2
SMALL_S = 3.0
"""Less than this over its budget, for each process, is no finding: imports and plans fall to one folder or another."""
ENOUGH_FOLDERS = 5
"""So many folders, of more than `SMALL_S`, show how fast a machine runs tests."""
LISTED = 10
CALIBRATE_EVERY_S = 5.0
STEADY = 0.15
"""The middle half of the loops differs by no more than this share of their median where the machine is steady."""
BUSY = 2.0
"""A load over five minutes of more than this for each core: others use the machine too."""


def cpu_s() -> float:
    """CPU seconds of this process and of the children that ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def loop_s() -> float:
    """CPU seconds of a fixed piece of work, much like that of tests: objects, text, hashes and memory."""
    start = time.process_time()
    for number in range(300):
        text = json.dumps({str(each): [each, number] for each in range(100)})
        hashlib.sha256(text.encode() * 4).hexdigest()
        sorted(json.loads(text).items(), key=lambda item: item[1][0], reverse=True)
    return time.process_time() - start


def folder_of(path: Path) -> str:
    """The folder of a test, from the root of the project."""
    return path.parent.relative_to(TESTS.parent).as_posix()


class Meter:
    """Sums up what tests need by folder; in a worker of xdist it hands the sums over at the end."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.seconds: dict[str, float] = defaultdict(float)
        self.modules: dict[str, float] = defaultdict(float)
        self.processes = 0
        self.loops: list[float] = []
        self.last_loop = 0.0
        self.complaints: list[str] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Measure a test with its fixtures, and now and then the loop."""
        if time.monotonic() - self.last_loop > CALIBRATE_EVERY_S:
            self.loops.append(loop_s())
            self.last_loop = time.monotonic()
        start = cpu_s()
        try:
            return (yield)
        finally:
            needed = cpu_s() - start
            self.seconds[folder_of(item.path)] += needed
            self.modules[item.path.relative_to(TESTS.parent).as_posix()] += needed

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object) -> None:
        """Take over the sums of a worker."""
        given = getattr(node, "workeroutput", {}).get("cpu")
        if given is not None:
            self.processes += 1
            for sums, own in ((self.seconds, given["seconds"]), (self.modules, given["modules"])):
                for name, seconds in own.items():
                    sums[name] += seconds
            self.loops += given["loops"]

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Compare with the budget, or write it."""
        output = getattr(self.config, "workeroutput", None)
        if output is not None:
            output["cpu"] = {"seconds": dict(self.seconds), "modules": dict(self.modules), "loops": self.loops}
            return
        if not self.loops:
            return
        if self.config.getoption("cpu_budget") == "renew":
            BUDGET.write_text(written(self.seconds, median(self.loops)), encoding="utf-8")
            return
        if not BUDGET.is_file():
            return
        budget = tomllib.loads(BUDGET.read_text(encoding="utf-8"))
        self.complaints = over_budget(self.seconds, median(self.loops), budget, max(self.processes, 1))
        is_checked = self.config.getoption("cpu_budget") == "check"
        if self.complaints and is_checked and not self._was_busy() and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what the tests needed."""
        loop = f"calibration loop {1000 * median(self.loops):.0f} ms" if self.loops else "no calibration"
        terminalreporter.write_line(f"CPU of tests: {sum(self.seconds.values()):.0f} s, {loop}")
        dearest = sorted(self.modules.items(), key=lambda each: -each[1])[:LISTED]
        terminalreporter.write_line("; ".join(f"{name} {seconds:.1f}" for name, seconds in dearest))
        for each in self.complaints:
            terminalreporter.write_line(f"over budget: {each}", red=True)
        if self.complaints and self.config.getoption("cpu_budget") == "check" and self._was_busy():
            terminalreporter.write_line("no failure: the machine was busy with other work")

    def _was_busy(self) -> bool:
        return not is_steady(self.loops) or is_loaded(os.getloadavg()[1], os.cpu_count() or 1)


def is_steady(loops: list[float]) -> bool:
    """Whether the loop needed about the same all the time; one or two loops cannot show that it did not."""
    if len(loops) < 3:
        return True
    low, middle, high = quantiles(loops, n=4, method="inclusive")
    return high - low <= STEADY * middle


def is_loaded(load: float, cores: int) -> bool:
    """Whether more processes waited for a core than the tests themselves start."""
    return load > BUSY * cores


def written(seconds: dict[str, float], loop: float) -> str:
    """The text of a budget file."""
    lines = [
        "# CPU seconds of the tests of each folder, fixtures included, and of the calibration loop beside them.",
        "# Written by `make budget`; `make test BUDGET=check` fails where a folder needs over 20 % more.",
        f"loop_s = {loop:.4f}",
        "",
        "[folders]",
        *(f'"{folder}" = {each:.1f}' for folder, each in sorted(seconds.items())),
    ]
    return "\n".join(lines) + "\n"


def over_budget(seconds: dict[str, float], loop: float, budget: dict[str, object], processes: int = 1) -> list[str]:
    """Folders that need more than their budget, on a machine whose loop needs `loop` seconds; and those without one."""
    folders, own_loop = budget["folders"], budget["loop_s"]
    assert isinstance(folders, dict)
    assert isinstance(own_loop, float)
    needs = {folder: raw * own_loop / loop for folder, raw in sorted(seconds.items())}
    shares = [needed / folders[name] for name, needed in needs.items() if folders.get(name, 0) > SMALL_S]
    slowness = max(1.0, median(shares)) if len(shares) >= ENOUGH_FOLDERS else 1.0
    complaints = []
    for folder, raw in needs.items():
        needed, allowed = raw / slowness, folders.get(folder)
        if allowed is None:
            complaints.append(f"{folder} has no budget and needs {needed:.1f} CPU s: run `make budget`")
        elif needed > max(SURPLUS * allowed, allowed + SMALL_S * processes):
            complaints.append(f"{folder} needs {needed:.1f} CPU s; its budget is {allowed:.1f} ({BUDGET.name})")
    return complaints


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.addoption("--cpu-budget", choices=["say", "check", "renew"], default="say", help="compare, or write")


def pytest_configure(config: pytest.Config) -> None:
    """Begin to measure."""
    config.pluginmanager.register(Meter(config), "cpu-meter")
