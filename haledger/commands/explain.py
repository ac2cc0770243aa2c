"""haledger explain: how each file was read."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from haledger.command import Command
from haledger.options import AsJson, StudyPlace, refuse_unusable
from haledger.terminal import Talk, page_width, painted_line, progress, show_result
from pipeline.discovery.address import study_at
from pipeline.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.ask.explain.decisions import Explained


def explain(
    paths: Annotated[
        list[StudyPlace],
        typer.Argument(
            help="Files or folders, or s3://BUCKET/PREFIX.", metavar="PATH", show_default=False, parser=study_at
        ),
    ],
    *,
    as_json: AsJson = False,
) -> None:
    """Show the detected format of each file, and why.

    Also shows its configuration, run and node, and how many of its lines were parsed, ignored or rejected. With -v,
    shows every file in full.
    """
    from pipeline.ask.explain.decisions import explain as run_explain
    from reports.answers.explain.text import lines, to_json

    for path in paths:
        refuse_unusable(path, is_study=False)
    explained = run_explain(paths, progress(), near=(Path.cwd(),))
    if as_json:
        show_result(to_json(explained), [], as_json=True)
    else:
        for line in lines(explained, width=page_width(), is_verbose=Talk.is_verbose):
            typer.echo(painted_line(line))
    _require_explained(explained)


def _require_explained(explained: "Sequence[Explained]") -> None:
    if not any(each.format or each.path == part.manifest for part in explained for each in part.files):
        raise InputError("no file recognised; `haledger explain -v` shows why each format refused them")


COMMAND = Command(explain, place=30, examples=("haledger explain my-study/default/run01",))
