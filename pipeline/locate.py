"""Which store a command means when none is named."""

from pathlib import Path

from pipeline.errors import StoreError, UsageError

STORE_NAME = "haledger.duckdb"


def find_store(named: Path | None, here: Path) -> Path:
    """Give the store of this name or in the folder of this name; without a name the one that is here.

    That is haledger.duckdb, else the only *-report/haledger.duckdb.
    """
    if named is not None:
        store = named / STORE_NAME if named.is_dir() else named
        if not store.is_file():
            raise StoreError(f"{store}: no such store; `haledger ingest STUDY --db {store}` makes it")
        return store
    if (here / STORE_NAME).is_file():
        return here / STORE_NAME
    candidates = sorted(here.glob(f"*-report/{STORE_NAME}"))
    if len(candidates) == 1:
        return candidates[0]
    if candidates:
        listing = ", ".join(str(each.relative_to(here)) for each in candidates)
        raise UsageError(f"several stores here ({listing}); say which one with --db FILE")
    raise StoreError(
        f"no store here: neither {STORE_NAME} nor a *-report/{STORE_NAME}; "
        "make one with `haledger ingest STUDY` or `haledger report STUDY`, or name one with --db FILE"
    )
