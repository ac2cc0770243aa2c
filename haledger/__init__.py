"""The command's front door: it finds the application's folders, then hands over.

In a checkout they are the top-level folders parsers/, pipeline/ and reports/; in an
installed copy they sit in the private folder _app beside this file, so that no
generic name lands in site-packages.
"""

import sys
from pathlib import Path

__version__ = "0.1.0"

_APP = Path(__file__).parent / "_app"


def main() -> int:
    """Run the command line."""
    if _APP.is_dir():
        sys.path.insert(0, str(_APP))

    from haledger.cli import main as run

    return run()
