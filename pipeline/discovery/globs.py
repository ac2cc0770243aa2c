"""Which files of a study a glob in study.toml means."""

import re
from functools import cache

from pipeline.discovery.compression import without_suffix
from pipeline.discovery.path_parts import without_archives

TOKEN = re.compile(r"\*\*/|\*\*|\*|\?|\[!?\]?[^\]/]*\]|.", re.DOTALL)
SHAPES = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def matches(path: str, glob: str) -> bool:
    """Return whether a path in the study matches a glob.

    A glob without `/` is matched against the file's own name in any folder, else against the whole path:
    `*` and `?` stay within a folder, `**` crosses folders. The ending of a compressor and archives may be left out:
    `run01/*.log` means `a.tar.gz!/run01/x.log.gz` as well.
    """
    paths = {path, without_archives(path)} if "/" in glob else {path.rsplit("/", 1)[-1]}
    pattern = _pattern(glob)
    return any(pattern.fullmatch(name) for each in paths for name in (each, without_suffix(each)))


def leaves_the_study(glob: str) -> bool:
    """Return whether a glob means, or could mean, files outside the study."""
    parts = re.split(r"[/\\]", glob)
    return glob.startswith(("/", "\\", "~")) or ".." in parts or re.match(r"[A-Za-z]:", glob) is not None


@cache
def _pattern(glob: str) -> re.Pattern[str]:
    tokens = TOKEN.findall(glob)
    pieces = [SHAPES.get(token) or (_characters(token) if len(token) > 1 else re.escape(token)) for token in tokens]
    return re.compile("".join(pieces), re.DOTALL)


def _characters(token: str) -> str:
    """A set such as `[!abc]` or `[0-9]` as a regular expression."""
    inside = token[1:-1]
    negated = "^" if inside.startswith("!") else ""
    members = re.sub(r"([\\\[\]^&~|])", r"\\\1", inside.removeprefix("!")).replace("--", r"-\-")
    try:
        re.compile(f"[{negated}{members}]")
    except re.error:
        return re.escape(token)
    return f"(?!/)[{negated}{members}]"
