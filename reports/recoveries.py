"""Of how many runs the service came back, in words: `5 of 10 (24 to 76 %)`, and what became of the others."""

from collections.abc import Iterable, Sequence
from typing import Final

from reports import numbers
from reports.study.store import Row
from reports.study.view import StudyView
from reports.words import counted, quoted_label

SUBJECT: Final = "Recovered by themselves"
CI: Final = "95\u00a0% CI "


def is_whole(study: StudyView) -> bool:
    """Whether every run that a fault hit recovered by itself."""
    return all(row["recovered"] == row["runs"] for row in study.rows("recovery"))


def k_of_n(row: Row, noun: str = "", interval: str = "") -> str:
    """`5 of 10 (24 to 76 %)`: runs that recovered, all runs (with a `noun`), Wilson's 95 % interval of their share.

    `interval`: what it is called, where nothing around it says so. Runs of several kinds of fault have no common share.
    """
    low, high = (numbers.fixed(100 * row[name], 0) for name in ("ci95_low", "ci95_high"))
    of = counted(row["runs"], noun) if noun else numbers.count(row["runs"])
    if row["kinds"] > 1:
        return f"{numbers.count(row['recovered'])} of {of} (of several kinds of fault)"
    return f"{numbers.count(row['recovered'])} of {of} ({interval}{low} to {high}\u00a0%)"


def sentence(study: StudyView) -> str:
    """`5 of 10 (95 % CI 24 to 76 %)`, for each configuration, those that came back least first; empty without runs."""
    rows = study.rows("recovery")
    if not rows:
        return ""
    if len(rows) == 1:
        return f"{k_of_n(rows[0], 'failover', CI)}."
    alike: dict[str, list[Row]] = {}
    for row in sorted(rows, key=lambda each: each["share"]):
        alike.setdefault(k_of_n(row, interval=CI), []).append(row)
    if len(alike) == 1:
        return f"{k_of_n(rows[0], 'failover', CI)} in each of {counted(len(rows), 'configuration')}."
    return f"{'; '.join(f'{text} {_with(study, group)}' for text, group in alike.items())}."


def _with(study: StudyView, rows: Sequence[Row]) -> str:
    if len(rows) > 3:
        return f"in each of {counted(len(rows), 'configuration')}"
    return f"with {' and with '.join(quoted_label(study.label_inside(row['configuration'])) for row in rows)}"


def runs_of(study: StudyView, configuration: str, runs: int) -> str:
    """Over what a mean of the time to recovery is: `10 runs`, or `the 5 of 10 runs that came back`."""
    row = study.recovery_of(configuration)
    if kind := study.kind_of_fault(configuration):
        return f"{counted(runs, 'run')} ({kind})"
    if row is None or row["recovered"] == row["runs"]:
        return counted(runs, "run")
    return f"the {numbers.count(runs)} of {numbers.count(row['runs'])} runs that came back"


def mean_of(study: StudyView, configuration: str, runs: int) -> str:
    """What a time to recovery is: `the mean of 10 runs`, `in one run`."""
    if runs == 1 and runs_of(study, configuration, runs) == "1 run":
        return "in one run"
    return f"the mean of {runs_of(study, configuration, runs)}"


def is_censored(study: StudyView, configurations: Iterable[str]) -> bool:
    """Whether a run of one of these configurations did not come back by itself."""
    found = map(study.recovery_of, configurations)
    return any(row is not None and row["recovered"] < row["runs"] for row in found)


def note(study: StudyView, configurations: Iterable[str]) -> tuple[str, ...]:
    """A line below a table of means, where some runs did not come back; else none."""
    found = [row for each in configurations if (row := study.recovery_of(each)) and row["recovered"] < row["runs"]]
    if not found:
        return ()
    text = "; ".join(f"{quoted_label(study.label(row['configuration']))} {k_of_n(row)}" for row in found)
    return (
        f"Times to recovery are means of the runs that came back: {text}. Earlier steps count in the other runs too.",
    )


def run_range(rows: Iterable[Row]) -> str:
    """`10` or `8 to 10`."""
    found = sorted({row["runs"] for row in rows})
    if not found:
        return numbers.DASH
    return numbers.count(found[0]) if len(found) == 1 else f"{numbers.count(found[0])} to {numbers.count(found[-1])}"
