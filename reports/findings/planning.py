"""What to do about HADR, in sentences for each network that was planned with; all numbers come from views."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from reports import numbers
from reports.study.store import Row
from reports.study.view import StudyView
from reports.tables.planning.plan import kibibytes, megabytes, milliseconds
from reports.typeset.text import sentences_of

PAGE_BYTES = 4096
LONG = 60  # characters of a sentence that nobody wants to read twice
SEEN_PCT = 0.05  # less is none of the tenths that are printed

BOUND_BY = {"none alone": "neither disk nor network alone binds", "throttled": "the rate was ordered"}
DOUBTS = {
    "loopback": "both ends on one host",
    "short": "runs shorter than 10 s",
    "window_too_small": "TCP windows too small",
    "aborted": "broken runs",
    "throttled": "an ordered rate",
    "verbose": "runs that printed every message",
}
"""What speaks against runs, in the few words of a highlight; the part on planning says more."""

PROTECTION = {
    "SYNC": "A commit returns when its log is on the disks of both sides.",
    "NEARSYNC": (
        "A commit returns when its log is on the primary's disk and in the standby's memory: it is lost only if "
        "both sides fail at once."
    ),
    "ASYNC": (
        "A commit returns when its log is on the primary's disk and handed to the network: what is still under way "
        "is lost if the primary fails."
    ),
    "SUPERASYNC": (
        "A commit never waits for the standby, which may fall behind without limit: what it lacks is lost if the "
        "primary fails."
    ),
}
"""What each mode promises, after IBM's description of HADR_SYNCMODE."""


@dataclass(frozen=True, slots=True)
class Point:
    """A part of a recommendation: what it is about, and what is said of it."""

    about: str
    text: str


@dataclass(frozen=True, slots=True)
class Warned:
    """A reason for doubt: `is_grave` where nothing may be planned by the runs as they are."""

    is_grave: bool
    text: str


@dataclass(frozen=True, slots=True)
class Advice:
    """What to do about one configuration; without a usable run there are warnings only."""

    label: str
    points: tuple[Point, ...]
    warnings: tuple[Warned, ...]


def advice(study: StudyView) -> list[Advice]:
    """A recommendation with its warnings for every configuration that the simulator ran in."""
    recommended = {row["configuration"]: row for row in study.planning("hadr_recommendations")}
    doubts = study.planning("hadr_warnings")
    names = {row["configuration"]: None for row in [*recommended.values(), *doubts]}
    order = [each.configuration for each in study.configurations]
    found = [
        Advice(
            study.label(name),
            _points(study, recommended[name]) if name in recommended else (),
            tuple(_warned(row) for row in doubts if row["configuration"] == name),
        )
        for name in sorted(names, key=lambda name: order.index(name) if name in order else len(order))
    ]
    return said_once(found)


def said_once(found: Sequence[Advice]) -> list[Advice]:
    """The same, each long sentence only where it comes first."""
    said: set[str] = set()

    def shown(point: Point) -> Point:
        sentences = sentences_of(point.text)
        new = [each for each in sentences if len(each) < LONG or each not in said]
        said.update(sentences)
        return replace(point, text=" ".join(new) or "As above.")

    return [replace(each, points=tuple(map(shown, each.points))) for each in found]


def headlines(study: StudyView) -> list[tuple[str, str]]:
    """A sentence for each network: what to use, what it brings, what speaks against it."""
    grave: dict[str, list[str]] = {}
    for row in study.planning("hadr_warnings"):
        if row["severity"] == "warning":
            grave.setdefault(row["configuration"], []).append(row["warning"])
    return [
        (study.label(row["configuration"]), _headline(row, grave.get(row["configuration"], [])))
        for row in study.planning("hadr_recommendations")
    ]


def _headline(row: Row, doubts: Sequence[str]) -> str:
    flushes = "" if row["flush_pages"] is None else f" in flushes of {numbers.count(row['flush_pages'])} pages"
    what = f"{row['syncmode']}{flushes} ships {megabytes(row['mb_s'])} MB/s"
    modelled = " by the model" if row["reference_source"] == "model" else ""
    less = f", {_lost(row['loss_pct'])} than {row['reference_mode']}{modelled}" if _has_loss(row) else ""
    kind = {"only mode run": " (the only mode run)", "fastest as none will do": " (and no mode will do)"}
    runs = f", over {numbers.count(row['runs'])} run{'' if row['runs'] == 1 else 's'}"
    binding = row["bound_by"]
    bound = f"; {BOUND_BY.get(binding, f'the bottleneck is the {binding}')}" if binding else ""
    warned = f". Doubtful: {', '.join(DOUBTS.get(each, each.replace('_', ' ')) for each in doubts)}" if doubts else ""
    return f"{what}{less}{kind.get(row['choice'], '')}{runs}{bound}{warned}."


