"""The verdicts on a run with an incident: condition, outcome, sentence, and the line that shows it."""

from collections.abc import Callable
from datetime import datetime
from operator import attrgetter
from typing import Any, Final, NamedTuple

from pipeline.failover.outcome.outcome_facts import Facts
from pipeline.failover.outcome.outcome_lines import OutcomeLine
from pipeline.failover.windows import AT_ONCE, CLIENTS_FOLLOW, LONG_WAIT, LONGER_THAN_NEEDED, MUCH_LONGER_THAN_NEEDED


class Place(NamedTuple):
    """A line of a log."""

    file_id: int | None
    line_no: int | None


# --- conditions ------------------------------------------------------------------------------------------------------


def _was_ordered(run: Facts) -> bool:
    return run.incident.is_planned


def _has_no_fault_time(run: Facts) -> bool:
    return run.progress.fault_at is None


def _nothing_moved(run: Facts) -> bool:
    return run.is_unmoved and run.recovered_at is None


def _nothing_moved_and_no_log_could_show_it(run: Facts) -> bool:
    return _nothing_moved(run) and run.is_idle and run.progress.progress_at is None


def _nothing_moved_unwitnessed(run: Facts) -> bool:
    return _nothing_moved(run) and run.is_alone


def _nothing_moved_and_maybe_nothing_was_there(run: Facts) -> bool:
    return _nothing_moved(run) and (run.is_idle or not run.holders)


def _nothing_moved_and_logs_end(run: Facts) -> bool:
    is_elsewhere = bool(run.holders) and not any(each.is_lost for each in run.holders)
    return _nothing_moved(run) and run.failure is None and not is_elsewhere and not run.goes_on_after_loss


def _came_when_not_followed(run: Facts) -> bool:
    return run.recovered_at is None and run.failure is None and run.later is not None


def _group_was_left_behind(run: Facts) -> bool:
    return run.failure is not None and run.failure.says == "left"


def _person_mended_a_failure(run: Facts) -> bool:
    failure, hand = run.failure, run.by_hand
    return (
        run.recovered_at is None
        and failure is not None
        and hand is not None
        and failure.says != "stop"
        and failure.at < hand.at
    )


def _failed_with(says: str) -> Callable[[Facts], bool]:
    """That the first failure of a run that did not recover says so."""
    return lambda run: run.recovered_at is None and run.failure is not None and run.failure.says == says


def _faulted_and_nobody_took_over(run: Facts) -> bool:
    return _failed_with("fault")(run) and run.incident.surviving_node is None


def _faulted_and_logs_go_on(run: Facts) -> bool:
    since = run.failure and run.failure.at
    ends_at = run.logs_end_at
    is_long = ends_at is not None and since is not None and ends_at >= since + LONG_WAIT
    return _faulted_and_nobody_took_over(run) and is_long


def _went_down_unwitnessed(run: Facts) -> bool:
    return run.is_alone and any(_failed_with(says)(run) for says in ("start", "lost"))


def _was_lost_just_after_unwitnessed(run: Facts) -> bool:
    return run.is_alone and _was_lost_just_after(run)


def _no_log_can_show_the_missing_step(run: Facts) -> bool:
    return run.recovered_at is None and bool(run.progress.is_hidden)


def _logs_go_on_without_the_missing_step(run: Facts) -> bool:
    progress, last_sign_at = run.progress, run.last_sign_at
    goes_on = (
        progress.deciding_end_at is not None
        and last_sign_at is not None
        and progress.deciding_end_at > last_sign_at + AT_ONCE
        and (run.is_to_limit or run.is_long(progress.deciding_end_at, last_sign_at, LONGER_THAN_NEEDED))
    )
    hangs = progress.is_begun and (
        run.is_to_limit or run.is_long(progress.end_at, last_sign_at, MUCH_LONGER_THAN_NEEDED)
    )
    return run.recovered_at is None and (goes_on or hangs)


def _deciding_logs_are_silent(run: Facts) -> bool:
    return run.recovered_at is None and run.progress.progress_at is None


def _silent_and_nobody_took_over(run: Facts) -> bool:
    return _deciding_logs_are_silent(run) and run.incident.surviving_node is None


def _logs_ended(run: Facts) -> bool:
    return run.recovered_at is None


