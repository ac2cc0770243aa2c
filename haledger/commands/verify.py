"""haledger verify: a store or report against its sources."""

from pathlib import Path
from typing import Annotated, Final

import typer

from haledger.command import Command
from haledger.options import AsJson, StudyPlace
from haledger.terminal import page_width, painted, progress, show_result
from pipeline.discovery.address import study_at
from pipeline.errors import CheckFailedError, StoreError, UsageError
from reports.typeset.escape import visible

WORDS: Final = {True: ("holds", "good"), False: ("BROKEN", "bad"), None: ("unknown", "doubtful")}
WIDTH: Final = 10
SHOWN_ITEMS: Final = 10
"""Differences that are printed; JSON has all."""


def verify(
    file: Annotated[
        Path,
        typer.Argument(
            help="A store, a report.pdf or a report folder.", metavar="FILE", show_default=False, readable=False
        ),
    ],
    *,
    study: Annotated[
        StudyPlace,
        typer.Option(
            "--study",
            metavar="DIR",
            help="The study's folder or address. Default: search nearby.",
            show_default=False,
            parser=study_at,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Verify a store, a report.pdf or a report folder.

    Checks its counts and the SHA-256 of its sources, and computes all rows again. Exits 0 if every check that could be
    made holds, 5 if one does not, 4 if the file cannot be read.
    """
    from pipeline.ask.verify.verify import verify_store
    from reports.answers.verify import is_pdf, verify_folder, verify_report

    if isinstance(study, Path) and not study.exists():
        raise UsageError(f"{study}: no such folder; give the folder of logs that the file was made from")
    if not file.exists():
        raise StoreError(f"{file}: no such file; give a store (haledger.duckdb), a report.pdf or a report folder")
    verify_file = verify_folder if file.is_dir() else verify_report if is_pdf(file) else verify_store
    verified = verify_file(file, study, near=(Path.cwd(),), progress=progress())
    if as_json:
        show_result(verified.to_dict(), [], as_json=True)
    else:
        for finding in verified.findings:
            _show(*WORDS[finding.holds], f"{finding.check}: {finding.text}")
            for item in finding.items[:SHOWN_ITEMS]:
                _show("", "", f"- {item}")
            if len(finding.items) > SHOWN_ITEMS:
                _show("", "", f"- and {len(finding.items) - SHOWN_ITEMS} more (--json has all)")
    if verified.broken:
        raise CheckFailedError(f"{file}: does not hold: {', '.join(verified.broken)}")


def _show(word: str, style: str, text: str) -> None:
    from textwrap import wrap

    for i, line in enumerate(wrap(text, page_width() - WIDTH, break_on_hyphens=False, break_long_words=False)):
        typer.echo(painted(f"{'' if i else word:{WIDTH}}", style) + visible(line))


COMMAND = Command(
    verify, place=100, examples=("haledger verify failover-2004-report/report.pdf --study samples/failover-2004",)
)
