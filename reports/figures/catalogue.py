"""All figures of a study, by name."""

from pipeline.errors import UsageError
from reports.figures.bars import bars
from reports.figures.model import Figure
from reports.figures.strip import recovery_times
from reports.figures.timeline import timeline, timelines
from reports.store import Row
from reports.study_view import StudyView, options_of
from reports.tables.model import Naming
from reports.tables.study import chosen

KINDS = ("timeline", "recovery-times")


def all_figures(study: StudyView) -> dict[str, Figure]:
    """Every figure that the store has data for: the built-in ones, then the study's own."""
    own = study_figures(study)
    strip = recovery_times(study)
    found: dict[str, Figure] = {}
    for figure in ([strip] if strip else []) + timelines(study, hidden=_drawn(own)) + own:
        if figure.name in found:
            raise UsageError(
                f"study.toml, figure {figure.name!r}: this name belongs to another figure; choose a free one"
            )
        found[figure.name] = figure
    return found


def study_figures(study: StudyView) -> list[Figure]:
    """The figures of the manifest, in its order."""
    if not study.store.has("study.publication_figure"):
        return []
    found = study.store.rows("select * from study.publication_figure order by position")
    return [figure for row in found if (figure := _figure(study, row)) is not None]


def _figure(study: StudyView, row: Row) -> Figure | None:
    owner = f"study.toml, figure {row['name']!r}"
    options = options_of(row)
    label = str(options.get("label") or options.get("number") or "")
    if row["sql"]:
        return bars(study, row, label=label, owner=owner)
    if row["kind"] not in KINDS:
        raise UsageError(f"{owner}: unknown kind {row['kind']!r}; expected {' or '.join(KINDS)}, or a key 'sql'")
    naming = Naming(row["name"], row["caption"], label)
    members = chosen(study, row["configurations"], owner)
    if row["kind"] == "recovery-times":
        return recovery_times(study, members, naming)
    stated = options.get("phases")
    phases = [str(each) for each in stated] if isinstance(stated, list) else []
    if not any(phase["configuration"] in {m.configuration for m in members} for phase in study.phases):
        return None
    return timeline(study, members, naming, phases=phases)


def _drawn(figures: list[Figure]) -> list[str]:
    return [name for figure in figures for name in figure.configurations if figure.names[1] == "phase"]
