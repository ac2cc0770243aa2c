"""Cut networks, with and without fencing, in logs of both sides or of one: who was lost, or why nobody can say.

Every case knows its truth. A run is either right, or doubtful with a reason that its lines bear out; milestones are
those of the node that served, whatever the other one logged.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.support.failover_logs import (
    INFERRED,
    Failover,
    Store,
    ingested,
    on_days,
    write_timers,
)
from tests.support.partition_logs import (
    BOOT_S,
    LOST_S,
    READY_S,
    START_S,
    A,
    B,
    C,
    D,
    Member,
    Side,
    vcs,
    write_pacemaker,
    write_sides,
    write_vcs,
)

PACEMAKER_STEPS = {"dead": LOST_S, "ip": START_S + 0.1, "started": READY_S}
EACH_OTHER = "the nodes declared each other lost, and "


@dataclass(frozen=True, slots=True)
class Case:
    """Logs of a cut and what is true of them. `reason` None: the run counts."""

    nodes: tuple[Side | Member, ...]
    lost: str | None = None
    surviving: str | None = None
    reason: str | None = None
    flags: str = "partition"


Nodes = Side | Member


def moved(*nodes: Nodes, flags: str = "partition", lost: str = "sun-ha3", surviving: str = "sun-ha4") -> Case:
    """The service went over."""
    return Case(nodes, lost, surviving, None, flags)


def aside(reason: str, *nodes: Nodes, flags: str) -> Case:
    """The run is set aside."""
    return Case(nodes, reason=reason, flags=flags)


OLD: dict[str, Any] = {"had_service": True}
NEW: dict[str, Any] = {"starts": True}
DIES: dict[str, Any] = {"dies_s": 7, "boots_s": BOOT_S}

VCS_CASES = {
    "vcs fenced, other takes over": moved(vcs(A, B, **OLD, **DIES), vcs(B, A, **NEW)),
    "vcs fenced, other takes over, no boot": moved(vcs(A, B, **OLD, dies_s=7), vcs(B, A, **NEW)),
    "vcs fenced, past unknown": moved(vcs(A, B, **DIES), vcs(B, A, **NEW)),
    "vcs fenced, no line of the race": moved(vcs(A, B, **OLD, boots_s=BOOT_S), vcs(B, A, **NEW)),
    "vcs loser logs links only": moved(vcs(A, B, only_links=True, boots_s=BOOT_S), vcs(B, A, **NEW)),
    "vcs loser logs links only and ends": moved(vcs(A, B, only_links=True), vcs(B, A, **NEW)),
    "vcs loser's clock ahead": moved(vcs(A, B, **OLD, **DIES, ahead_s=100), vcs(B, A, **NEW)),
    "vcs ids alone": moved(vcs(A, B, **DIES, names=False), vcs(B, A, **NEW, names=False)),
    "vcs second link flaps": moved(vcs(A, B, **OLD, **DIES), vcs(B, A, **NEW, flaps=True)),
    "vcs second link flaps on both sides": moved(
        vcs(A, B, **OLD, dies_s=30, boots_s=BOOT_S, flaps=True), vcs(B, A, **NEW, flaps=True)
    ),
    "vcs winner's logs only": moved(vcs(B, A, **NEW), flags=""),
    "vcs fenced, old server wins": aside(
        EACH_OTHER + "the service stayed on `sun-ha3`",
        *(vcs(A, B, **OLD, goes_on=True), vcs(B, A, **DIES)),
        flags="no_incident, partition",
    ),
    "vcs fenced, old server wins, past unknown": aside(
        EACH_OTHER + "no line shows that any of them started the service afterwards",
        *(vcs(A, B, goes_on=True), vcs(B, A, **DIES)),
        flags="no_incident, partition",
    ),
    "vcs old server's logs only": moved(vcs(A, B, **OLD, goes_on=True), flags="", lost="sun-ha4", surviving="sun-ha3"),
    "vcs loser's logs only": aside(
        "`sun-ha3` declared `sun-ha4` lost and then started again itself; "
        "no other node has logs that show what became of the service",
        vcs(A, B, **OLD, **DIES),
        flags="no_incident",
    ),
    "vcs not fenced, both serve": aside(
        f"split brain: {EACH_OTHER}`sun-ha4` started the service, while `sun-ha3` had it and shows no end of it",
        *(vcs(A, B, **OLD, goes_on=True), vcs(B, A, **NEW)),
        flags="partition, split_brain, undecided_partition",
    ),
    "vcs not fenced, past unknown": aside(
        f"{EACH_OTHER}`sun-ha4` started the service, while `sun-ha3` went on; no line says which of them had it",
        *(vcs(A, B, goes_on=True), vcs(B, A, **NEW)),
        flags="partition, undecided_partition",
    ),
    "vcs not fenced, both start": aside(
        f"split brain: {EACH_OTHER}`sun-ha3` and `sun-ha4` both started the service",
        *(vcs(A, B, **NEW, goes_on=True), vcs(B, A, **NEW, goes_on=True)),
        flags="partition, split_brain, undecided_partition",
    ),
    "vcs not fenced, old server quiet": moved(vcs(A, B, **OLD), vcs(B, A, **NEW)),
    "vcs both fenced": aside(
        EACH_OTHER + "all of them went down before any started the service",
        *(vcs(A, B, **OLD, **DIES), vcs(B, A, **DIES)),
        flags="double_loss, no_incident, partition",
    ),
    "vcs target dies too": moved(
        vcs(A, B, **OLD, **DIES), vcs(B, A, **NEW, dies_s=12, boots_s=BOOT_S), flags="double_loss, partition"
    ),
    "vcs plain loss, target dies too": moved(vcs(B, A, **NEW, dies_s=12, boots_s=BOOT_S), flags="double_loss"),
    "vcs three nodes": moved(
        vcs(A, B, C, **OLD, **DIES), vcs(B, A, mates=[C], **NEW), vcs(C, A, mates=[B], goes_on=True)
    ),
    "vcs two against two": moved(
        vcs(A, C, D, mates=[B], **OLD, **DIES),
        vcs(B, C, D, mates=[A], **DIES),
        vcs(C, A, B, mates=[D], **NEW),
        vcs(D, A, B, mates=[C], goes_on=True),
        surviving="sun-ha5",
    ),
    "vcs target lost, third takes over": moved(
        vcs(B, A, mates=[C], **NEW, dies_s=12, boots_s=BOOT_S),
        vcs(C, A, mates=[B], goes_on=True),
        vcs(C, B, cut_s=12, **NEW),
        surviving="sun-ha5",
        flags="double_loss",
    ),
    "vcs two of four lost at once": moved(
        vcs(C, A, B, mates=[D], **NEW), vcs(D, A, B, mates=[C], goes_on=True), surviving="sun-ha5", flags=""
    ),
}


def member(number: int, *others: int, **what: Any) -> Member:
    """A node of the Pacemaker cluster."""
    return Member(f"db{number}", tuple(f"db{each}" for each in others), **what)


def db(*nodes: Member, flags: str = "partition") -> Case:
    """The service went over from db1 to db2."""
    return moved(*nodes, flags=flags, lost="db1", surviving="db2")


FENCED: dict[str, Any] = {"dies_s": 11.5, "boots_s": 60.0}

PACEMAKER_CASES = {
    "corosync fenced, other takes over": db(member(1, 2, **OLD, **FENCED), member(2, 1, **NEW, fences=("db1",))),
    "corosync fenced, no boot": db(member(1, 2, **OLD, dies_s=11.5), member(2, 1, **NEW, fences=("db1",))),
    "corosync fenced before it names the other": db(
        member(1, 2, **OLD, dies_s=11, boots_s=60), member(2, 1, **NEW, fences=("db1",))
    ),
    "corosync fenced, past unknown": db(member(1, 2, **FENCED), member(2, 1, **NEW, fences=("db1",))),
    "corosync fenced, links flap": db(member(1, 2, **OLD, **FENCED), member(2, 1, **NEW, fences=("db1",), flaps=True)),
    "corosync watchdog, other takes over": db(member(1, 2, **OLD, **FENCED), member(2, 1, **NEW)),
    "corosync loser logs links only": db(
        member(1, 2, **OLD, **FENCED, only_links=True), member(2, 1, **NEW, fences=("db1",)), flags=""
    ),
    "corosync winner's logs only": db(member(2, 1, **NEW, fences=("db1",)), flags=""),
    "corosync fenced, old server wins": aside(
        EACH_OTHER + "the service stayed on `db1`",
        *(member(1, 2, **OLD, fences=("db2",), goes_on=True), member(2, 1, **FENCED)),
        flags="no_incident, partition",
    ),
    "corosync old server's logs only": moved(
        member(1, 2, **OLD, fences=("db2",), goes_on=True), flags="", lost="db2", surviving="db1"
    ),
    "corosync loser's logs only": aside(
        "`db1` declared `db2` lost and then started again itself; "
        "no other node has logs that show what became of the service",
        member(1, 2, **OLD, **FENCED),
        flags="no_incident",
    ),
    "corosync not fenced, both serve": aside(
        f"split brain: {EACH_OTHER}`db2` started the service, while `db1` had it and shows no end of it",
        *(member(1, 2, **OLD, goes_on=True), member(2, 1, **NEW)),
        flags="partition, split_brain, undecided_partition",
    ),
    "corosync not fenced, past unknown": aside(
        f"{EACH_OTHER}`db2` started the service, while `db1` went on; no line says which of them had it",
        *(member(1, 2, goes_on=True), member(2, 1, **NEW)),
        flags="partition, undecided_partition",
    ),
    "corosync not fenced, both start": aside(
        f"split brain: {EACH_OTHER}`db1` and `db2` both started the service",
        *(member(1, 2, **NEW, goes_on=True), member(2, 1, **NEW, goes_on=True)),
        flags="partition, split_brain, undecided_partition",
    ),
    "corosync not fenced, stops without quorum": db(
        member(1, 2, **OLD, goes_on=True, stops=True, has_quorum=False), member(2, 1, **NEW)
    ),
    "corosync not fenced, quorum lost alone": db(
        member(1, 2, **OLD, goes_on=True, has_quorum=False), member(2, 1, **NEW)
    ),
    "corosync both fenced": aside(
        EACH_OTHER + "all of them went down before any started the service",
        *(member(1, 2, **OLD, **FENCED, fences=("db2",)), member(2, 1, **FENCED, fences=("db1",))),
        flags="double_loss, no_incident, partition",
    ),
    "corosync both fenced, one starts first": db(
        member(1, 2, **OLD, fences=("db2",), fenced_s=16, dies_s=16.5, boots_s=60),
        member(2, 1, **NEW, fences=("db1",), dies_s=16.2, boots_s=60),
        flags="double_loss, partition",
    ),
    "corosync target dies too": db(
        member(1, 2, **OLD, **FENCED),
        member(2, 1, **NEW, fences=("db1",), dies_s=20, boots_s=80),
        flags="double_loss, partition",
    ),
    "corosync cut-off server gives up": aside(
        "`db1` declared `db2` lost and gave the service up; no line shows that another node started it",
        member(1, 2, **OLD, goes_on=True, stops=True, has_quorum=False),
        flags="no_incident",
    ),
    # it may have been the one that was cut off: what became of its service stays open
    "corosync logs end": moved(member(1, 2, **OLD, dies_s=20), flags="", lost="db2", surviving="db1"),
    "corosync nobody starts": aside(
        EACH_OTHER + "no line shows that any of them started the service afterwards",
        *(member(1, 2, **OLD, **FENCED), member(2, 1, has_quorum=False, goes_on=True)),
        flags="no_incident, partition",
    ),
    "corosync three nodes": db(
        member(1, 2, 3, **OLD, **FENCED),
        member(2, 1, **NEW, fences=("db1",)),
        member(3, 1, goes_on=True),
    ),
    "corosync three nodes, minority stops": db(
        member(1, 2, 3, **OLD, goes_on=True, stops=True, has_quorum=False),
        member(2, 1, **NEW),
        member(3, 1, goes_on=True),
    ),
}
CASES = VCS_CASES | PACEMAKER_CASES


def folder_of(name: str) -> str:
    """The configuration of a case."""
    return name.replace(",", "").replace("'", "").replace(" ", "-")


def write_cut(folder: Path, case: Case) -> None:
    """The logs of a case."""
    write_vcs(folder, *(each for each in case.nodes if isinstance(each, Side)))
    write_pacemaker(folder, *(each for each in case.nodes if isinstance(each, Member)))


def write_all(study: Path) -> None:
    """Every case as a configuration of one run."""
    for name, case in CASES.items():
        write_cut(study / folder_of(name), case)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """All of them in one store."""
    study = tmp_path_factory.mktemp("partitions") / "partitions"
    write_all(study)
    return ingested(on_days(study))


def flags_of(text: str | None) -> set[str]:
    """Flags of a run that this part is about."""
    own = {"partition", "split_brain", "undecided_partition", "double_loss", "no_incident"}
    return {flag for flag in str(text).split(", ") if flag in own}


@pytest.mark.parametrize("name", CASES)
def test_cut_network_is_right_or_doubtful(store: Store, name: str) -> None:
    case = CASES[name]
    runs = store.rows(
        "select lost_node, surviving_node, excluded_reason, flags from run where configuration = ?", folder_of(name)
    )
    assert [(*run[:3], flags_of(run[3])) for run in runs] == [
        (case.lost, case.surviving, case.reason, flags_of(case.flags))
    ]


STAYED = (
    "vcs old server's logs only",
    "corosync old server's logs only",
    "corosync logs end",
)  # nothing to move, or nobody knows
WHOLE = [
    name
    for name, case in CASES.items()
    if case.reason is None and "double_loss" not in case.flags and name not in STAYED
]


@pytest.mark.parametrize("name", WHOLE)
def test_steps_are_those_of_the_node_that_served(store: Store, name: str) -> None:
    steps = INFERRED if name in VCS_CASES else PACEMAKER_STEPS
    found = store.milestones(folder_of(name))
    fault_error = 0.0 if name in VCS_CASES else 0.6  # the token's interval is as wide
    assert {step: found.get(step) for step in steps} == pytest.approx(steps, abs=fault_error + 1e-6)


def test_doubt_names_its_line(store: Store) -> None:
    kinds = store.rows("select kind, count(*) from finding where kind in ('partition', 'double_loss') group by kind")
    assert {kind for kind, _ in kinds} == {"partition", "double_loss"}
    nowhere = store.rows(
        "select text from finding where kind in ('partition', 'double_loss') and (file_id is null or line_no is null)"
    )
    assert nowhere == []


def test_cuts_in_one_log_are_distinguished(tmp_path: Path) -> None:
    """Two cuts half an hour apart in undivided logs; in the second both serve."""
    folder = tmp_path / "series" / "cuts"
    first = (vcs(A, B, **OLD, dies_s=7, boots_s=BOOT_S), vcs(B, A, **NEW))
    later: dict[str, Any] = {"cut_s": 1800}
    second = (vcs(A, B, **later, **NEW), vcs(B, A, **later, had_service=True, goes_on=True))
    write_sides(folder, *first, *second)
    write_timers(folder)
    found = ingested(tmp_path / "series")
    assert found.rows("select run, lost_node, surviving_node, used, flags from run order by run") == [
        ("1", "sun-ha3", "sun-ha4", True, "partition"),
        ("2", None, None, False, "partition, split_brain, undecided_partition"),
    ]
    assert found.milestones("cuts", "1") == pytest.approx(INFERRED, abs=1e-6)


def test_no_cut_is_found_where_a_node_that_was_lost_comes_back(tmp_path: Path) -> None:
    """A node starts again within two minutes, and finds itself alone for a moment: it declares nobody lost."""
    folder = tmp_path / "study" / "reboot"
    write_vcs(folder, vcs(A, B, **OLD, dies_s=1, boots_s=60), vcs(B, A, **NEW))
    alone = Failover(lost="sun-ha4", survivor="sun-ha3", lost_id=1, survivor_id=0)
    messages = folder / "run01" / "sun-ha3" / "messages"
    line = alone.syslog_line(65, "kernel: GAB INFO V-15-1-20036 Port a gen 79c140 membership 0")
    messages.write_text(messages.read_text() + line + "\n")
    found = ingested(tmp_path / "study")
    assert found.rows("select lost_node, surviving_node, excluded_reason from run") == [("sun-ha3", "sun-ha4", None)]
    assert "partition" not in found.flags("reboot")
