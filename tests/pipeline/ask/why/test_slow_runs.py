"""What slow or failed runs say and the others do not, on runs whose cause was planted."""

import random
from typing import Any

import pytest

from pipeline.ask.why.slow_runs import FAULT, Timed, Why, why
from pipeline.errors import UsageError

STEPS = ("silent", "membership", "imported", "checked", "mounted", "started", "recovered", "online")
CAUSES = (
    ("WARNING", "mount will be tried again"),
    ("info", "fsck replays the log of a file system"),
    ("ERROR", "monitor gave no answer in its time"),
    ("notice", "no answer from the name server, asking the next"),
)
NOISE = ("session opened for a user", "lease renewed", "file rotated")


def message(run: str, at_s: float | None, text: str, severity: str = "info", **others: Any) -> dict[str, Any]:
    """A row of messages.sql. `at_s` None: said, but not on the way to recovery."""
    row: dict[str, Any] = {"configuration": "tuned", "run": run, "source": "syslog", "process": "", "template": text}
    row |= {"before": 0, "on_way": int(at_s is not None), "first_s": at_s, "node": "a", "severity": severity}
    return row | {"text": text, "path": f"{run}/messages", "line_no": 1} | others


def study(rng: random.Random, *, fails: bool = False) -> tuple[list[Timed], list[dict[str, Any]], str, float]:
    """Ten runs of eight steps, one of them held up: runs, messages, the text of the cause and the seconds it cost."""
    held, delay, at_step = rng.randrange(10), rng.uniform(10, 60), rng.randrange(1, len(STEPS))
    severity, cause = rng.choice(CAUSES)
    runs, rows = [], []
    for number in range(10):
        name, now = f"run{number:02}", 0.0
        for place, step in enumerate(STEPS):
            if number == held and place == at_step:
                rows.append(message(name, now + 0.3, cause, severity))
                if fails:
                    break
                now += delay
            now += rng.uniform(2, 2.5)
            rows.append(message(name, now, step))
        is_failed = fails and number == held
        runs.append(Timed(name, "failed" if is_failed else "recovered", None if is_failed else now))
        rows += [message(name, rng.uniform(0, now), text) for text in NOISE if rng.random() < 0.2]
    return runs, rows, cause, delay


def asked(runs: list[Timed], rows: list[dict[str, Any]], run: str | None = None) -> Why:
    ordered = sorted(rows, key=lambda row: (row["first_s"] is None, row["first_s"] or 0.0))
    return why("tuned", runs, ordered, run)


@pytest.mark.parametrize("fails", [False, True])
def test_a_planted_cause_is_among_the_first_three(*, fails: bool) -> None:
    rng = random.Random(41)  # noqa: S311  not for secrets
    found = 0
    for _ in range(100):
        runs, rows, cause, _ = study(rng, fails=fails)
        found += cause in [told.places[0].text for told in asked(runs, rows).only[:3]]
    assert found >= 95


def test_the_step_that_was_held_up_is_as_long_as_it_was_held_up() -> None:
    rng = random.Random(42)  # noqa: S311  not for secrets
    for _ in range(50):
        runs, rows, cause, delay = study(rng)
        found = asked(runs, rows)
        (step,) = found.steps
        told = next(told for told in found.only if told.places[0].text == cause)
        assert told.is_in_step
        assert step.seconds == pytest.approx(delay + sum(step.others_s) / 2, abs=1.0)


def test_a_failed_run_ends_at_the_last_step_that_it_reached() -> None:
    runs = [Timed(f"run{n}", "recovered", 10.0) for n in range(3)] + [Timed("run3", "failed", None)]
    rows = [message(f"run{n}", at_s, text) for n in range(3) for at_s, text in ((2.0, "imported"), (9.0, "online"))]
    found = asked(runs, [*rows, message("run3", 2.5, "imported")])
    assert [(each.begin.text, each.end, each.others_s) for each in found.steps] == [("imported", None, (7.0, 7.0))]
    assert [place.text for place in found.missing] == ["online"]
    assert found.only == ()


def test_a_run_without_a_common_message_is_held_up_since_the_fault() -> None:
    runs = [Timed("a", "recovered", 10.0), Timed("b", "recovered", 10.5), Timed("c", "recovered", 40.0)]
    found = asked(runs, [message("c", 12.0, "retry")])
    assert [(step.begin.text, step.seconds) for step in found.steps] == [(FAULT, 40.0)]


def test_what_another_run_says_anywhere_is_not_of_this_run_alone() -> None:
    runs = [Timed("a", "recovered", 10.0), Timed("b", "recovered", 11.0), Timed("c", "recovered", 40.0)]
    rows = [message("c", 12.0, "retry"), message("c", 13.0, "rotated"), message("a", None, "rotated")]
    assert [told.places[0].text for told in asked(runs, rows).only] == ["retry"]


def test_what_is_said_far_more_often_is_shown_with_both_counts() -> None:
    runs = [Timed("a", "recovered", 10.0), Timed("b", "recovered", 11.0), Timed("c", "recovered", 40.0)]
    rows = [message(run, 3.0, "retry", on_way=count) for run, count in (("a", 1), ("b", 2), ("c", 9))]
    assert [(told.count, told.most_elsewhere) for told in asked(runs, rows).more_often] == [(9, 2)]


@pytest.mark.parametrize(
    ("times", "named", "chosen", "slow"),
    [
        ((10.0, 10.2, 9.9, 30.0), None, "slow", ["r3"]),
        ((10.0, 10.2, None, 30.0), None, "slow or failed", ["r2", "r3"]),
        ((10.0, 10.2, None, 10.1), None, "failed", ["r2"]),
        ((10.0, 10.2, 9.9, 10.1), None, "slowest", ["r1"]),
        ((10.0, 10.2, 9.9, 30.0), "r0", "named", ["r0"]),
    ],
)
def test_runs_in_question(times: tuple[float | None, ...], named: str | None, chosen: str, slow: list[str]) -> None:
    runs = [Timed(f"r{n}", "failed" if time is None else "recovered", time) for n, time in enumerate(times)]
    found = asked(runs, [], named)
    assert (found.chosen, [run.run for run in found.slow]) == (chosen, slow)


def test_a_run_alone_has_nothing_to_be_compared_with() -> None:
    with pytest.raises(UsageError, match="it takes two runs"):
        asked([Timed("a", "recovered", 10.0), Timed("b", "planned", None)], [])
