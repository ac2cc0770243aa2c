"""The command's front door: it finds the application's folders, then hands over.

In a checkout they are the top-level folders parsers/, pipeline/ and reports/; in an
installed copy they sit in the private folder _app beside this file, so that no
generic name lands in site-packages.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # nothing is imported before an interrupt can be heard
    from pathlib import Path
    from typing import NoReturn

COLLECTION_THRESHOLDS = (150_000, 20, 100)
"""Garbage in cycles is looked for more rarely: modules are hundreds of thousands of objects that live to the end."""

PLUGINS = ("PYDANTIC_DISABLE_PLUGINS", "1")
"""Pydantic looks for plugins in every installed package otherwise, and runs those of strangers."""

ALLOCATOR = "dirty_decay_ms:500,muzzy_decay_ms:0,oversize_threshold:0,narenas:{processors}"
"""Polars' allocator keeps memory for half a second, large pieces too, in as many arenas as there are processors.

By default it keeps memory for ten seconds in four arenas a processor, which adds a third to the peak, and gives pieces
over 8 MiB back at once, so that each piece of a log needs new pages.
"""


def main() -> "NoReturn":
    """Run the command line and end the process with its exit code.

    The process ends here and not by tearing the interpreter down: DuckDB's binding would then report leaks on standard
    error, or not, depending on the order of imports. Commands have closed and flushed what they opened.
    """
    try:
        find_application()
        from pipeline import interrupt

        interrupt.end_at_once()
    except KeyboardInterrupt:
        _end_early()
    import gc
    import io
    import os

    gc.set_threshold(*COLLECTION_THRESHOLDS)
    allocator = ALLOCATOR.format(processors=os.cpu_count() or 1)
    os.environ.setdefault("_RJEM_MALLOC_CONF", allocator)  # read when Polars is imported
    os.environ.setdefault(*PLUGINS)  # read when Pydantic is used

    from haledger.address_space import limit, supervised
    from pipeline import native_end

    if limit() is None:  # else its sudden end is explained
        native_end.allow()

    if isinstance(
        sys.stdout, io.TextIOWrapper
    ):  # a terminal of ISO 8859-1 cannot show every log: escapes, as on stderr
        sys.stdout.reconfigure(errors="backslashreplace")
    code = supervised(_run)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os._exit(code)


def app_folder() -> "Path":
    """The folder with parsers/, pipeline/, reports/ and samples/: of the checkout, or of the installed copy."""
    from pathlib import Path

    inside = Path(__file__).parent / "_app"
    return inside if inside.is_dir() else inside.parents[1]


def find_application() -> None:
    """Let the application's folders be imported."""
    import os

    inside = os.path.join(os.path.dirname(__file__), "_app")  # noqa: PTH118, PTH120  pathlib takes time to import
    if os.path.isdir(inside):  # noqa: PTH112  likewise
        sys.path.insert(0, inside)


def _run() -> int:
    from haledger.cli import main as run
    from pipeline import interrupt, native_end

    try:
        try:
            interrupt.raise_error()
            with native_end.ending():
                return run()
        finally:
            interrupt.end_at_once()
    except KeyboardInterrupt:  # between these lines
        interrupt.end_at_once()
        return interrupt.EXIT_CODE


def _end_early() -> "NoReturn":
    import os

    os.write(2, b"haledger: interrupted\n")
    os._exit(130)
