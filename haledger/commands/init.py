"""A study's first study.toml: init."""

from typing import Annotated

import typer

from haledger.options import AsJson, Study, refuse_unusable, writing
from haledger.terminal import Talk, progress, show_result, show_summary
from pipeline.errors import UsageError


def init(
    study: Study,
    *,
    force: Annotated[bool, typer.Option("--force", help="Replace a study.toml that is there.")] = False,
    stdout: Annotated[bool, typer.Option("--stdout", help="Write it to standard output, and no file.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write a first study.toml, with comments.

    It is made from what is found in the folder of logs. It changes no number: what could is there as examples behind #.

    Example: haledger init samples/failover-modern --stdout
    """
    from pipeline.init_study import propose
    from pipeline.manifest import FILE_NAME
    from reports.report import write_file

    refuse_unusable(study)
    target = study / FILE_NAME
    if not stdout and not study.is_dir():
        raise UsageError(
            f"{study}: a file, and {FILE_NAME} stands in the folder of a study; give a folder, or --stdout"
        )
    if not stdout and not force and target.exists():
        raise UsageError(f"{target}: is there already; --force replaces it, --stdout shows what would be written")
    text = propose(study, progress())
    if stdout:
        show_result({"file": None, "text": text}, [], as_json=True) if as_json else typer.echo(text, nl=False)
        return
    with writing(target):
        write_file(target, text.encode("utf-8"))
    show_summary({"file": str(target), "text": text}, [str(target)], as_json=as_json)
    Talk.say("Read it, change it, then `haledger report` the study.")
