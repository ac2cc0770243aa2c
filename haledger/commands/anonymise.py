"""haledger anonymise: a study that can be handed on."""

from pathlib import Path
from typing import Annotated

import typer

from haledger.anonymous_study import refuse_doubts
from haledger.command import Command
from haledger.options import Accept, AsJson, Study, refuse_unusable, writing
from haledger.terminal import progress, show_summary


def anonymise(
    study: Study,
    *,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="A new folder; the table of names is beside it.")
    ],
    strict: Annotated[
        bool, typer.Option("--strict", help="Replace every word that haledger itself does not use.")
    ] = False,
    accept: Accept = False,
    as_json: AsJson = False,
) -> None:
    """Copy a study with pseudonyms for hosts, users and addresses.

    Databases, organisations, domains and private folders are replaced too, passwords are hidden, and comments of
    configurations are dropped. A name has one pseudonym everywhere, and every number of the report stays as it is.
    Files that no format recognises are left out. DIR-names.csv lists every name with its pseudonym, and words that may
    be names. Keep it to yourself. Exits 5 where there are such words, unless --accept says that you have seen them.
    """
    from pipeline.ask.anonymise.anonymise import anonymise as run

    refuse_unusable(study)
    with writing(output):
        done = run(study, output, progress(), is_strict=strict, near=(Path.cwd(),))
    show_summary(done.to_dict(), done.summary(), as_json=as_json)
    refuse_doubts(done, accept=accept)


COMMAND = Command(anonymise, place=95, examples=("haledger anonymise my-study -o my-study-anonymous --strict",))
