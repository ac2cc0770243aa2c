import pytest

from pipeline.failover.recovery.hadr_takeovers import HadrTakeover, TakeoverRecord, hadr_takeover
from tests.support.evidence_rows import row


def record(second: float, kind: str, **others: object) -> TakeoverRecord:
    return row(TakeoverRecord, second, kind=f"hadr_{kind}", line_no=int(second), **({"database": "sample"} | others))


def takeovers(*records: TakeoverRecord) -> list[HadrTakeover]:
    return list(hadr_takeover(records))


PEER = {"old_role": "standby", "new_role": "primary", "new_state": "peer"}


@pytest.mark.parametrize(
    ("is_forced", "duration_s", "done_kind"),
    [
        pytest.param(False, 5.0, "hadr_state", id="a switch of roles is done when both are peers"),
        pytest.param(True, 2.0, "hadr_role", id="by force it is done when the role is primary"),
    ],
)
def test_end_of_a_takeover(duration_s: float, done_kind: str, *, is_forced: bool) -> None:
    (found,) = takeovers(
        record(10, "command", command="takeover"),
        record(11, "takeover", is_forced=is_forced, side="standby"),
        record(12, "role", old_role="standby", new_role="primary"),
        record(15, "state", **PEER),
    )
    assert (found.duration_s, found.done_kind, found.database) == (duration_s, done_kind, "SAMPLE")


def test_attempts_fail_until_one_is_done() -> None:
    commands = [record(second, "command", command="takeover") for second in (10, 20, 30, 40)]
    found = takeovers(*commands, record(35, "state", **PEER))
    assert [(each.failed_attempts, each.done_at is not None) for each in found] == [
        (0, False),
        (1, False),
        (2, True),
        (0, False),
    ]


def test_copy_of_a_log_shows_nothing_new() -> None:
    commands = [record(10, "command", command="takeover", file_id=file_id) for file_id in (1, 2)]
    assert [each.file_id for each in takeovers(*commands)] == [1]
