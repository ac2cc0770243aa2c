"""Whether what haledger wrote still holds: verify."""

from pathlib import Path
from typing import Annotated, Final

import typer

from haledger.options import AsJson
from haledger.terminal import page_width, painted, progress, show_result
from pipeline.errors import CheckFailedError, StoreError, UsageError
from reports.escape import visible

WORDS: Final = {True: ("holds", "good"), False: ("BROKEN", "bad"), None: ("not told", "doubtful")}
WIDTH: Final = 10
SHOWN_ITEMS: Final = 10
"""What differs is told one by one up to so many; JSON has all."""


def verify(
    file: Annotated[
        Path, typer.Argument(help="A store or a report.pdf.", metavar="FILE", show_default=False, readable=False)
    ],
    *,
    study: Annotated[
        Path | None, typer.Option("--study", metavar="DIR", help="The study's folder. Default: looked for nearby.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say whether a store or a report.pdf still holds.

    Counts, sources by SHA-256, and all rows computed anew. Exits 0 if all that could be verified holds, 5 if something
    does not, 4 if the file cannot be read.

    Example: haledger verify failover-2004-report/report.pdf --study samples/failover-2004
    """
    from pipeline.verify import verify_store
    from reports.verify_report import is_pdf, verify_report

    if study is not None and not study.exists():
        raise UsageError(f"{study}: no such folder; give the folder of logs that the file was made from")
    if not file.is_file():
        raise StoreError(f"{file}: no such file; give a store (haledger.duckdb) or a report.pdf")
    verify_file = verify_report if is_pdf(file) else verify_store
    verified = verify_file(file, study, near=(Path.cwd(),), progress=progress())
    if as_json:
        show_result(verified.to_dict(), [], as_json=True)
    else:
        for finding in verified.findings:
            _tell(*WORDS[finding.holds], f"{finding.check}: {finding.text}")
            for item in finding.items[:SHOWN_ITEMS]:
                _tell("", "", f"- {item}")
            if len(finding.items) > SHOWN_ITEMS:
                _tell("", "", f"- and {len(finding.items) - SHOWN_ITEMS} more (--json has all)")
    if verified.broken:
        raise CheckFailedError(f"{file}: does not hold: {', '.join(verified.broken)}")


def _tell(word: str, style: str, text: str) -> None:
    from textwrap import wrap

    for i, line in enumerate(wrap(text, page_width() - WIDTH, break_on_hyphens=False, break_long_words=False)):
        typer.echo(painted(f"{'' if i else word:{WIDTH}}", style) + visible(line))
