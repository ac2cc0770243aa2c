"""The tables that list the parts of a store, and the numbers in them; empty where its lines are in the file itself."""

import polars as pl

from pipeline.store.own_table import OwnTable

PART = OwnTable(
    "log.part",
    "One row per Parquet file that holds lines of this store (`--store-layout parquet`).",
    {
        "table": (pl.String(), "relation of schema log whose rows it holds"),
        "path": (pl.String(), "where it lies"),
        "sha256": (pl.String(), "of its content; also its name"),
        "rows": (pl.Int64(), "rows in it"),
        "bytes": (pl.Int64(), "its size"),
        "modified_ns": (pl.Int64(), "its time stamp when written, nanoseconds since 1970"),
        "files": (pl.List(pl.Int32()), "numbers that it has for the files with rows in it, see log.part_file"),
    },
)

PART_FILE = OwnTable(
    "log.part_file",
    "One row per file with rows in parts, where parts written by an earlier ingest have other numbers for files.",
    {"stored_no": (pl.Int32(), "its number in parts"), "file_id": (pl.Int32(), "source_file")},
)

PART_NUMBER = OwnTable(
    "log.part_number",
    "One row per row of a dimension, where parts written by an earlier ingest have other numbers for its rows.",
    {
        "dimension": (pl.String(), "relation of schema log"),
        "stored_no": (pl.UInt32(), "its number in parts"),
        "number": (pl.UInt32(), "its number in that relation"),
    },
)

TABLES = (PART, PART_FILE, PART_NUMBER)
