from collections.abc import Mapping

import pytest

from pipeline.failover.evidence import ClusterLine, HaLine, RunUnit
from pipeline.failover.timer.timer_evidence import TimerEvidence, timer_evidence
from pipeline.failover.timer.timer_settings import SpecifiedTimer, TimerSetting, specified_timer
from pipeline.failover.timer.timers import ClusterTimer, InferredTimer, cluster_timer, inferred_timer
from tests.support.evidence_rows import row

UNIT = RunUnit("a", "run01", has_failover_logs=True, has_performance_data=False)


def _setting(scope: str, name: str, value: str, distance: int = 0, run: str | None = None) -> TimerSetting:
    return row(TimerSetting, scope=scope, name=name, value=value, distance=distance, run=run)


def _in_force(
    specified: Mapping[str, float] | None = None,
    shown: Mapping[str, tuple[float, float | None]] | None = None,
    *settings: TimerSetting,
    version: str | None = None,
) -> ClusterTimer:
    (found,) = cluster_timer(
        [UNIT],
        [row(SpecifiedTimer, unit_run="run01", timer=name, seconds=value) for name, value in (specified or {}).items()],
        [row(InferredTimer, timer=name, low_s=low, high_s=high) for name, (low, high) in (shown or {}).items()],
        settings,
        [row(HaLine, 0, stack="corosync", kind="cluster_started", new_state=version)],
    )
    return found


@pytest.mark.parametrize(
    ("scope", "name", "value", "timer", "seconds"),
    [
        pytest.param("llttab", "set-timer", "peerinact:1600", "peerinact", 16.0, id="llttab, hundredths"),
        pytest.param("gabtab", "stable_timeout", "5000", "stable", 5.0, id="gabtab, milliseconds"),
        pytest.param("ha.cf", "keepalive", "500ms", "keepalive", 0.5, id="a unit that is printed"),
        pytest.param("corosync.conf", "totem.token", "3000", "token", 3.0, id="corosync.conf, milliseconds"),
        pytest.param("sentinel.conf", "down-after-milliseconds", "5000", "sentinel_down_after", 5.0, id="Sentinel"),
        pytest.param("repmgr.conf", "monitor_interval_secs", "4", "repmgr_monitor_interval", 4.0, id="repmgr"),
        pytest.param("keepalived.conf", "vrrp_instance a.advert_int", "3", "keepalived_advertisement", 3.0, id="VRRP"),
        pytest.param("patroni.yml", "bootstrap.dcs.ttl", "60", "patroni_ttl", 60.0, id="ttl"),
        pytest.param(
            "repmgr.conf", "conninfo", "host=a connect_timeout=5 port=6432", "repmgr_connect", 5.0, id="inside"
        ),
        pytest.param("mysql", "wsrep_provider_options.evs.suspect_timeout", "PT0.5S", "galera_suspect", 0.5, id="ISO"),
        pytest.param("galera", "evs.keepalive_period", "PT1S", "galera_keepalive", 1.0, id="printed by a log"),
        pytest.param("keepalived", "Advert interval", "200 milli-sec", "keepalived_advertisement", 0.2, id="a prefix"),
        pytest.param("repmgr", "connect_timeout", "3", "repmgr_connect", 3.0, id="of a connection that a log prints"),
        pytest.param("postgresql.conf", "wal_receiver_timeout", "1min", "wal_receiver", 60.0, id="minutes"),
        pytest.param("ha.cf", "deadtime", "30 words 56", "deadtime", 30.0, id="words behind it"),
        pytest.param("ha.cf", "deadtime", '"30";', "deadtime", 30.0, id="quotes"),
        pytest.param("ha.cf", "deadtime", "500  ms", "deadtime", 0.5, id="blanks before the unit"),
        pytest.param("corosync.conf", "totem.token", "3 s as of 2026", "token", 3.0, id="a unit and words behind it"),
    ],
)
def test_line_of_a_file_sets_a_timer(scope: str, name: str, value: str, timer: str, seconds: float) -> None:
    (found,) = specified_timer([UNIT], [_setting(scope, name, value)])
    assert (found.timer, found.seconds) == (timer, seconds)


@pytest.mark.parametrize(("scope", "name"), [("galera", "stall"), ("keepalived.conf", "vrrp_instance a.advert_int")])
def test_the_longest_counts_where_lines_are_about_several_things(scope: str, name: str) -> None:
    lines = [_setting(scope, name, value)._replace(line_no=at) for at, value in enumerate(("2", "6", "3"))]
    (found,) = specified_timer([UNIT], lines)
    assert (found.seconds, found.line_no) == (6.0, 1)


