from datetime import timedelta
from typing import Any

import pytest

from pipeline.failover.evidence import RecordedFault
from pipeline.failover.leaders.leader_lines import LeaderLine
from pipeline.failover.leaders.leaders import LeaderChange, leader_change
from pipeline.failover.leaders.successions import UNNAMED
from tests.support.evidence_rows import at, row

BACKUP = "keepalived"


def line(second: float, kind: str, node: str, peer: str | None = None, stack: str = "redis", **more: Any) -> LeaderLine:
    more = {"line_no": round(second * 10), "is_writer_known": True, **more}
    return row(LeaderLine, second, kind=kind, stack=stack, node=node, node_key=node, peer=peer, peer_key=peer, **more)


def changes(*lines: LeaderLine) -> list[LeaderChange]:
    led = line(0, "leader", "alder", stack=lines[0].stack)
    return list(leader_change([led, *lines], []))


def test_another_leader_is_a_change_and_the_same_one_is_none() -> None:
    found = changes(line(100, "leader", "alder"), line(200, "leader", "birch"), line(201, "leader", "cedar", "birch"))
    assert [(each.former, each.leader, each.at) for each in found] == [("alder", "birch", at(200))]


def test_leader_that_says_last_that_it_was_replaced_tells_of_no_second_change() -> None:
    late = line(300, "leader", "alder", "birch", former="alder", former_key="alder")
    assert [each.at for each in changes(late)] == [at(300)]
    assert [each.at for each in changes(line(100, "leader", "birch"), line(200, "leader", "cedar"), late)] == [
        at(100),
        at(200),
    ]


@pytest.mark.parametrize(
    ("missed", "stack", "loss_at"),
    [
        pytest.param([80, 140, 200], "redis", at(80), id="lines a minute apart are one chain"),
        pytest.param([79, 140, 200], "redis", at(140), id="a longer pause ends it"),
        pytest.param([79, 140, 200], "repmgr", at(79), id="it would say that the leader is back"),
    ],
)
def test_former_leader_is_missed_before_the_change(missed: list[int], stack: str, loss_at: object) -> None:
    lines = [*(line(each, "leader_suspect", "cedar", "alder") for each in missed), line(200, "leader", "birch")]
    assert [each.loss_at for each in changes(*(each._replace(stack=stack) for each in lines))] == [loss_at]


@pytest.mark.parametrize("again_s", [180, 190])
def test_node_that_follows_a_leader_again_missed_nothing(again_s: float) -> None:
    suspect, again = line(180, "leader_suspect", "cedar", "alder"), line(again_s, "following", "cedar", line_no=1801)
    assert [each.loss_at for each in changes(suspect, again, line(200, "leader", "birch"))] == [at(200)]


@pytest.mark.parametrize(
    ("cause", "stack", "is_planned"),
    [
        pytest.param(line(199, "election", "alder"), "redis", True, id="the sentinel that leads it did not miss it"),
        pytest.param(line(1, "other", "birch"), "redis", False, id="the sentinel that leads it has no log"),
        pytest.param(line(1, "other", "birch"), "mysql", True, id="no member missed it"),
        pytest.param(line(195, "other", "birch"), "mysql", False, id="the log begins when it was missed"),
        pytest.param(line(199, "leader_suspect", "cedar", "alder"), "redis", False, id="a sentinel did"),
        pytest.param(line(1, "other", "cedar"), "repmgr", False, id="a stack that does not say so of each failure"),
        pytest.param(line(150, "leader_wanted", "cedar"), "repmgr", True, id="somebody asked for it"),
        pytest.param(line(79, "leader_wanted", "cedar"), "repmgr", False, id="for an earlier one"),
        pytest.param(line(190, "db_shutdown", "alder"), "repmgr", True, id="the leader was stopped"),
        pytest.param(line(190, "db_shutdown", "alder", action="immediate"), "repmgr", False, id="in a hurry"),
        pytest.param(line(195, "give_up", "alder", stack="sqlserver"), "sqlserver", True, id="it hands its role over"),
    ],
)
def test_planned_change(cause: LeaderLine, stack: str, *, is_planned: bool) -> None:
    own = cause if cause.kind == "give_up" else cause._replace(stack=stack)
    assert [each.is_planned for each in changes(own, line(200, "leader", "birch", stack=stack))] == [is_planned]


