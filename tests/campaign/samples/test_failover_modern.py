"""The modern sample, read again from its text with plain patterns."""

import csv
import re
import statistics
from datetime import datetime, timedelta
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

SAMPLES = Path(__file__).parents[3] / "samples"
STUDY = SAMPLES / "failover-modern"
NAMES = ("llt", "gab", "vm", "fs", "ip", "db2udb", "detect", "complete")
MEANS_S: dict[str, dict[str, int]] = {
    "default": dict(zip(NAMES, (16, 21, 25, 29, 23, 62, 38, 47), strict=True)),
    "tuned": dict(zip(NAMES, (3, 5, 8, 11, 7, 38, 18, 24), strict=True)),
}
RUNS = tuple("123456")
SECOND = timedelta(seconds=1)

Lines = list[tuple[datetime, str]]


def _engine(node: Path) -> Lines:
    found = re.findall(r"^(\d{4}/\S+ \S+) VCS \w+ (V-16-.*)$", (node / "engine_A.log").read_text(), re.MULTILINE)
    return [(datetime.strptime(f"{stamp} +0100", "%Y/%m/%d %H:%M:%S %z"), text) for stamp, text in found]


def _messages(node: Path) -> Lines:
    found = re.findall(r"^(\d{4}-\S+) elm-\d (.*)$", (node / "messages").read_text(), re.MULTILINE)
    return [(datetime.fromisoformat(stamp), text) for stamp, text in found]


def _db2diag(node: Path) -> Lines:
    parts = re.split(r"^(\d{4}-\d\d-\d\d-\S{15})\+060 ", (node / "db2diag.log").read_text(), flags=re.MULTILINE)
    return [
        (datetime.strptime(f"{stamp} +0100", "%Y-%m-%d-%H.%M.%S.%f %z"), text)
        for stamp, text in zip(parts[1::2], parts[2::2], strict=True)
    ]


@cache
def truth() -> dict[tuple[str, str], dict[str, tuple[timedelta, datetime]]]:
    """Elapsed time and fault time by configuration and run, then milestone."""
    found: dict[tuple[str, str], dict[str, tuple[timedelta, datetime]]] = {}
    with (SAMPLES / "failover-modern.truth.csv").open() as file:
        for row in csv.DictReader(file):
            seconds, micros = row["elapsed_s"].split(".")
            elapsed = timedelta(seconds=int(seconds), microseconds=int(micros))
            fault = datetime.fromisoformat(row["fault_at_utc"])
            found.setdefault((row["configuration"], row["run"]), {})[row["milestone"]] = (elapsed, fault)
    return found


@cache
def printed(configuration: str) -> tuple[dict[str, datetime], ...]:
    """Stamps of the milestones of every failover in the surviving node's continuous logs, and the inferred fault."""
    node = STUDY / configuration / "elm-2"
    engine, messages, diagnostics = _engine(node), _messages(node), _db2diag(node)
    losses = [at for at, text in messages if re.search(r"Port a gen +\w+ membership ;1$", text)]
    return tuple(_failover(engine, messages, diagnostics, gab) for gab in losses)


def _failover(engine: Lines, messages: Lines, diagnostics: Lines, gab: datetime) -> dict[str, datetime]:
    def stamps(lines: Lines, pattern: str, start: int, end: int) -> list[datetime]:
        return [at for at, text in lines if re.search(pattern, text) and start * SECOND <= at - gab < end * SECOND]

    def online(names: str) -> datetime:
        return stamps(engine, rf"-10298 Resource orders_({names}) .*on elm-2 \(VCS initiated\)", -1, 300)[-1]

    silent = [
        (at, int(match[1]) * SECOND)
        for at, text in messages
        if (match := re.search(r"inactive (\d+) sec", text)) and -30 * SECOND <= at - gab < 0 * SECOND
    ]
    low = max(at - seconds - SECOND for at, seconds in silent)
    high = min(at - seconds for at, seconds in silent) + SECOND / 2
    return {
        "fault": low + (high - low) / 2,
        "llt": stamps(messages, "V-14-1-10509 .* expired", -30, 0)[-1],
        "gab": gab,
        "vm": online("dg"),
        "fs": online(r"\w+_mnt"),
        "ip": online("ip"),
        "db2udb": online("db"),
        "detect": stamps(diagnostics, "Crash Recovery is needed", 0, 300)[0],
        "complete": stamps(diagnostics, "Crash recovery completed", 0, 300)[0],
    }


def resolution_of(milestone: str) -> timedelta:
    """What the stamps of a milestone are cut to."""
    return SECOND if milestone in {"vm", "fs", "ip", "db2udb"} else timedelta(microseconds=1)


