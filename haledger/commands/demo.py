"""haledger demo: something to look at, also where no checkout is."""

import shutil
from pathlib import Path
from typing import Annotated, Final

import typer

import haledger
from haledger.command import Command
from haledger.commands.report import report
from haledger.options import writing
from haledger.terminal import Talk
from pipeline.errors import UsageError

RECORDED: Final = "pacemaker-postgresql"
SAMPLES: Final = {
    RECORDED: "Forty recorded crashes of a PostgreSQL cluster under Pacemaker.",
    "failover-2004": "A paper of 2004, built again from simulated logs. Ctrl-C leaves it out.",
}
"""What each sample is, in the order in which the reports are written."""

NEXT: Final = (
    f"haledger explain ../{RECORDED}",
    "haledger compare short-token baseline",
    "haledger timeline baseline run01",
    'haledger sql "select configuration, milestone, mean_s, stddev_s from milestone_stats"',
    "haledger trace table-1",
    "haledger report YOUR-FOLDER-OF-LOGS",
)


def demo(
    *,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Folder for the logs and their reports.")
    ] = Path("haledger-demo"),
) -> None:
    """Write the reports of two sample studies.

    The first is recorded: forty crashes of a PostgreSQL cluster under Pacemaker, in four configurations. The second
    is simulated, with the numbers that a paper of 2004 published.
    """
    if output.exists() and not ((output / RECORDED).is_dir() or (output.is_dir() and not any(output.iterdir()))):
        raise UsageError(f"{output}: was not written by `haledger demo`; name a new folder with -o DIR")
    for name, about in SAMPLES.items():
        with writing(output):
            _copy(haledger.app_folder() / "samples" / name, output / name)
        Talk.say(f"\n{about}")
        report(output / name, output=output / f"{name}-report")
    Talk.say("\nNext, for example:")
    for line in (f"cd {output / f'{RECORDED}-report'}", *NEXT):
        Talk.say(f"  {line}")


def _copy(sample: Path, folder: Path) -> None:
    """Write a sample that is a folder, or the archive of one in the installed copy."""
    if sample.is_dir():
        shutil.copytree(sample, folder, dirs_exist_ok=True)
    else:
        shutil.unpack_archive(f"{sample}.tar.xz", folder)  # no filter: Debian 12 has Python 3.11.2, which knows none


COMMAND = Command(demo, place=97, examples=("haledger demo",))