@pytest.mark.parametrize(
    ("own", "is_planned", "is_undecided"),
    [
        pytest.param([], False, True, id="no log of its own"),
        pytest.param([line(150, "vrrp_backup", "alder")], False, True, id="its log says nothing of it"),
        pytest.param([line(199, "program_stopped", "alder")], True, False, id="it was stopped"),
        pytest.param([line(199, "vrrp_fault", "alder")], False, False, id="it had failed"),
        pytest.param([line(199, "leader_outranked", "alder")], True, False, id="a higher rank is back"),
    ],
)
def test_holder_that_says_that_it_goes_was_stopped_or_had_failed(
    own: list[LeaderLine], *, is_planned: bool, is_undecided: bool
) -> None:
    lines = [line(199, "leader_resigned", "birch"), *own, line(200, "leader", "birch")]
    *_, found = changes(*(each._replace(stack=BACKUP) for each in lines))
    assert (found.is_planned, found.is_undecided) == (is_planned, is_undecided)


@pytest.mark.parametrize(
    ("stopped", "is_undecided"),
    [
        pytest.param([line(99, "program_stopped", "birch", "alder", "consul")], True, id="a node left in order"),
        pytest.param([line(60, "program_stopped", "birch", "alder", "consul")], False, id="long before"),
        pytest.param([line(99, "program_stopped", "cedar", "birch", "consul")], False, id="the one that leads now"),
    ],
)
def test_leader_that_nobody_names_may_be_who_left(stopped: list[LeaderLine], *, is_undecided: bool) -> None:
    missed, leads = line(100, "leader_suspect", "birch", stack="consul"), line(101, "leader", "birch", stack="consul")
    (found,) = leader_change([*stopped, missed, leads], [])
    assert (found.former, found.is_undecided) == ("former leader", is_undecided)


@pytest.mark.parametrize(("stack", "former"), [("pgpool", []), ("maxscale", ["alder"])])
def test_member_of_any_kind_that_is_missed_need_not_have_led(stack: str, former: list[str]) -> None:
    lines = [line(99, "leader_suspect", "elder", "alder", stack), line(100, "leader", "elder", "birch", stack)]
    assert [each.former for each in leader_change(lines, [])] == former


def test_order_belongs_to_the_next_change() -> None:
    order = line(190, "leader_wanted", "cedar", stack="repmgr")
    found = changes(
        order, *(line(second, "leader", node, stack="repmgr") for second, node in [(200, "birch"), (210, "cedar")])
    )
    assert [each.is_planned for each in found] == [True, False]


def test_coordinator_counts_only_where_nothing_else_has_a_leader() -> None:
    moved = [line(0, "leader", "x", stack="etcd"), line(9, "leader", "y", stack="etcd")]
    assert [each.stack for each in leader_change(moved, [])] == ["etcd"]
    assert not list(leader_change([*moved, line(5, "leader", "alder")], []))


def test_member_is_forgotten_by_a_group_that_goes_on() -> None:
    gone = line(10, "member_gone", "birch", "alder", "galera")
    assert not list(leader_change([gone], []))
    (found,) = leader_change([gone, line(12, "leader_ready", "birch", stack="galera")], [])
    assert (found.former, found.leader) == ("alder", "birch")


@pytest.mark.parametrize(("stack", "changes"), [("galera", 0), ("oracle", 1)])
def test_group_that_stops_the_writes_of_a_member_first_goes_on_later(stack: str, changes: int) -> None:
    lines = [line(10, "member_gone", "birch", "alder", stack), line(41, "leader_ready", "birch", stack=stack)]
    assert len(list(leader_change(lines, []))) == changes


def shown(*lines: LeaderLine) -> list[tuple[str, str]]:
    """Who took over from whom."""
    return [(each.former, each.leader) for each in leader_change(lines, [])]


SWITCH = line(20, "leader", "cedar", "birch", former="alder", former_key="alder")


def test_change_names_the_leader_that_it_replaces() -> None:
    assert shown(line(0, "leader", "cedar", "dogwood"), SWITCH) == [("alder", "birch")]


@pytest.mark.parametrize(
    ("between", "changes"),
    [
        pytest.param([], 1, id="another node tells the same change"),
        pytest.param([line(900, "leader_alive", "cedar", "alder")], 2, id="the leader of before leads again"),
        pytest.param([line(900, "leader_suspect", "cedar", "alder")], 2, id="it is missed again"),
        pytest.param([line(21, "leader_down", "elder", "alder")], 1, id="a node that lags misses it still"),
    ],
)
def test_newest_statement_says_who_leads(between: list[LeaderLine], changes: int) -> None:
    again = SWITCH._replace(node="elder", node_key="elder", at=at(1000))
    assert shown(SWITCH, *between, again) == [("alder", "birch")] * changes


def test_node_that_tells_a_change_twice_tells_of_two() -> None:
    assert shown(SWITCH, SWITCH._replace(at=at(1000))) == [("alder", "birch")] * 2


