"""A row of a relation, by column: a name alone, so that a process which draws figures loads no database for it."""

from typing import Any

Row = dict[str, Any]  # the store knows the types of its columns
