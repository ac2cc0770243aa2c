"""haledger anonymise: a study that can be handed on."""

from pathlib import Path
from typing import Annotated

import typer

from haledger.command import Command
from haledger.options import AsJson, Study, refuse_unusable, writing
from haledger.terminal import progress, show_summary


def anonymise(
    study: Study,
    *,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="A new folder; the table of names is beside it.")
    ],
    as_json: AsJson = False,
) -> None:
    """Copy a study with pseudonyms for hosts, users and addresses.

    Databases, domains and private folders are replaced too, and passwords are hidden. A name has one pseudonym
    everywhere, and every number of the report stays as it is. Files that no format recognises are left out.
    DIR-names.csv lists every name with its pseudonym, and words to check by eye. Keep it to yourself.
    """
    from pipeline.ask.anonymise.anonymise import anonymise as run

    refuse_unusable(study)
    with writing(output):
        done = run(study, output, progress())
    show_summary(done.to_dict(), done.summary(), as_json=as_json)


COMMAND = Command(anonymise, place=95, examples=("haledger anonymise my-study -o my-study-anonymous",))
