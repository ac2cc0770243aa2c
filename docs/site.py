"""The documentation as a site: `make site` builds it from docs/ into site/, and fails on a dead link.

Zensical lays out the pages. Links that lead out of docs/ lead to the repository of `[project.urls]`.
"""

import logging
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from docs import ha_reference, modules_page, relations_page

LOG = logging.getLogger("docs")
ROOT: Final = Path(__file__).parents[1]
PAGES_OF_THE_ROOT: Final = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
}
BUILT: Final = {
    "relations.md": relations_page.markdown,
    "ha-messages.md": ha_reference.markdown,
    "modules.md": modules_page.markdown,
}
"""References that are too long to read in the repository: they are on the site alone."""
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")
CODE = re.compile(r"(^```.*?^```)", re.MULTILINE | re.DOTALL)

NAVIGATION: Final = {
    "haledger": "index.md",
    "Installation": "install.md",
    "Tutorial": "tutorial.md",
    "Guides": {
        "Crashes in one folder": "guide-dba.md",
        "Two set-ups under load": "guide-tester.md",
        "Failovers of last night": "guide-sre.md",
    },
    "Gallery": "gallery.md",
    "Commands": "cli.md",
    "study.toml": "study-toml.md",
    "A study": {
        "What was read": "explain.md",
        "A first study.toml": "init.md",
        "What clients see": "client-view.md",
        "Servers that elect a leader": "leaders.md",
        "PostgreSQL and its neighbours": "leaders-postgresql.md",
        "SQL Server, Oracle, HANA, Kubernetes": "leaders-other.md",
        "Tests that inject faults": "chaos.md",
        "Planning HADR": "hadr-planning.md",
        "Benchmarks": "benchmarks.md",
    },
    "Numbers": {
        "Trace": "trace.md",
        "Compare": "compare.md",
        "Why": "why.md",
        "Check": "check.md",
        "Verify": "verify.md",
        "Coverage of the intervals": "coverage.md",
    },
    "Data": {
        "SQL": "sql.md",
        "Cookbook": "cookbook.md",
        "Other programs": "notebooks.md",
        "Relations": "relations.md",
        "Families of formats": "families.md",
        "Formats": "formats.md",
        "Messages of clusters": "ha-messages.md",
    },
    "Beyond one machine": "scale.md",
    "Inside": {
        "Contributing": "contributing.md",
        "How it is built": "architecture.md",
        "Modules": "modules.md",
        "Robustness": "robustness.md",
        "Promises": "promises.md",
        "Releasing": "releasing.md",
        "Changes": "changelog.md",
    },
}


def sources(folder: Path) -> None:
    """Write the pages as the generator reads them: those of the repository, and the long references."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, markdown in BUILT.items():
        (folder / name).write_text(markdown(), encoding="utf-8")
    for path in sorted((ROOT / "docs").rglob("*")):
        if path.suffix in {".md", ".png", ".svg"} and path.name not in BUILT:
            _copy(path, folder / path.relative_to(ROOT / "docs"), path.parent)
    for name, page in PAGES_OF_THE_ROOT.items():
        _copy(ROOT / name, folder / page, ROOT)


def configuration() -> str:
    """The generator's configuration, as the YAML that JSON is too."""
    import json

    decisions = {
        path.read_text(encoding="utf-8").splitlines()[0].lstrip("# "): f"decisions/{path.name}"
        for path in sorted((ROOT / "docs" / "decisions").glob("*.md"))
    }
    return json.dumps(
        {
            "site_name": "haledger",
            "site_url": _project()["urls"]["Homepage"],
            "repo_url": _project()["urls"]["Repository"],
            "site_description": _project()["description"],
            "docs_dir": "pages",
            "site_dir": "site",
            "use_directory_urls": False,
            "theme": {"name": "material", "font": False, "features": ["navigation.sections", "content.code.copy"]},
            "markdown_extensions": ["tables", "toc", "pymdownx.superfences", "pymdownx.highlight"],
            "plugins": ["search"],
            "nav": _listed({**NAVIGATION, "Decisions": decisions}),
        }
    )


def dead_links(site: Path) -> list[str]:
    """Links of the built pages that lead to no page, file or heading of it."""
    pages = {page: _Page(page) for page in sorted(site.rglob("*.html"))}
    dead = []
    for page, content in pages.items():
        for link in content.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or page.name == "404.html":
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            target = target / "index.html" if target.is_dir() else target
            is_there = target.is_file() and (
                not parts.fragment or target not in pages or unquote(parts.fragment) in pages[target].names
            )
            if not is_there:
                dead.append(f"{page.relative_to(site)}: {link}")
    return dead


def build(site: Path) -> None:
    """Build the site into a folder that is replaced."""
    with tempfile.TemporaryDirectory() as folder:
        sources(Path(folder) / "pages")
        (Path(folder) / "mkdocs.yml").write_text(configuration(), encoding="utf-8")
        subprocess.run([sys.executable, "-m", "zensical", "build"], cwd=folder, check=True)
        shutil.rmtree(site, ignore_errors=True)
        shutil.copytree(Path(folder) / "site", site)


class _Page(HTMLParser):
    """The links of a page, and the names that a link to it may end in."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.names: set[str] = {"", "__top"}
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep what leads somewhere, and what can be led to."""
        given = dict(attrs)
        self.names |= {value for key in ("id", "name") if (value := given.get(key))}
        self.links += [value for key in ("href", "src") if (value := given.get(key)) and tag != "base"]


def _copy(path: Path, target: Path, base: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix != ".md":
        shutil.copyfile(path, target)
        return
    pieces = CODE.split(path.read_text(encoding="utf-8"))
    text = "".join(
        piece if index % 2 else LINK.sub(lambda found: _link(found, base), piece) for index, piece in enumerate(pieces)
    )
    target.write_text(text, encoding="utf-8")


def _link(found: re.Match[str], base: Path) -> str:
    """A link as the site can follow it."""
    mark, words, address = found.groups()
    parts = urlsplit(address)
    if parts.scheme or not parts.path:
        return found.group()
    target = (base / unquote(parts.path)).resolve()
    place = _place(target)
    if place is None:
        return f"[{words}]({_project()['urls']['Repository']}/blob/main/{target.relative_to(ROOT)})"
    fragment = f"#{parts.fragment}" if parts.fragment else ""
    here = Path("decisions") if base.name == "decisions" else Path()
    relative = Path(*[".."] * len(here.parts), place) if here.parts else Path(place)
    return f"{mark}[{words}]({relative.as_posix()}{fragment})"


def _place(target: Path) -> str | None:
    """Where a file of the repository is on the site."""
    if target.parent == ROOT and target.name in PAGES_OF_THE_ROOT:
        return PAGES_OF_THE_ROOT[target.name]
    docs = ROOT / "docs"
    if docs in target.parents and target.suffix in {".md", ".png", ".svg"}:
        return target.relative_to(docs).as_posix()
    return "index.md" if target == docs else None


def _listed(navigation: object) -> object:
    return [{name: _listed(each)} for name, each in navigation.items()] if isinstance(navigation, dict) else navigation


def _project() -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project


def main() -> int:
    """Build, and name each dead link."""
    site = ROOT / "site"
    build(site)
    dead = dead_links(site)
    for each in dead:
        LOG.error("dead link: %s", each)
    LOG.info("%d pages in %s, %d dead links", len(list(site.rglob("*.html"))), site, len(dead))
    return 1 if dead else 0


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    sys.exit(main())