def _elapsed(configuration: str, milestone: str, zero: str) -> list[float]:
    values = []
    for run, stamps in zip(RUNS, printed(configuration), strict=True):
        fault = stamps["fault"] if zero == "inferred" else truth()[configuration, run][milestone][1]
        values.append((stamps[milestone] + resolution_of(milestone) / 2 - fault) / SECOND)
    return values


CELLS = [(configuration, milestone) for configuration, row in MEANS_S.items() for milestone in row]


@pytest.mark.parametrize("zero", ["true", "inferred"])
@pytest.mark.parametrize(("configuration", "milestone"), CELLS)
def test_six_runs_average_to_the_scenarios_second(configuration: str, milestone: str, zero: str) -> None:
    assert round(statistics.mean(_elapsed(configuration, milestone, zero))) == MEANS_S[configuration][milestone]


@pytest.mark.parametrize(("configuration", "milestone"), CELLS)
def test_truth_agrees_with_the_printed_stamp(configuration: str, milestone: str) -> None:
    resolution = resolution_of(milestone)
    for run, stamps in zip(RUNS, printed(configuration), strict=True):
        elapsed, fault = truth()[configuration, run][milestone]
        assert stamps[milestone] <= fault + elapsed < stamps[milestone] + resolution


@pytest.mark.parametrize("configuration", MEANS_S)
def test_no_run_violates_physics(configuration: str) -> None:
    for run in RUNS:
        true = {each: elapsed for each, (elapsed, _) in truth()[configuration, run].items()}
        assert 0 * SECOND < true["llt"] < true["gab"] < min(true["vm"], true["ip"])
        assert true["vm"] < true["fs"]
        assert max(true["fs"], true["ip"]) < true["detect"] < true["complete"] < true["db2udb"]


@pytest.mark.parametrize("configuration", MEANS_S)
def test_failovers_are_forty_minutes_to_two_hours_apart_and_one_crosses_midnight(configuration: str) -> None:
    rows = [truth()[configuration, run]["complete"] for run in RUNS]
    faults = [fault for _, fault in rows]
    gaps = [later - earlier for earlier, later in pairwise(faults)]
    assert all(timedelta(minutes=40) <= gap <= timedelta(hours=2) for gap in gaps)
    days = [(fault + timedelta(hours=1)).day != (fault + timedelta(hours=1) + elapsed).day for elapsed, fault in rows]
    assert days.count(True) == 1


@pytest.mark.parametrize("configuration", MEANS_S)
def test_each_failover_is_followed_by_a_planned_switch_back(configuration: str) -> None:
    engine = _engine(STUDY / configuration / "elm-2")
    marks = re.compile(r"-10322 .* to FAULTED|-10208 |-10447 Group db2_sg is online on system (elm-\d)")
    seen = [match[1] or match[0].split()[0] for _, text in engine if (match := marks.search(text))]
    assert seen == ["-10322", "elm-2", "-10208", "elm-1"] * len(RUNS)


@pytest.mark.parametrize("node", ["elm-1", "elm-2"])
@pytest.mark.parametrize("configuration", MEANS_S)
def test_record_ids_state_place_and_length(configuration: str, node: str) -> None:
    """Each record is written as an empty line and itself, so that the next begins one byte after its end."""
    content = (STUDY / configuration / node / "db2diag.log").read_bytes()
    expected = 1
    for match in re.finditer(rb"^\d{4}-\S+\+060 [EI](\d+)E(\d+) +LEVEL: \w+$", content, re.MULTILINE):
        offset, length = int(match[1]), int(match[2])
        assert (match.start(), offset) == (expected, expected)
        assert content[offset + length - 1 : offset + length] == b"\n"
        expected = offset + length + 1
    assert expected == len(content) + 1


@pytest.mark.parametrize("node", ["elm-1", "elm-2"])
@pytest.mark.parametrize("configuration", MEANS_S)
def test_logs_are_in_order_of_time(configuration: str, node: str) -> None:
    folder = STUDY / configuration / node
    for lines in (_engine(folder), _messages(folder), _db2diag(folder)):
        stamps = [at for at, _ in lines]
        assert stamps == sorted(stamps)


@pytest.mark.parametrize("configuration", MEANS_S)
def test_instance_starts_wherever_the_service_starts(configuration: str) -> None:
    folder = STUDY / configuration
    starts = [
        len(re.findall("sqlcode: -1063", (folder / node / "db2diag.log").read_text())) for node in ("elm-1", "elm-2")
    ]
    assert starts == [len(RUNS), len(RUNS)]