def test_file_of_the_run_counts_before_the_nearest_of_the_configuration() -> None:
    far, near = _setting("ha.cf", "deadtime", "30", distance=1), _setting("ha.cf", "deadtime", "20")
    own = _setting("ha.cf", "deadtime", "10", distance=1, run="run01")
    assert [each.seconds for each in specified_timer([UNIT], [far, near])] == [20.0]
    assert [each.seconds for each in specified_timer([UNIT], [far, near, own])] == [10.0]


def test_timer_that_nothing_shows_is_anywhere_in_its_range() -> None:
    found = _in_force()
    assert (found.peerinact_low_s, found.peerinact_high_s, found.is_peerinact_assumed) == (2.0, 32.0, True)
    assert (found.membership_low_s, found.membership_high_s, found.is_membership_assumed) == (3.0, 42.0, True)


def test_membership_bounds_peerinact_where_a_file_gives_the_stable_timeout() -> None:
    found = _in_force({"stable": 5.0}, {"membership": (19.0, 22.0)})
    assert (found.peerinact_low_s, found.peerinact_high_s, found.is_peerinact_inferred) == (14.0, 17.0, True)


@pytest.mark.parametrize(
    ("version", "token_s"),
    [
        pytest.param("3.1.0", 3.65, id="since 3.1.0: 3 s, and the third node"),
        pytest.param("2.4.5", 1.65, id="before: 1 s, and the third node"),
        pytest.param("2.3.3", 1.0, id="no coefficient before 2.3.4"),
    ],
)
def test_corosync_conf_without_a_token_means_the_default_of_the_version(version: str, token_s: float) -> None:
    nodes = [_setting("corosync.conf", f"nodelist.node[{i}].ring0_addr", f"10.0.0.{i}") for i in (1, 2, 3)]
    found = _in_force(None, None, *nodes, version=version)
    assert (found.token_low_s, found.token_high_s, found.is_token_inferred) == (token_s, token_s, True)


def test_lines_of_all_runs_are_intersected_else_their_hull_counts() -> None:
    def of(*bounds: tuple[float, float]) -> tuple[float, float | None, bool]:
        lines = [row(TimerEvidence, timer="token", low_s=low, high_s=high) for low, high in bounds]
        (found,) = inferred_timer(lines)
        return found.low_s, found.high_s, found.is_consistent

    assert of((1.0, 3.0), (2.0, 4.0)) == (2.0, 3.0, True)
    assert of((1.0, 2.0), (3.0, 4.0)) == (1.0, 4.0, False)


def test_link_that_expires_shows_peerinact_by_the_silence_before() -> None:
    silent = row(ClusterLine, 10.0, source="llt", kind="inactive", silent_s=9.0, resolution_s=1.0, node_key="b")
    expired = row(ClusterLine, 17.0, source="llt", kind="expired", resolution_s=1.0, node_key="b", line_no=2)
    found = [(each.low_s, each.high_s) for each in timer_evidence([silent, expired], [], [], [])]
    assert found == [(8.0, None), (pytest.approx(14.95), pytest.approx(18.05)), (14.0, 19.0)]


def _link(second: float, kind: str, silent_s: float | None = None) -> ClusterLine:
    of = {"source": "llt", "resolution_s": 1.0, "node_key": "b", "link": 0, "node_id": 0, "line_no": int(second)}
    return row(ClusterLine, second, kind=kind, silent_s=silent_s, **of)


def _crash(second: float) -> list[ClusterLine]:
    silences = [_link(second + silent_s, "inactive", silent_s) for silent_s in (8.0, 15.0)]
    return [_link(second + 2, "trouble"), *silences, _link(second + 16, "expired")]


KINDS = [["trouble", "inactive", "expired"], ["inactive", "expired"], ["trouble", "expired"], ["inactive"], ["expired"]]


@pytest.mark.parametrize("kinds", [pytest.param(kinds, id=", ".join(kinds)) for kinds in KINDS])
@pytest.mark.parametrize("apart_s", [90, 3600])
def test_crash_without_active_lines_is_an_outage_of_its_own(kinds: list[str], apart_s: int) -> None:
    first = [each for each in _crash(0) if each.kind in kinds]
    later = [each for number in range(10) for each in _crash(number * apart_s) if each.kind in kinds]
    shown = {(each.timer, each.low_s, each.high_s) for each in timer_evidence(first, [], [], [])}
    assert {(each.timer, each.low_s, each.high_s) for each in timer_evidence(later, [], [], [])} == shown


def test_boot_of_the_host_ends_an_outage() -> None:
    lines = [_link(2, "trouble"), row(ClusterLine, 40, source="llt", kind="boot", node_key="b"), _link(60, "expired")]
    assert [each for each in timer_evidence(lines, [], [], []) if each.timer == "peerinact"] == []


def test_lines_that_leave_a_timer_no_length_show_nothing() -> None:
    lines = [row(HaLine, 0, kind="late_heartbeat", value=-5.0)]
    assert list(timer_evidence([], lines, [], [])) == []
