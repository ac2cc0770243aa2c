"""The JSON Schema of study.toml that travels with the program: editors complete and check the file by it."""

from pathlib import Path
from typing import Final

FILE: Final = Path(__file__).with_name("study.schema.json")
"""Generated from the models and from docs/study-toml.md by `make docs`."""


def schema_bytes() -> bytes:
    """The file as it is."""
    return FILE.read_bytes()
