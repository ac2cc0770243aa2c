"""Regenerates pages of docs/: `make docs`, or `python -m docs`.

formats.md, cli.md and the schema of study.toml are generated. In cookbook.md, tutorial.md and guide-*.md, only the
results below the statements and commands are; the rest is written by hand. The pages of `docs.site.BUILT` are written
too, but not committed: the site builds them.
"""

import logging
import os
import sys
import tempfile
from pathlib import Path

from docs import cli_page, formats_page, release, site, study_schema, worked_pages
from pipeline.study import schema

LOG = logging.getLogger("docs")
HERE = Path(__file__).parent


def main() -> None:
    """Write every page that is out of date."""
    with tempfile.TemporaryDirectory() as folder:
        pages = {
            "formats.md": formats_page.markdown(),
            "cli.md": cli_page.markdown(),
            "cookbook.md": worked_pages.cookbook(worked_pages.COOKBOOK, Path(folder)),
        }
        for page in (worked_pages.TUTORIAL, *worked_pages.GUIDES):
            (place := Path(folder) / page.stem).mkdir()
            pages[page.name] = worked_pages.tutorial(page, place)
    pages |= {name: build() for name, build in site.BUILT.items()}
    files = {HERE / name: text for name, text in pages.items()} | release.pages() | {schema.FILE: study_schema.text()}
    for page, text in files.items():
        if not page.exists() or page.read_text(encoding="utf-8") != text:
            page.write_text(text, encoding="utf-8")
            LOG.info("%s regenerated", page.name)


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    main()
    os._exit(0)  # as `haledger.main` does: DuckDB's binding would report leaks
