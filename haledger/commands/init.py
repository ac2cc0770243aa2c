"""haledger init: a first study.toml."""

from pathlib import Path
from typing import Annotated

import typer

from haledger.command import Command
from haledger.options import AsJson, Study, refuse_unusable, writing
from haledger.terminal import Talk, progress, show_result, show_summary
from pipeline.discovery.address import Address
from pipeline.errors import UsageError


def init(
    study: Study,
    *,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing study.toml.")] = False,
    stdout: Annotated[bool, typer.Option("--stdout", help="Print it instead of writing a file.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write a first study.toml, with comments.

    It is derived from the folder of logs and changes no number: settings that would are commented out. Beside it lies
    study.schema.json, which lets editors complete and check it.
    """
    from pipeline.ask.init_study import propose
    from pipeline.discovery.entry_names import MANIFEST_NAME, SCHEMA_NAME
    from pipeline.study.schema import schema_bytes
    from reports.document.products import write_file

    refuse_unusable(study)
    if isinstance(study, Address):
        if not stdout:
            raise UsageError(f"{study}: nothing is written into object storage; give --stdout, and copy the file there")
        text = propose(study, progress(), near=(Path.cwd(),))
        show_result({"file": None, "text": text}, [], as_json=True) if as_json else typer.echo(text, nl=False)
        return
    target = study / MANIFEST_NAME
    if not stdout and not study.is_dir():
        raise UsageError(f"{study}: is a file, but {MANIFEST_NAME} belongs in a folder; give a folder, or --stdout")
    if not stdout and not force and target.exists():
        raise UsageError(f"{target}: exists already; --force replaces it, --stdout prints the new one")
    text = propose(study, progress(), near=(Path.cwd(),))
    if stdout:
        show_result({"file": None, "text": text}, [], as_json=True) if as_json else typer.echo(text, nl=False)
        return
    text = f"#:schema ./{SCHEMA_NAME}\n{text}"
    with writing(target):
        write_file(study / SCHEMA_NAME, schema_bytes())
        write_file(target, text.encode("utf-8"))
    show_summary({"file": str(target), "text": text}, [str(target)], as_json=as_json)
    Talk.say("Read and change it, then run `haledger report` on the study.")


COMMAND = Command(init, place=110, examples=("haledger init samples/failover-modern --stdout",))
