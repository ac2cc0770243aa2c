"""haledger doctor: the libraries that haledger needs."""

import typer

from haledger.command import Command
from haledger.options import AsJson
from haledger.terminal import show_result


def doctor(*, as_json: AsJson = False) -> None:
    """Show what is installed, what is missing and how to get it."""
    from pipeline.ask.doctor import examine

    checks = examine()
    lines = [f"{'ok     ' if each.is_ok else 'MISSING'}  {each.name:24}{each.found}" for each in checks]
    lines += [f"         {each.name}: {each.advice}" for each in checks if not each.is_ok]
    show_result([each.to_dict() for each in checks], lines, as_json=as_json)
    if not all(each.is_ok for each in checks):
        raise typer.Exit(1)


COMMAND = Command(doctor, place=120, examples=("haledger doctor",))
