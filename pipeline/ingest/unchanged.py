"""Whether a store is what an ingest would write now: same place, study.toml, options and program, and the same files.

A file is the same by size and time stamp. The SHA-256 is compared too of one that is small, or changed later than an
hour before the store was written. Neither study.toml nor the facts of files are interpreted for that, so that the
answer comes in a moment.
"""

import hashlib
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import duckdb

from pipeline.discovery.address import Address
from pipeline.discovery.entry_names import MANIFEST_NAMES
from pipeline.discovery.walk import Discovery, discover
from pipeline.discovery.written_files import folder_at
from pipeline.errors import HaledgerError
from pipeline.ingest import ledger
from pipeline.ingest.layout import AS_BEFORE, Layout
from pipeline.ingest.window import Window
from pipeline.local_time import as_utc
from pipeline.store import store
from pipeline.store.fingerprint import own_keys
from pipeline.study.manifest_file import manifest_bytes


@dataclass(frozen=True, slots=True)
class Asked:
    """What an ingest would be asked for. `own`: further files to pass over; `reference`: that of --reference.

    `now`: what serves as the present, None: the clock does.
    """

    own: tuple[Path, ...] = ()
    reference: str = ""
    window: Window = Window()  # noqa: RUF009  frozen, and empty
    layout: Layout = AS_BEFORE
    now: datetime | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """What a store of the same study, study.toml, options and program says about itself, and the entries of the study.

    `is_current`: it was made of these entries, so that an ingest would write it again.
    """

    info: store.StoreInfo
    entries: Discovery
    is_current: bool
    nothing_recognised: bool

    @property
    def file_count(self) -> int:
        """Entries of the study, read or not, but for its manifest."""
        return len(self.entries.sources) + sum(each.path not in MANIFEST_NAMES for each in self.entries.skipped)


def unchanged(study: Path | Address, db: Path, asked: Asked) -> Standing | None:
    """The store and the entries of its study; None where an ingest would write another store, or finds a fault."""
    found = standing(study, db, asked)
    return found if found is not None and found.is_current else None


def standing(study: Path | Address, db: Path, asked: Asked) -> Standing | None:
    """A store as it is asked for, and the entries of its study; None where there is another one, or a fault."""
    if not db.is_file():
        return None
    try:
        with store.opened(db) as con:
            info = store.info(con, db)
            if not _is_as_asked(con, info, study, db, asked) or not _has_years_of(
                con, asked.now or datetime.now(tz=UTC)
            ):
                return None
            remembered = ledger.remembered(con, db)
            held = _Held.read(con)
        parts = [each for each in (folder_at(info.parts),) if isinstance(each, Path)] if info.parts else []
        entries = discover(study, own=(db, *asked.own, *parts), remembered=remembered)
    except (HaledgerError, OSError, duckdb.Error):  # the ingest says what is wrong
        return None
    is_same = ledger.archive_rows(entries.archives) == ledger.archive_rows(remembered.archives.values())
    is_current = is_same and held.is_of(entries, remembered.racy_from_ns)
    return Standing(info, entries, is_current, held.nothing_recognised)


def _is_as_asked(
    con: duckdb.DuckDBPyConnection, info: store.StoreInfo, study: Path | Address, db: Path, asked: Asked
) -> bool:
    """Whether the store is of this study, study.toml, program, span and place of lines."""
    ((zone,),) = con.execute("select timezone from study.setting").fetchall()
    span = asked.window.instants(zone)
    since, until = (info.since, info.until) if span is None else span.texts()
    expected = replace(
        info,
        **own_keys(study),
        reference=asked.reference,
        since=since,
        until=until,
        asked_span=asked.window.asked() if span is None else info.asked_span,
        parts=asked.layout.folder(db, info.parts),
    )
    return info == expected and _manifest_key(con, study) == info.manifest_key


def _has_years_of(con: duckdb.DuckDBPyConnection, now: datetime) -> bool:
    """Whether years that only the clock shows may still be its years: the last lines are of the year that ends now."""
    outdated = con.execute(
        "select 1 from main.source_file where year_source = 'now' "
        "and last_at not between ?::timestamp - interval 363 days and ?::timestamp + interval 2 days",
        [as_utc(now)] * 2,
    ).fetchall()
    return not outdated


def _manifest_key(con: duckdb.DuckDBPyConnection, study: Path | Address) -> str:
    known = ledger.stored_manifest(con) if isinstance(study, Address) else None
    return hashlib.sha256(manifest_bytes(study, known)).hexdigest()


@dataclass(frozen=True, slots=True)
class _Held:
    """What the store was made of: files that were read, by path, and entries that were not."""

    files: dict[str, ledger.Stamp]
    skipped: frozenset[tuple[str, str, str | None]]
    nothing_recognised: bool

    @classmethod
    def read(cls, con: duckdb.DuckDBPyConnection) -> "_Held":
        """Read it all."""
        ((parsed,),) = con.execute("select count(*) from main.source_file where status = 'parsed'").fetchall()
        return cls(ledger.stamps(con), ledger.skipped_entries(con), nothing_recognised=parsed == 0)

    def is_of(self, found: Discovery, racy_from_ns: int) -> bool:
        """Whether these entries are those."""
        return (
            len(found.sources) == len(self.files)
            and {(each.path, each.status, each.reason) for each in found.skipped} == self.skipped
            and all(
                (stamp := self.files.get(each.path)) is not None
                and stamp.modified_ns == each.modified_ns
                and ledger.is_same_content(each, stamp, racy_from_ns)
                for each in found.sources
            )
        )
