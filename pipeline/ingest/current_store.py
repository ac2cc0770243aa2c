"""The store that answers questions about a study as it is now."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pipeline.discovery.address import Address, output_name
from pipeline.discovery.entry_names import REPORT_MARKER, STORE_NAME
from pipeline.discovery.source import Source
from pipeline.errors import InputError
from pipeline.ingest.unchanged import Asked, unchanged
from pipeline.progress import Progress
from pipeline.scratch import scratch_folder


@dataclass(frozen=True, slots=True)
class CurrentStore:
    """A store that is what an ingest would write now. `file_count`: entries of the study, read or not.

    `sources`: its files, where they were listed to see that nothing changed.
    """

    db: Path
    file_count: int
    nothing_recognised: bool
    sources: Sequence[Source] = ()

    def require_recognised(self, study: Path | Address) -> None:
        """Raise an InputError where no file of the study is recognised."""
        if self.nothing_recognised:
            raise InputError.unrecognised(study, self.file_count)


@contextmanager
def current_store(
    study: Path | Address,
    *,
    near: Sequence[Path] = (),
    reference: str = "",
    own: Sequence[Path] = (),
    progress: Progress | None = None,
) -> Iterator[CurrentStore]:
    """The store of a study in or beside one of the folders `near`, where nothing changed since; else a temporary one.

    `reference`, `own`: as `ingest` takes them.
    """
    for db in _stores(study, near):
        report = (db.parent,) if (db.parent / REPORT_MARKER).is_file() else ()
        found = unchanged(study, db, Asked((*own, *report), reference))
        if found is not None:
            yield CurrentStore(db, found.file_count, found.nothing_recognised, found.entries.sources)
            return
    from pipeline.ingest.ingest import ingest  # loads every parser

    with scratch_folder() as folder:
        db = folder / STORE_NAME
        result = ingest(study, db, progress=progress, reference=reference, own=own)
        yield CurrentStore(db, result.file_count, result.nothing_recognised)


def _stores(study: Path | Address, near: Sequence[Path]) -> Iterator[Path]:
    """Where `haledger report` and `haledger ingest` put the store of a study unasked, in these folders."""
    report = f"{output_name(study)}-report"
    for folder in dict.fromkeys(each.resolve() for each in near):
        for db in (folder / report / STORE_NAME, folder / STORE_NAME):
            if os.path.isfile(db):  # noqa: PTH113  no error where the folder is closed to us
                yield db