def _logs_ended_before_a_step(run: Facts) -> bool:
    lacks = run.progress.missing_step is not None or run.progress.open_resource is not None
    return _logs_ended(run) and run.progress.last_step is not None and lacks


def _node_went_down_before_service(run: Facts) -> bool:
    return run.stopped is not None and (run.by_hand is None or run.stopped.at < run.by_hand.at)


def _was_stopped_before_service(run: Facts) -> bool:
    return _node_went_down_before_service(run) and run.stopped is not None and run.stopped.says == "stop"


def _person_stepped_in(run: Facts) -> bool:
    return run.by_hand is not None


def _went_down_again(run: Facts) -> bool:
    return run.down is not None


def _was_lost_just_after(run: Facts) -> bool:
    return run.lost is not None


def _clients_asked_in_vain(run: Facts) -> bool:
    outage = run.in_vain
    return (
        outage is not None
        and outage.last_failure_at is not None
        and run.recovered_at is not None
        and outage.last_failure_at > run.recovered_at + CLIENTS_FOLLOW
    )


def _every_step_was_done(run: Facts) -> bool:
    return run.recovered_at is not None


# --- the line that shows it, and what comes after it is no automatic recovery -----------------------------------------


def loss_line(run: Facts) -> Place:
    """The first evidence of the loss."""
    return Place(run.incident.file_id, run.incident.line_no)


def _service_line(run: Facts) -> Place:
    return Place(run.progress.service_file_id, run.progress.service_line_no)


def _progress_line(run: Facts) -> Place:
    return Place(run.progress.progress_file_id, run.progress.progress_line_no)


def _step_line(run: Facts) -> Place:
    return Place(run.progress.step_file_id, run.progress.step_line_no)


def _not_censored(_: Facts, __: Place) -> None:
    return None


def _from_the_line_on(_: Facts, line: OutcomeLine) -> datetime:
    return line.at


def _from_recovery_on(run: Facts, _: Place) -> datetime | None:
    return run.recovered_at


def _after_the_logs(run: Facts, _: Place) -> datetime | None:
    return run.ends_at or run.progress.last_step_at


def _after_the_last_sign(run: Facts, _: Place) -> datetime | None:
    return run.last_sign_at or run.progress.deciding_end_at or run.progress.end_at


class Verdict(NamedTuple):
    """What became of a run that fulfils a condition, and of which no earlier verdict holds.

    `reason`: with names of `_words` in braces. `line`: the line that shows it, else the loss. `censored`: from when on.
    """

    condition: Callable[[Facts], bool]
    outcome: str
    reason: str
    line: Callable[[Facts], Any]
    censored: Callable[[Facts, Any], datetime | None]


A_STEP_FAILED = "a step failed on {node} after {after} s: {text}"
STEPPED_IN = "a person stepped in after {after} s: {text}"
WAS_STOPPED = "the cluster or the node was stopped after {after} s: {text}"
NOBODY_TOOK_OVER = "no line shows that a service started after the fault, nor on which node"
CAME_LATER = "steps were followed for {follow} (`follow` of `[study]`); {text} came later, {later} s after the fault"
LOGS_END_WITH_LOSS = "the logs end with the node loss; no line shows what became of the service"
UNWITNESSED = "{node} went down after {after} s; no log of another server can show who had the service then"
NOTHING_STARTED = "no service started on another node after the loss"

_failure = attrgetter("failure")
_by_hand = attrgetter("by_hand")
_stopped = attrgetter("stopped")