def _points(study: StudyView, row: Row) -> tuple[Point, ...]:
    return (
        Point("Sync mode", f"{_mode(row)} {PROTECTION.get(row['syncmode'], '')}".strip()),
        Point("Flush size", _flush_size(study, row)),
        Point("Socket buffers", _buffers(row)),
        Point("Cost", _cost(row)),
        Point("Bottleneck", _bottleneck(row)),
    )


def _mode(row: Row) -> str:
    mode, ships = row["syncmode"], _ships(row)
    if row["choice"] == "only mode run":
        shown = f"{mode} is the only mode that was run: it ships {ships}{_less(row)}."
        return f"{shown} Whether another suits better is not shown."
    if row["choice"] == "fastest as nothing shows what will do":
        return (
            f"{mode} is the fastest mode that was run, with {ships}. Which mode will do is not shown: neither the log "
            f"rate of the workload (factor `log_mb_s`) nor the rate of ASYNC is known.{_safer(row)}"
        )
    return _by_loss(row) if row["required_mb_s"] is None else _by_workload(row)


def _by_workload(row: Row) -> str:
    mode, need = row["syncmode"], f"the workload of {megabytes(row['required_mb_s'])} MB/s ({_workload(row)})"
    if row["choice"] == "fastest as none will do":
        fastest = f"{mode} is the fastest: it ships {_ships(row)}.{_safer(row)}"
        return f"No mode that was run carries {need}. {fastest}"
    return f"Use {mode}, the safest mode that carries {need}: it ships up to {_ships(row)}.{_safer(row)}"


def _by_loss(row: Row) -> str:
    mode, ships, than = row["syncmode"], _ships(row), _reference(row)
    accepted = f"{numbers.fixed(row['accepted_loss_pct'], 0)} %"
    if row["choice"] == "fastest as none will do":
        fastest = f"{mode} is the fastest: it ships {ships}{_less(row)}.{_safer(row)}"
        return f"No mode that was run stays within {accepted} of {than}. {fastest}"
    if mode == row["reference_mode"]:
        use = f"Use {mode}: it ships {ships}, and no safer mode that was run ships within {accepted} of that"
        return f"{use}.{_safer(row)}"
    use = f"Use {mode}, the safest mode that ships no more than {accepted} less than {than}"
    return f"{use}: it ships {ships}{_less(row)}.{_safer(row)}"


def _ships(row: Row) -> str:
    return f"{megabytes(row['mb_s'])} MB/s over {_runs(row['runs'])}"


def _workload(row: Row) -> str:
    return "declared in study.toml" if row["required_source"] == "study.toml" else "the busiest interval of db2logscan"


def _reference(row: Row) -> str:
    how = "by the model" if row["reference_source"] == "model" else "measured"
    return f"{row['reference_mode']} ({megabytes(row['reference_mb_s'])} MB/s {how})"


def _has_loss(row: Row) -> bool:
    return row["loss_pct"] is not None and row["reference_mode"] != row["syncmode"]


def _less(row: Row) -> str:
    if not _has_loss(row):
        return ""
    to = f" than {_reference(row)}" if row["choice"] == "only mode run" else ""
    return f", {_lost(row['loss_pct'])}{to}"


def _lost(loss_pct: float) -> str:
    """A loss in percent; one below zero is a gain."""
    return f"{numbers.fixed(abs(loss_pct), 1)} % {'less' if loss_pct >= 0 else 'more'}"


def _safer(row: Row) -> str:
    if row["safer_mode"] is None:
        return ""
    loss = "" if row["safer_loss_pct"] is None else f", {_lost(row['safer_loss_pct'])} than the freest mode"
    return f" {row['safer_mode']}, the next safer mode that was run, ships {megabytes(row['safer_mb_s'])} MB/s{loss}."


def _flush_size(study: StudyView, row: Row) -> str:
    if row["flush_pages"] is None:
        return "Not shown: the output does not tell it."
    pages, size = row["flush_pages"], kibibytes(row["flush_pages"] * PAGE_BYTES)
    sentences = [f"The mode shipped most with flushes of {numbers.count(pages)} pages ({size} KiB)."]
    others = [
        f"{megabytes(each['mb_s'])} MB/s with {numbers.count(each['flush_pages'])} pages"
        for each in study.planning("hadr_modes")
        if (each["configuration"], each["syncmode"]) == (row["configuration"], row["syncmode"])
        and each["flush_pages"] not in (None, pages)
    ]
    if others:
        sentences.append(f"It ships {_listed(others)}.")
    needed = row["needed_pages"]
    if needed is not None and row["choice"] != "only mode run":
        sentences.append(
            f"By the model {numbers.count(needed)} pages or more will do. Set LOGBUFSZ to at least that, and compare "
            "with the pages that the workload writes at once (log pages over log writes)."
        )
    return " ".join(sentences)


