"""Validates study.toml against the study: every mistake in it is reported at once, before a log is read.

`pipeline.study.manifest` finds mistakes that the file shows by itself. This module adds globs and names that match no
file, and statements that fail on a store without rows. Names that only the content of logs can give are checked
against the new store before it replaces the old one.
"""

from collections.abc import Iterator, Sequence

import duckdb

from parsers.format import Recognition, formats
from pipeline.discovery.source import Source
from pipeline.errors import UsageError
from pipeline.reading.lines import read_head
from pipeline.study.declared_places import Names, names_of_paths, wrong_globs, wrong_places
from pipeline.study.manifest import Declared, Manifest
from pipeline.study.manifest_mistakes import Mistake, refusal
from pipeline.suggestions import hint

MOST_HEADS = 5000
"""Files of which the first lines are looked at, before a name counts as one that may be in any of them."""

NAMES = """
select configuration, run from main.source_file where configuration is not null
union
select configuration, null from main.configuration_order
union
select configuration, run from main.run
order by all
"""
METRICS = "select distinct metric from main.measurement_stats order by metric"


def validate_before_reading(
    declared: Declared, sources: Sequence[Source], *, has_bound: bool, reference: str = ""
) -> None:
    """Refuse a study.toml with mistakes, and a `reference` that no folder can be.

    `has_bound`: its statements did already, with this version of haledger.
    """
    paths = [each.path for each in sources]
    if declared.document is None and not reference:
        return
    names = names_of_paths(declared, paths)
    if reference and names.lacks(reference) and not _may_name_configurations(sources, declared.manifest):
        raise _no_reference(reference, names)
    if declared.document is None:
        return
    from pipeline.ingest.declared_statements import wrong_statements

    mistakes = [*declared.mistakes, *wrong_globs(declared, paths)]
    misplaced = list(wrong_places(declared, names))
    if misplaced and not _may_name_configurations(sources, declared.manifest):
        mistakes += misplaced
    if not has_bound:
        mistakes += wrong_statements(declared)
    if mistakes:
        raise refusal(mistakes)


def validate_against_store(declared: Declared, con: duckdb.DuckDBPyConnection, reference: str = "") -> None:
    """Refuse names that the logs themselves do not have either."""
    if declared.document is None and not reference:
        return
    runs: dict[str, set[str]] = {}
    for configuration, run in con.execute(NAMES).fetchall():
        runs.setdefault(configuration, set()).update([] if run is None else [run])
    names = Names(runs)
    if reference and names.lacks(reference):
        raise _no_reference(reference, names)
    if declared.document is None:
        return
    mistakes = [*wrong_places(declared, names), *_wrong_metrics(declared, con)]
    if mistakes:
        raise refusal(mistakes)


def _no_reference(reference: str, names: Names) -> UsageError:
    return UsageError(f"--reference {reference}: no configuration of this study{names.like(reference)}")


def _wrong_metrics(declared: Declared, con: duckdb.DuckDBPyConnection) -> Iterator[Mistake]:
    claims = declared.usable.placed("claim", declared.manifest.claims)
    asked = [(place, each.measurement) for place, each in claims if each.measurement is not None]
    known = [name for (name,) in con.execute(METRICS).fetchall()] if asked else []
    for place, name in asked:
        if name not in known and declared.document is not None:
            yield declared.document.wrong(
                (*place, "measurement"), f"no measurement {name!r} in the study{hint(name, known)}"
            )


def _may_name_configurations(sources: Sequence[Source], manifest: Manifest) -> bool:
    """Whether lines of a file may name configurations: a table of measurements, as people write them."""
    naming = [each for each in formats().values() if each.names_configurations]
    if len(sources) > MOST_HEADS:
        return True
    for source in sources:
        override = manifest.file_override(source.path)
        if override.format is not None:
            if any(each.name == override.format for each in naming):
                return True
            continue
        try:
            with source.open() as stream:
                head = read_head(stream, override.encoding).lines
        except OSError:
            continue
        if any(isinstance(each.recognise(head), Recognition) for each in naming):
            return True
    return False
