"""The version of the program: a release, a commit after or before one, or a digest of code that no commit has.

Two programs that differ never have the same version. It is found when it is asked for, as git takes time to answer.
"""

import hashlib
import os
import subprocess
from functools import cache
from importlib import metadata
from pathlib import Path

RELEASE = "0.2.0"
"""The release that these sources are once a tag `v` with this number names their commit; before, they lead to it."""

PROGRAM = Path(__file__).parents[1]
CODE = ("haledger", "parsers", "pipeline", "reports")
INSTALLED = "_app"
"""The folder of an installed copy, which knows its version from the wheel."""

DIGITS = 9
MOST_SECONDS = 10.0


@cache
def version() -> str:
    """`0.2.0` of a release, `0.2.0.dev7+gCOMMIT`, with `.dDIGEST` where the code was changed; `0.2.0+dDIGEST`."""
    if PROGRAM.name == INSTALLED:
        return _of_wheel(PROGRAM.parents[1])
    return version_of(PROGRAM)


def version_of(folder: Path) -> str:
    """The version of the sources in a folder, by its commit, else by a digest."""
    commit = _commit(folder)
    if commit is None:
        return f"{RELEASE}+{digest(folder)}"
    name, is_release, since = commit
    is_changed = bool(_git(folder, "status", "--porcelain", "--", *CODE))
    if is_release and not is_changed:
        return RELEASE
    number = RELEASE if is_release else f"{RELEASE}.dev{since}"
    return f"{number}+g{name[:DIGITS]}" + (f".{digest(folder)}" if is_changed else "")


def digest(folder: Path) -> str:
    """A hash of every file of the code, as a part of a version."""
    sha256 = hashlib.sha256()
    for path in sorted(each for name in CODE for each in (folder / name).rglob("*") if each.is_file()):
        within = path.relative_to(folder)
        if "__pycache__" not in within.parts:
            sha256.update(within.as_posix().encode("utf-8", "surrogateescape") + b"\0")
            sha256.update(hashlib.sha256(path.read_bytes()).digest())
    return f"d{sha256.hexdigest()[:DIGITS]}"  # a number alone would lose its zeros in front


def _commit(folder: Path) -> tuple[str, bool, int] | None:
    """The commit, whether a tag makes it the release, and the commits since the last tag; None without a repository."""
    top, _, name = (_git(folder, "rev-parse", "--show-toplevel", "HEAD") or "").rpartition("\n")
    if not top or Path(top).resolve() != folder.resolve():
        return None
    described = _git(folder, "describe", "--tags", "--long", "--match", "v[0-9]*") or ""  # v0.2.0-7-gCOMMIT
    last, _, since = described.rpartition("-g")[0].rpartition("-")
    if not last:
        return name, False, int(_git(folder, "rev-list", "--count", "HEAD") or 0)
    tags = _git(folder, "tag", "--points-at", "HEAD") if since == "0" else None
    return name, f"v{RELEASE}" in (tags or "").split(), int(since)


def _git(folder: Path, *arguments: str) -> str | None:
    """What git says of a folder; None where it says nothing, or there is no git."""
    own = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    try:
        said = subprocess.run(
            ["git", "-C", str(folder), *arguments],
            env=own | {"GIT_OPTIONAL_LOCKS": "0"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=MOST_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return os.fsdecode(said.stdout).strip() or None


def _of_wheel(site: Path) -> str:
    """The version that the wheel of an installed copy was built with."""
    found = [each.version for each in metadata.distributions(name="haledger", path=[str(site)])]
    return found[0] if found else f"{RELEASE}+unknown"
