"""The table of what events did to the throughput."""

from reports import numbers
from reports.metrics import name_of, title_of
from reports.study.store import Row
from reports.study.view import StudyView
from reports.tables.catalogue import table
from reports.tables.fields import compact, configuration, count, fixed, from_rows, printed, word, worded
from reports.tables.model import Table


@table(section="results", topic="throughput", after="relative-query-times")
def throughput_dips(study: StudyView) -> list[Table]:
    """What a fault or a noted event did to the throughput."""
    found = study.rows("throughput_dips")
    if not found:
        return []
    rates = list(dict.fromkeys(title_of(row["metric"], row["unit"]) for row in found))
    has_rates = len(rates) > 1
    columns = (
        configuration(study),
        word("Event", "text"),
        *([worded("Rate", "metric", lambda row: name_of(row["metric"]))] if has_rates else []),
        count("Runs", "runs"),
        count("with a dip", "dip_runs"),
        compact("Before", "baseline"),
        compact("Lowest", "lowest"),
        fixed("Depth", "depth_pct", 1, unit="%"),
        fixed("No work", "longest_outage_s", 0, unit="s", spanner="Time"),
        printed("to recovery", ("recovered_s", "longest_recovered_s"), _recovery, unit="s", spanner="Time"),
        printed("Work lost", ("lost", "lost_half_width"), _lost),
    )
    resolution = numbers.compact(max(row["resolution_s"] for row in found))
    of_what = "the throughput" if has_rates else rates[0]
    return from_rows(
        found,
        f"What each event did to {of_what}: how deep it fell, and for how long",
        columns,
        note=(
            "Before: median of the steady intervals before the dip. A dip is a stretch more than 10 % below that, and "
            "below its noise; lowest, depth and time to recovery (back at 90 %) are means over the dips, "
            "then the longest. No work: the longest stretch in any run. Work lost: what the rate before would have "
            "done more, mean over the dips, ± half the 95 % interval of one. Times are known to the length of an "
            f"interval, at most {resolution} s."
        ),
        source="Source: relation measurement_dip.",
        row_heads=3,
        is_grouped=True,
    )


def _recovery(row: Row) -> str:
    if not row["dip_runs"]:
        return numbers.DASH
    if not row["recovered_runs"]:
        return "not seen"
    mean = numbers.fixed(row["recovered_s"], 1)
    longest = numbers.fixed(row["longest_recovered_s"], 1)
    part = "" if row["recovered_runs"] == row["dip_runs"] else f" in {row['recovered_runs']} of {row['dip_runs']}"
    return f"{mean}{part}" if mean == longest else f"{mean}, at most {longest}{part}"


def _lost(row: Row) -> str:
    if row["lost"] is None:
        return numbers.DASH
    return numbers.compact_and_spread(row["lost"], row["lost_half_width"])