def _buffers(row: Row) -> str:
    if row["needed_bytes"] is None:
        return (
            "How large it must be is not known: give `network_mb_s` and `round_trip_s` as factors of the configuration "
            "in study.toml, or run ASYNC and NEARSYNC."
        )
    needed = kibibytes(row["needed_bytes"])
    sent = f"{_short(row['send_mb_s'])} MB/s ({_known(row['send_source'])})"
    trip = f"{_short(1000 * row['round_trip_s'])} ms ({_known(row['round_trip_source'])})"
    sentences = [f"The window must hold send rate times round trip: {sent} times {trip} is {needed} KiB."]
    asked = kibibytes(row["window_bytes"])
    if row["window_verdict"] == "wide enough":
        sentences.append(f"The {asked} KiB that the runs asked for are enough; more brings nothing.")
        return " ".join(sentences)
    wanted = f"Set DB2_HADR_SOSNDBUF and DB2_HADR_SORCVBUF to {kibibytes(row['buffer_bytes'])} KiB or more"
    if row["window_verdict"] == "too small":
        sentences.append(f"The {asked} KiB that the runs asked for are too small. {wanted}.")
    else:
        sentences.append(f"The runs left the size to the system. {wanted}, or make sure that it gives as much.")
    flush = (row["flush_pages"] or 0) * PAGE_BYTES
    if row["syncmode"] in ("SYNC", "NEARSYNC") and 0 < flush < row["needed_bytes"]:
        sentences.append(f"More than a flush of {kibibytes(flush)} KiB is never under way in this mode.")
    return " ".join(sentences)


def _short(value: float) -> str:
    """Four significant digits at most, as a person would state the number."""
    printed = numbers.compact(value)
    return printed.rstrip("0").rstrip(".") if "." in printed else printed


def _known(source: str) -> str:
    """How a figure of the network is known, in words."""
    words = {
        "stated": "declared in study.toml",
        "asynchronous run": "of the fastest asynchronous run",
        "shipping times": "from shipping times of several flush sizes",
        "shipping time less send time": "shipping time less send time",
    }
    return words.get(source, source)


def _cost(row: Row) -> str:
    if row["commit_wait_s"] is None:
        return "Not shown: the output does not tell how long a flush took."
    wait = f"At full load a commit waits {milliseconds(row['commit_wait_s'])} ms on average (one and a half flushes)"
    if row["alone_commit_wait_s"] is None:
        return f"{wait}; without HADR: not known, as no disk was simulated."
    return f"{wait}; without HADR, on the same disk alone, {milliseconds(row['alone_commit_wait_s'])} ms."


def _bottleneck(row: Row) -> str:
    if row["bound_by"] is None:
        return "Not shown."
    name = {"none alone": "None alone", "throttled": "None: the rate was ordered"}.get(
        row["bound_by"], f"The {row['bound_by']}"
    )
    sentences = [f"{name}: {row['bound_because']}."]
    if row["faster_disk_ratio"] is not None:
        gain = 100 * (row["faster_disk_ratio"] - 1)
        sentences.append(
            "By the model a disk twice as fast would bring nothing."
            if abs(gain) < SEEN_PCT
            else f"By the model a disk twice as fast would bring {numbers.fixed(gain, 1)} % more."
        )
    if row["model_error_pct"] is not None:
        error_pct = row["model_error_pct"]
        compared = "longer" if error_pct > 0 else "less"
        sentences.append(
            "Flushes took as long as by the model."
            if abs(error_pct) < SEEN_PCT
            else f"Flushes took {numbers.fixed(abs(error_pct), 1)} % {compared} than by the model."
        )
    return " ".join(sentences)


def _warned(row: Row) -> Warned:
    things = "setting" if row["warning"] == "run_once" else "run"
    return Warned(row["severity"] == "warning", f"{_share(row['runs'], row['of_runs'], things)}: {row['text']}.")


def _share(count: int, whole: int, noun: str) -> str:
    if count == whole:
        return f"The only {noun}" if whole == 1 else f"All {numbers.count(whole)} {noun}s"
    return f"{numbers.count(count)} of {numbers.count(whole)} {noun}s"


def _runs(count: int) -> str:
    return "1 run" if count == 1 else f"{numbers.count(count)} runs"


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
