"""How many runs a figure shows, reported below it: the number without which nobody can assess a mean or a scatter."""

from reports.figures.model import Figure
from reports.words import counted


def noted(figure: Figure) -> Figure:
    """The figure with a note on its runs, where its rows are of runs and its caption does not tell."""
    if not {"configuration", "run"} <= set(figure.names) or " runs" in figure.caption:
        return figure
    configuration, run = figure.names.index("configuration"), figure.names.index("run")
    runs: dict[object, set[object]] = {}
    for row in figure.rows:
        if row[run] is not None:
            runs.setdefault(row[configuration], set()).add(row[run])
    if not runs:
        return figure
    counts = sorted(len(each) for each in runs.values())
    least, most = counts[0], counts[-1]
    span = counted(most, "run") if least == most else f"{least} to {counted(most, 'run')}"
    return figure.with_note(f"{span} in each configuration." if len(counts) > 1 else f"{span}.")
