"""Settings of study.toml as commands write and advise them, which study.toml takes for any name of a file."""

import json
import re
from collections.abc import Collection
from itertools import chain, count


def text_of(value: str) -> str:
    """A text as TOML takes it, in quotes, no matter what it holds."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def glob_of(path: str) -> str:
    """A glob that means this path alone: characters with a meaning in globs stand for themselves."""
    return re.sub(r"[*?\[]", r"[\g<0>]", path)


def format_name(file_name: str, taken: Collection[str]) -> str:
    """A name for a format, after the file that it is for."""
    stem = re.sub(r"[^a-z0-9]+", "_", file_name.lower().split(".")[0]).strip("_")
    name = stem if stem[:1].isalpha() else f"log_{stem}".rstrip("_")
    numbered = (f"{name}_{number}" for number in count(2))
    return next(each for each in chain((name,), numbered) if each not in taken)
