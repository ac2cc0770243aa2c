"""Regenerates pages of docs/: `make docs`, or `python -m docs`.

relations.md, formats.md, cli.md, ha-messages.md and modules.md are generated, and the schema of study.toml. In
cookbook.md and tutorial.md, only the results below the statements and commands are; the rest is written by hand.
"""

import logging
import os
import sys
import tempfile
from pathlib import Path

from docs import cli_page, formats_page, ha_reference, modules_page, relations_page, study_schema, worked_pages
from pipeline.study import schema

LOG = logging.getLogger("docs")
HERE = Path(__file__).parent


def main() -> None:
    """Write every page that is out of date."""
    with tempfile.TemporaryDirectory() as folder:
        pages = {
            "relations.md": relations_page.markdown(),
            "formats.md": formats_page.markdown(),
            "cli.md": cli_page.markdown(),
            "ha-messages.md": ha_reference.markdown(),
            "modules.md": modules_page.markdown(),
            "cookbook.md": worked_pages.cookbook(worked_pages.COOKBOOK, Path(folder)),
            "tutorial.md": worked_pages.tutorial(worked_pages.TUTORIAL, Path(folder)),
        }
    files = {HERE / name: text for name, text in pages.items()} | {schema.FILE: study_schema.text()}
    for page, text in files.items():
        if not page.exists() or page.read_text(encoding="utf-8") != text:
            page.write_text(text, encoding="utf-8")
            LOG.info("%s regenerated", page.name)


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    main()
    os._exit(0)  # as `haledger.main` does: DuckDB's binding would report leaks