def test_nodes_that_tell_one_change_again_after_each_other_tell_of_two() -> None:
    others = SWITCH._replace(node="elder", node_key="elder", at=SWITCH.at + timedelta(seconds=2))
    again = [each._replace(at=each.at + timedelta(minutes=2)) for each in (SWITCH, others)]
    assert shown(SWITCH, others, *again) == [("alder", "birch")] * 2


TAKEN = [line(1, "cluster_started", "birch", stack=BACKUP), line(2, "leader", "birch", stack=BACKUP)]


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        pytest.param([], "former leader", id="the log begins there"),
        pytest.param([line(85, "cluster_started", "birch", stack=BACKUP)], "former leader", id="it had started before"),
        pytest.param([line(95, "cluster_started", "birch", stack=BACKUP)], None, id="it had just started"),
        pytest.param(TAKEN, None, id="it has it"),
        pytest.param([*TAKEN, line(95, "vrrp_backup", "birch", stack=BACKUP)], None, id="nobody took what it gave up"),
        pytest.param([line(99, "vrrp_fault", "alder", stack=BACKUP)], "alder", id="another one failed"),
        pytest.param(
            [*TAKEN, line(9, "vrrp_backup", "birch", stack=BACKUP)],
            "former leader",
            id="it had given it up to somebody",
        ),
    ],
)
def test_backup_takes_an_address_from_somebody(before: list[LeaderLine], expected: str | None) -> None:
    assert shown(*before, line(100, "leader", "birch", stack=BACKUP)) == ([(expected, "birch")] if expected else [])


@pytest.mark.parametrize("failed", [False, True])
def test_who_becomes_backup_as_another_takes_the_address_need_not_have_failed(*, failed: bool) -> None:
    lines = [line(99, "resource_failed", "alder")] * failed
    lines += [line(100, "leader", "birch"), line(101, "vrrp_backup", "alder")]
    (found,) = leader_change([each._replace(stack=BACKUP) for each in lines], [])
    assert (found.former, found.is_undecided) == ("former leader", not failed)


@pytest.mark.parametrize(("begins_s", "is_undecided"), [(91, True), (90, False)])
def test_backup_whose_log_begins_as_it_takes_an_address_may_have_started(
    begins_s: float, *, is_undecided: bool
) -> None:
    taken = line(100, "leader", "birch", stack=BACKUP, log_begins_at=at(begins_s))
    assert [each.is_undecided for each in leader_change([taken], [])] == [is_undecided]
    assert not any(each.is_undecided for each in leader_change([taken], [row(RecordedFault, fault_at=at(99))]))


def test_address_of_a_log_that_begins_after_the_start_is_taken_from_nobody() -> None:
    led = [line(0, "leader", "alder", stack=BACKUP), line(60, "leader", "birch", stack=BACKUP)]
    assert shown(*led) == [("alder", "birch")]


def test_new_group_replaces_nobody() -> None:
    led, new = line(0, "leader", "alder", stack="patroni"), line(50, "group_started", "birch", stack="patroni")
    first = line(60, "leader", "birch", stack="patroni")
    assert shown(led, first) == [("alder", "birch")]
    assert not shown(led, new, first)
    missed = line(55, "leader_missing", "birch", stack="patroni")
    assert shown(missed, first) == [("former leader", "birch")]
    assert not shown(new, missed, first)


@pytest.mark.parametrize(
    ("started", "missed", "changes"),
    [
        pytest.param(("alder", "birch"), [], 0, id="both servers started together"),
        pytest.param(("alder",), [], 1, id="the former leader alone restarts"),
        pytest.param(("alder", "birch"), [line(90, "leader_suspect", "cedar", "alder")], 1, id="it is missed since"),
    ],
)
def test_servers_that_start_together_replace_nobody(started: tuple[str, ...], missed: list[Any], changes: int) -> None:
    starts = [line(60 + number, "db_start", each) for number, each in enumerate(started)]
    assert len(shown(line(0, "leader", "alder"), *starts, *missed, line(100, "leader", "birch"))) == changes


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param([line(0, "leader_alive", "cedar", "alder", "patroni")], "alder", id="it followed another one"),
        pytest.param([line(0, "leader_suspect", "cedar", "alder", "patroni")], "alder", id="it missed another one"),
        pytest.param(
            [line(0, "leader_alive", "alder", stack="patroni"), line(9, "leader_suspect", "cedar", "alder", "patroni")],
            "alder",
            id="it missed the one that said that it led",
        ),
        pytest.param([line(0, "leader_missing", "cedar", stack="patroni")], "former leader", id="nobody led"),
        pytest.param([line(0, "leader_alive", "elder", "alder", "patroni")], None, id="another node did"),
        pytest.param([line(-70, "leader_alive", "alder", stack="patroni")], None, id="it never said whom it followed"),
        pytest.param(
            [line(0, "db_start", "cedar"), line(5, "leader_missing", "cedar", stack="patroni")], None, id="at its start"
        ),
        pytest.param(
            [line(0, "db_start", "cedar"), line(5, "leader_suspect", "cedar", "alder", "patroni")],
            None,
            id="it missed a member at its start",
        ),
    ],
)
def test_follower_that_follows_another_leader(lines: list[LeaderLine], expected: str | None) -> None:
    found = shown(*lines, line(20, "leader_alive", "cedar", "birch", "patroni"))
    assert found == ([(expected, "birch")] if expected else [])


