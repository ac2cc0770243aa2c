"""haledger report: from a folder of logs to the white paper."""

import dataclasses
from pathlib import Path
from typing import Annotated, Final

import typer

from haledger.anonymous_study import anonymous_study
from haledger.command import Command
from haledger.ingest_result import apply_strict, require_recognised, summary_lines
from haledger.layout import remove_old_parts
from haledger.options import AsJson, Strict, Study, found_store, refuse_unusable, writing
from haledger.reading import Reading, with_reading
from haledger.terminal import Talk, progress, show_summary
from pipeline.discovery.address import output_name
from pipeline.errors import InputError, UsageError

LAST: Final = Path("last")
"""The value of --against for the last report of the study; a folder of this name is given by its whole path."""

Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="DIR", help="Report folder. Default: STUDY-report in this folder."),
]
Against = Annotated[
    Path | None,
    typer.Option(
        "--against",
        metavar="STORE",
        help="Compare with an earlier study: its store or report folder; `last`: the last report of STUDY.",
        readable=False,
    ),
]
Label = Annotated[
    str, typer.Option("--label", metavar="NAME", help="What the study of --against is called in the report.")
]


@with_reading
def report(
    study: Study,
    *,
    output: Output = None,
    appendix: Annotated[
        bool, typer.Option("--appendix", help="Write report-data.pdf too: runs, parameters, sources and SQL in print.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Write everything again, even if nothing has changed.")
    ] = False,
    replace: Annotated[bool, typer.Option("--replace", help="Replace a report folder of another study.")] = False,
    against: Against = None,
    label: Label = "",
    reading: Reading,
    as_json: AsJson = False,
    strict: Strict = False,
) -> None:
    """Read a folder of logs and write the white paper.

    Writes a PDF and an HTML page, with the store, the tables and the figures beside them. With --against, each
    configuration is compared with the one of the same name in an earlier study; if each has only one, with that.
    """
    from pipeline.ask.doctor import pango
    from pipeline.discovery.entry_names import STORE_NAME
    from reports.document.folder import rebuilt
    from reports.document.report import APPENDIX, FORMATS, write_report

    folder = output or Path(f"{output_name(study)}-report")
    refuse_unusable(study)
    read = reading.reader(folder)
    earlier = _earlier(against, label, output_name(study), folder)
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder}: is a file; name a folder for the report with -o DIR")
    if reading.anonymise:
        study = anonymous_study(study, folder, accept=reading.accept)
    library = pango()
    if not library.is_ok:
        Talk.say(f"haledger: without Pango there will be no PDF, but all the rest. {library.advice}")
    with writing(folder), rebuilt(folder, reading.wait) as new:
        result = read(study, new / STORE_NAME, replace=replace, own=(folder,))
        require_recognised(study, result)
        written = write_report(
            new / STORE_NAME,
            new,
            formats=(*FORMATS, APPENDIX) if appendix else FORMATS,
            against=earlier,
            label=label,
            progress=progress(),
            last=None if force else folder,
        )
        written = dataclasses.replace(written, folder=folder)
    remove_old_parts(folder / STORE_NAME)
    for each in written.not_compared:
        Talk.say(f"haledger: {each}")
    summary = {"ingest": result.to_dict(), "report": written.to_dict()}
    show_summary(summary, [*summary_lines(result), *written.summary()], as_json=as_json)
    apply_strict(result, strict=strict)
    if strict and written.missing:
        raise InputError(f"{written.missing[0]} (--strict)")


def _earlier(against: Path | None, label: str, study: str, folder: Path) -> Path | None:
    """The store that --against names; `last` finds it among the reports beside the new one, and says which it is."""
    from pipeline.store.locate import last_store

    if against is None:
        if label:
            raise UsageError("--label names the study of --against, which is not given")
        return None
    if against != LAST:
        return found_store(against)
    found = last_store(study, folder)
    Talk.say(f"haledger: compared with {found}" if found else f"haledger: no earlier report of {study} here")
    return found


COMMAND = Command(report, place=10, examples=("haledger report samples/failover-2004",))
