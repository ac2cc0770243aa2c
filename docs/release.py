"""A release up to its upload: `make release` in a clean clone. docs/releasing.md is its page.

It gathers the changes, fills in addresses and number, commits that (`--cut` ends here, for the time before there are
addresses), and tags the commit. `--check` only says what keeps a commit from being published.
"""

import argparse
import re
import subprocess
import sys
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from pipeline.version import RELEASE, version_of

ROOT: Final = Path(__file__).parents[1]
CHANGELOG: Final = ROOT / "CHANGELOG.md"
CITATION: Final = ROOT / "CITATION.cff"
PAGES: Final = (CITATION, ROOT / "SECURITY.md", ROOT / "docs" / "check.md")
"""They print addresses or the number of the release."""

KINDS: Final = ("Numbers that change", "New", "Fixed")
OPEN: Final = "## Unreleased"
MOST_LINES: Final = 250
"""Of a changelog that people read; the commits say the rest."""

PLACEHOLDER: Final = "OWNER"
"""Stands in `[project.urls]` until the owner decides where the project is at home."""


def addresses() -> dict[str, str]:
    """The addresses of the project, by their names."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return {str(name): str(address) for name, address in project["urls"].items()}


def pages() -> dict[Path, str]:
    """Each page that prints addresses or the number, as it should be."""
    urls = addresses()
    citation = CITATION.read_text(encoding="utf-8")
    cited = dict(re.findall(r"(?m)^(url|repository-code): (\S+)$", citation))
    changes = [(cited["url"], urls["Homepage"]), (cited["repository-code"], urls["Repository"])]
    changes += [(urlsplit(old).path.strip("/"), urlsplit(new).path.strip("/")) for old, new in changes[1:]]
    texts = {}
    for path in PAGES:
        text = path.read_text(encoding="utf-8")
        for old, new in changes:
            text = text.replace(old, new)
        texts[path] = re.sub(r"(?m)(?:(?<=^version: )|(?<=haledger@v)|(?<=rev: v))[0-9][\w.]*$", RELEASE, text)
    return texts


def gathered(changelog: str, fragments: list[str], number: str, day: str) -> str:
    """The changelog with the fragments in a number's section, beside what it holds as of that number or unreleased."""
    start, *sections = re.split(r"(?m)^(?=## )", changelog)
    opened = [sections.pop(0)] if sections and sections[0].startswith((OPEN, f"## {number} – ")) else []
    entries = [_entries(each) for each in opened + fragments]
    section = [f"## {number} – {day}"]
    for kind in KINDS:
        if found := [each[kind] for each in entries if each.get(kind)]:
            section += [kind, "\n".join(found)]
    return start + "\n\n".join(section) + "\n\n" + "".join(sections)


def faults() -> list[str]:
    """What keeps this commit from being published."""
    found = []
    if (now := version_of(ROOT)) != RELEASE:
        found.append(f"the version is {now}: no tag v{RELEASE} names this commit, or files were changed")
    if not re.search(rf"(?m)^## {re.escape(RELEASE)} – [0-9]", CHANGELOG.read_text(encoding="utf-8")) or fragments():
        found.append(f"CHANGELOG.md has no section of {RELEASE}, or changes/ holds more")
    stale = [path.name for path, text in pages().items() if path.read_text(encoding="utf-8") != text]
    return _undecided() + found + [f"{name} has other addresses or another number: run make docs" for name in stale]


def cut(obstacles: list[str]) -> None:
    """Gather the changes, fill the pages and commit, unless there is an obstacle."""
    if _git("status", "--porcelain"):
        obstacles.append("files were changed: commit them first")
    if _git("tag", "--list", f"v{RELEASE}"):
        obstacles.append(f"{RELEASE} was released, and no number is used again: raise RELEASE in pipeline/version.py")
    today = datetime.now(UTC).date().isoformat()
    changes = fragments()
    texts = pages()
    texts[CITATION] = re.sub(r"(?m)(?<=^date-released: ).*", today, texts[CITATION])
    texts[CHANGELOG] = gathered(
        CHANGELOG.read_text(encoding="utf-8"),
        [each.read_text(encoding="utf-8") for each in changes],
        RELEASE,
        today,
    )
    if (lines := texts[CHANGELOG].count("\n")) > MOST_LINES:
        obstacles.append(f"CHANGELOG.md would have {lines} lines: shorten it and changes/*.md to {MOST_LINES}")
    if obstacles:
        sys.exit("\n".join(obstacles))
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
    for each in changes:
        each.unlink()
    if _git("status", "--porcelain"):
        _git("commit", "--all", "--message", f"Release {RELEASE}")


def _undecided() -> list[str]:
    open_ = [name for name, address in addresses().items() if PLACEHOLDER in address]
    return [f"[project.urls] of pyproject.toml: write the addresses ({', '.join(open_)})"] if open_ else []


def _entries(text: str) -> dict[str, str]:
    """The entries of each kind."""
    parts = re.split(rf"(?m)^({'|'.join(KINDS)})$", text)
    return {kind: entries.strip() for kind, entries in zip(parts[1::2], parts[2::2], strict=True)}


def fragments() -> list[Path]:
    """The changes that no release has."""
    return sorted(path for path in (ROOT / "changes").glob("*.md") if path.name != "README.md")


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def main() -> None:
    """Prepare a release, or say what keeps this commit from being published."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--check", action="store_true", help="only say what keeps this commit from being published")
    arguments.add_argument("--cut", action="store_true", help="gather and commit, and leave the tag to `make release`")
    options = arguments.parse_args()
    if not options.check and version_of(ROOT) != RELEASE:
        cut([] if options.cut else _undecided())
        if not options.cut:
            _git("tag", "--annotate", f"v{RELEASE}", "--message", f"haledger {RELEASE}")
    if not options.cut and (found := faults()):
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main()