@pytest.mark.parametrize("action", ["renew", None])
def test_who_renews_its_lock_may_lead_another_cluster(action: str | None) -> None:
    led, own = line(0, "leader", "alder", stack="patroni"), line(61, "leader_alive", "birch", "birch", "patroni")
    assert shown(led, own._replace(line_no=1), own._replace(action=action, line_no=2)) == []


@pytest.mark.parametrize(
    ("second", "stack", "former"), [(90, "oracle", "alder"), (3700, "oracle", UNNAMED), (90, "redis", UNNAMED)]
)
def test_former_leader_has_the_name_that_a_later_line_gives_it(second: float, stack: str, former: str) -> None:
    missed, led = line(0, "leader_down", "cedar", stack="oracle"), line(20, "leader", "birch", stack="oracle")
    assert shown(missed, led, line(second, "leader_replaced", "cedar", "alder", stack)) == [(former, "birch")]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param([line(0, "upstream_lost", "birch", stack="oracle")], "former leader", id="a log of one standby"),
        pytest.param([line(0, "leader_suspect", "birch", "alder", "oracle")], "alder", id="that names whom it missed"),
        pytest.param([line(0, "leader_wanted", "birch", stack="oracle")], "former leader", id="it was ordered"),
        pytest.param([], None, id="a first start"),
    ],
)
def test_first_leader_replaces_the_one_that_was_missed(lines: list[LeaderLine], expected: str | None) -> None:
    assert shown(*lines, line(20, "leader", "birch", stack="oracle")) == ([(expected, "birch")] if expected else [])


def test_first_leader_after_a_recorded_fault_replaces_somebody() -> None:
    led, fault = line(20, "leader", "birch", stack="oracle"), row(RecordedFault, fault_at=at(5))
    assert [each.former for each in leader_change([led], [fault])] == ["former leader"]
    assert not list(leader_change([led], [fault._replace(fault_at=at(-901))]))
    assert not list(leader_change([led], [fault._replace(fault_at=at(21))]))


@pytest.mark.parametrize(("is_writer_known", "changes"), [(False, 0), (True, 1)])
def test_unknown_node_may_write_its_lead_into_several_logs(*, is_writer_known: bool, changes: int) -> None:
    lines = [line(5, "leader", each, is_writer_known=is_writer_known) for each in ("host of a.log", "host of b.log")]
    assert len(shown(*lines)) == changes


@pytest.mark.parametrize("named_s", [19.5, 20.5])
def test_unknown_node_says_who_it_is_as_it_takes_the_lead(named_s: float) -> None:
    own = line(20, "leader", "host of a.log", stack="repmgr", is_writer_known=False)
    led = line(0, "leader_suspect", "host of a.log", "alder", "repmgr")
    assert shown(led, own, line(named_s, "leader", "host of a.log", "birch", "repmgr")) == [("alder", "birch")]


@pytest.mark.parametrize(
    ("order", "ordered_by"),
    [
        pytest.param(line(150, "leader_wanted", "cedar", stack="repmgr"), "take-over command", id="an order"),
        pytest.param(line(190, "db_shutdown", "alder", stack="repmgr"), "shutdown notice", id="a stop"),
        pytest.param(line(190, "program_stopped", "alder", stack="host"), "shutdown notice", id="a stop by systemd"),
    ],
)
def test_planned_change_has_its_order(order: LeaderLine, ordered_by: str) -> None:
    led = line(0, "leader", "alder", stack="repmgr")
    (found,) = leader_change([led, order, line(200, "leader", "birch", stack="repmgr")], [])
    assert (found.ordered_by, found.ordered_at, found.order_line_no) == (ordered_by, order.at, order.line_no)


def test_server_known_by_its_address_is_stopped_on_its_host() -> None:
    lines = [
        line(190, "db_shutdown", "192.0.2.68"),
        line(199, "leader_down", "cedar", "192.0.2.68:6379"),
        line(200, "leader", "cedar", "192.0.2.80:6379"),
    ]
    assert [each.is_planned for each in leader_change(lines, [])] == [True]
