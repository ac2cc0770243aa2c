"""What differs between cluster stacks, as data: one file a question, a row a stack or kind of line."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any


@cache
def rules(name: str) -> dict[str, Any]:  # TOML
    """The content of a rule file: `rules("leaders")` is leaders.toml."""
    return tomllib.loads((Path(__file__).parent / f"{name}.toml").read_text(encoding="utf-8"))