VERDICTS: Final = (
    Verdict(
        _was_ordered,
        "planned",
        "the change was planned: somebody ordered it, or who left announced it",
        loss_line,
        _not_censored,
    ),
    Verdict(_came_when_not_followed, "not_followed", CAME_LATER, attrgetter("later"), _after_the_logs),
    Verdict(
        _nothing_moved_and_no_log_could_show_it,
        "unknown",
        "no log of the surviving node's cluster manager or database is there to show whether a service moved",
        loss_line,
        _after_the_logs,
    ),
    Verdict(_nothing_moved_and_logs_end, "log_ended", LOGS_END_WITH_LOSS, loss_line, _after_the_logs),
    Verdict(
        _has_no_fault_time,
        "unknown",
        "no line shows when the fault happened, so that no step can be counted from it "
        "(say it in study.toml: `fault_at` of `[[run]]`)",
        loss_line,
        _after_the_last_sign,
    ),
    Verdict(
        _nothing_moved_and_maybe_nothing_was_there,
        "unknown",
        "no service moved, and no line shows that the lost node had one",
        loss_line,
        _after_the_logs,
    ),
    Verdict(
        _nothing_moved_unwitnessed,
        "unknown",
        "the only log is of a node that lost its quorum; nodes that kept theirs may have gone on",
        loss_line,
        _after_the_logs,
    ),
    Verdict(_nothing_moved, "failed", NOTHING_STARTED, loss_line, _after_the_logs),
    Verdict(_group_was_left_behind, "failed", A_STEP_FAILED, _failure, _from_the_line_on),
    Verdict(_person_mended_a_failure, "recovered_by_hand", STEPPED_IN, _by_hand, _from_the_line_on),
    Verdict(_failed_with("stop"), "aborted", WAS_STOPPED, _failure, _from_the_line_on),
    Verdict(
        _faulted_and_logs_go_on,
        "failed",
        "a resource faulted after {after} s, and no service started anywhere: {text}",
        _failure,
        _from_the_line_on,
    ),
    Verdict(_faulted_and_nobody_took_over, "unknown", NOBODY_TOOK_OVER, _step_line, _after_the_last_sign),
    Verdict(_failed_with("fault"), "failed", A_STEP_FAILED, _failure, _from_the_line_on),
    Verdict(_went_down_unwitnessed, "unknown", UNWITNESSED, _failure, _from_the_line_on),
    Verdict(
        _failed_with("start"),
        "failed",
        "the node that took over, {node}, went down too: it restarted after {after} s",
        _failure,
        _from_the_line_on,
    ),
    Verdict(
        _failed_with("lost"),
        "failed",
        "the node that took over, {node}, was lost too, after {after} s",
        _failure,
        _from_the_line_on,
    ),
    Verdict(
        _no_log_can_show_the_missing_step,
        "unknown",
        "no log of the run can show {missing}, and `{last}` alone does not say that the service was back",
        _step_line,
        _after_the_logs,
    ),
    Verdict(
        _logs_go_on_without_the_missing_step,
        "failed",
        "{missing} never came, though the logs go on until {end} s",
        _progress_line,
        _after_the_logs,
    ),
    Verdict(_silent_and_nobody_took_over, "unknown", NOBODY_TOOK_OVER, _step_line, _after_the_last_sign),
    Verdict(
        _deciding_logs_are_silent,
        "unknown",
        "no log of the surviving node's cluster manager or database is there",
        _step_line,
        _after_the_last_sign,
    ),
    Verdict(
        _logs_ended_before_a_step,
        "log_ended",
        "the logs of {node} say nothing of the failover after {after} s (last step `{last}`), before {missing}",
        _progress_line,
        _after_the_last_sign,
    ),
    Verdict(
        _logs_ended,
        "log_ended",
        "the logs of {node} say nothing of the failover after {after} s",
        _progress_line,
        _after_the_last_sign,
    ),
    Verdict(_was_stopped_before_service, "aborted", WAS_STOPPED, _stopped, _from_the_line_on),
    Verdict(
        _node_went_down_before_service,
        "failed",
        "the node that took over, {node}, went down too before the service was back: after {after} s, {text}",
        _stopped,
        _from_the_line_on,
    ),
    Verdict(_person_stepped_in, "recovered_by_hand", STEPPED_IN, _by_hand, _from_the_line_on),
    Verdict(
        _went_down_again,
        "failed",
        "the service went down again after {after} s, after its first recovery: {text}",
        attrgetter("down"),
        _from_the_line_on,
    ),
    Verdict(_was_lost_just_after_unwitnessed, "unknown", UNWITNESSED, attrgetter("lost"), _from_the_line_on),
    Verdict(
        _was_lost_just_after,
        "failed",
        "the node that took over, {node}, was lost too, after {after} s, just after the service was back",
        attrgetter("lost"),
        _from_the_line_on,
    ),
    Verdict(
        _clients_asked_in_vain,
        "failed",
        "the cluster completed its last step, but no client got an answer until the end of its log",
        attrgetter("in_vain"),
        _from_recovery_on,
    ),
    Verdict(
        _every_step_was_done,
        "recovered",
        "every step that means service was done, the last `{service}`",
        _service_line,
        _not_censored,
    ),
)
"""In this order: the first of which the condition holds decides."""
