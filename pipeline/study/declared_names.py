"""Names in study.toml that the file itself, or haledger, has to know: formats, milestones, phases, tables, figures."""

from collections.abc import Collection, Iterator

from parsers.format import formats
from pipeline.study.draft import Usable
from pipeline.study.manifest_entries import Publication
from pipeline.study.manifest_mistakes import Document, Mistake
from pipeline.study.manifest_tables import Tables
from pipeline.study.prose import wrong_expressions
from pipeline.study.rules import INSTANTS, milestone_names, phase_names
from pipeline.study.toml_lines import Place
from pipeline.suggestions import hint


def wrong_names(found: Usable[Tables], document: Document) -> Iterator[Mistake]:
    """Every name that is not known, and every one that is given twice."""
    for place, name, known, what in _names(found):
        if name not in known:
            yield document.wrong(place, f"{what} {name!r}{hint(name, known)}")
    yield from _given_twice("table", found.placed("table", found.tables.publication_tables), document)
    yield from _given_twice("figure", found.placed("figure", found.tables.publication_figures), document)
    for place, body in _prose(found):
        for reason in wrong_expressions(body):
            yield document.wrong(place, reason)


def _names(found: Usable[Tables]) -> Iterator[tuple[Place, str, Collection[str], str]]:
    """Place, name, the names that are known, and what it is not."""
    tables = found.tables
    formats_known = {*formats(), *(each.name for each in tables.formats)}
    for place, files in found.placed("files", tables.files):
        if files.format is not None:
            yield (*place, "format"), files.format, formats_known, "no format"
    milestones = {*milestone_names(), *(each.name for each in tables.milestones)}
    for place, milestone in found.placed("milestone", tables.milestones):
        neighbours = {*INSTANTS, *milestones} - {milestone.name}
        yield (*place, "after"), milestone.after, neighbours, "no instant and no other milestone"
        yield (*place, "before"), milestone.before, neighbours, "no instant and no other milestone"
    for place, claim in found.placed("claim", tables.claims):
        if claim.milestone is not None:
            yield (*place, "milestone"), claim.milestone, milestones, "no milestone"
        yield from (((*place, "published"), name, milestones, "no milestone") for name in sorted(claim.steps_published))
        if claim.phase is not None:
            yield (*place, "phase"), claim.phase, phase_names(), "no phase"


def _given_twice(kind: str, entries: Iterator[tuple[Place, Publication]], document: Document) -> Iterator[Mistake]:
    taken: set[str] = set()
    for place, each in entries:
        if each.name in taken:
            yield document.wrong((*place, "name"), f"{each.name!r} is the name of another {kind}; choose a free one")
        taken.add(each.name)


def _prose(found: Usable[Tables]) -> Iterator[tuple[Place, str]]:
    if found.tables.study.abstract:
        yield ("study", "abstract"), found.tables.study.abstract
    for place, section in found.placed("section", found.tables.sections):
        yield (*place, "body"), section.body
