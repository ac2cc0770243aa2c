"""Records the runs of a study: each starts from nothing, loses its leader once, and ends when clients are served."""

import csv
import random
import shutil
import sys
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from samples.recorder.bed import BedError, Machine, Moments, build_switch, wait_until
from samples.recorder.study import CUT, KILL, ORDER, POWER, Study

PROBE = Path(__file__).parent / "probe.py"
START_LIMIT_S = 180
ATTEMPTS = 3


def record(study: Study, folder: Path, bed: Path, rounds: int) -> None:
    """Record all runs that the folder does not hold yet. Configurations take turns, so that a drift falls on all."""
    build_switch()
    truth = folder / "truth.toml"
    truth.touch()
    for number in range(1, rounds + 1):
        names = list(study.configurations)
        for name in names if number % 2 else reversed(names):
            if f"# {name} {number}\n" not in truth.read_text(encoding="utf-8"):
                _attempt(study, name, number, folder, bed)


def _attempt(study: Study, configuration: str, number: int, folder: Path, bed: Path) -> None:
    for _ in range(ATTEMPTS):
        machines = _machines(study, bed)
        try:
            entry = _one_run(study, configuration, number, machines, folder)
        except BedError as error:
            _say(f"{configuration} run {number} is recorded anew: {error}")
            continue
        finally:
            for machine in machines.values():
                machine.stop()
        with (folder / "truth.toml").open("a", encoding="utf-8") as file:
            file.write(entry)
        return
    raise SystemExit(f"recorder: {configuration} run {number} failed {ATTEMPTS} times")


def _machines(study: Study, bed: Path) -> dict[str, Machine]:
    names = [*study.nodes, *study.others, "client"]
    return {name: Machine(name, place, bed / name, study.private) for place, name in enumerate(names, start=1)}


def _one_run(study: Study, configuration: str, number: int, machines: Mapping[str, Machine], folder: Path) -> str:
    kind = study.plan[number - 1]
    for machine in machines.values():
        machine.boot()
    study.stack.start(machines, study.configurations[configuration])
    if not wait_until(START_LIMIT_S, lambda: study.stack.is_ready(machines)):
        raise BedError(f"the service did not start within {START_LIMIT_S} s")
    client = machines["client"]
    client.start(sys.executable, str(PROBE), *study.stack.probe(machines), output="probe.csv")
    # a fault falls anywhere between two rounds of whatever the programs do at intervals
    time.sleep(study.calm_s + random.uniform(0, 10))
    if _failures(client):
        raise BedError(f"clients were not served before the fault: {_first_failure(client)}")
    if not wait_until(5, lambda: study.stack.is_ready(machines)):
        raise BedError("the service was not ready any more before the fault")
    leader = study.stack.leader(machines)
    moments = _hurt(study, kind, leader, machines)
    time.sleep(1)
    if not wait_until(study.outage_limit_s, lambda: _served_since(client, moments[1], study.tail_s)):
        raise BedError(f"clients were not served again within {study.outage_limit_s} s")
    _collect(study, machines, folder / configuration / f"run{number:02d}")
    _say(f"{configuration} run {number}: {kind} of {leader}, {_failures(client)} questions failed")
    return _entry(configuration, number, kind, leader, moments)


def _hurt(study: Study, kind: str, leader: str, machines: Mapping[str, Machine]) -> Moments:
    if kind == POWER:
        return machines[leader].power_off()
    if kind == CUT:
        return machines[leader].cut()
    if kind == KILL:
        return study.stack.kill(machines[leader])
    if kind == ORDER:
        return study.stack.switch_over(machines)
    raise BedError(f"no such fault: {kind}")


def _answers(client: Machine) -> list[tuple[float, bool]]:
    with (client.log / "probe.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.reader(file) if len(row) == 4 and row[1] in {"ok", "failed"}]
    return [(datetime.fromisoformat(row[0]).timestamp(), row[1] == "ok") for row in rows]


def _failures(client: Machine) -> int:
    return sum(not is_ok for _, is_ok in _answers(client))


def _first_failure(client: Machine) -> str:
    lines = (client.log / "probe.csv").read_text(encoding="utf-8").splitlines()
    return next((line for line in lines if ",failed," in line), "")


def _served_since(client: Machine, at: float, seconds: float) -> bool:
    """Whether all questions of the last seconds were answered, and some were asked after the fault."""
    recent = [is_ok for asked, is_ok in _answers(client) if asked > max(at, time.time() - seconds)]
    return time.time() - at > seconds and len(recent) > seconds and all(recent)


def _collect(study: Study, machines: Mapping[str, Machine], folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    for name, machine in machines.items():
        wanted = ["probe.csv", *study.client_logs] if name == "client" else study.logs
        for log in wanted:
            for found in sorted(machine.log.glob(log)):
                (folder / name).mkdir(parents=True, exist_ok=True)
                shutil.copyfile(found, folder / name / found.name)


def _utc(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _entry(configuration: str, number: int, kind: str, leader: str, moments: Moments) -> str:
    before, after = map(_utc, moments)
    return f"""# {configuration} {number}
[[run]]
configuration = "{configuration}"
run = {number}
# {kind} of {leader}, done at {after}
true_fault_at = {before}

"""


def _say(text: str) -> None:
    sys.stderr.write(f"{time.strftime('%T')} {text}\n")
    sys.stderr.flush()
