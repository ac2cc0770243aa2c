"""The command's front door: it finds the application's folders, then hands over.

In a checkout they are the top-level folders parsers/, pipeline/ and reports/; in an
installed copy they sit in the private folder _app beside this file, so that no
generic name lands in site-packages.
"""

import io
import os
import sys
from pathlib import Path
from typing import NoReturn

__version__ = "0.1.0"

_APP = Path(__file__).parent / "_app"


def main() -> NoReturn:
    """Run the command line and end the process with its exit code.

    The process ends here and not by tearing the interpreter down: DuckDB's binding would then report leaks on standard
    error, or not, depending on the order of imports. Commands have closed and flushed what they opened.
    """
    if _APP.is_dir():
        sys.path.insert(0, str(_APP))

    from haledger.address_space import supervised

    if isinstance(
        sys.stdout, io.TextIOWrapper
    ):  # a terminal of ISO 8859-1 cannot show every log: escapes, as on stderr
        sys.stdout.reconfigure(errors="backslashreplace")
    code = supervised(_run)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os._exit(code)


def app_folder() -> Path:
    """The folder with parsers/, pipeline/, reports/ and samples/: of the checkout, or of the installed copy."""
    return _APP if _APP.is_dir() else _APP.parents[1]


def _run() -> int:
    from haledger.cli import main as run

    return run()
