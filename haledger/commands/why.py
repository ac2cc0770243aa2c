"""haledger why: what the logs of slow or failed runs say and those of the others do not."""

from dataclasses import asdict
from typing import Annotated

import typer

from haledger.command import Command
from haledger.options import AsJson, Database, found_store
from haledger.store_names import ConfigurationName
from haledger.terminal import page_width, painted_line, show_result


def why(
    configuration: ConfigurationName,
    run: Annotated[
        str | None,
        typer.Argument(
            metavar="RUN",
            help="A run of it, by name or number. Default: those that failed or were slow.",
            show_default=False,
        ),
    ] = None,
    *,
    db: Database = None,
    most: Annotated[
        int, typer.Option("--lines", "-n", metavar="COUNT", help="Show this many of each list.", min=1, max=1000)
    ] = 10,
    as_json: AsJson = False,
) -> None:
    """Show what only slow or failed runs log.

    Aligns all runs at their fault. Shows the step that took longer than in any other run, then the messages that only
    these runs have, the most telling first, then those that only these runs lack. Numbers in messages do not count.
    """
    from reports.answers.why import lines
    from reports.answers.why import why as asked

    found = asked(found_store(db), configuration, run)
    show_result(asdict(found), list(map(painted_line, lines(found, page_width(), most))), as_json=as_json)


COMMAND = Command(why, place=77, examples=("haledger why tuned", "haledger why tuned run03"))
