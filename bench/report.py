"""Measures a report beside the bare page renderer: `python -m bench.report`; see docs/benchmarks.md.

Both begin as processes of their own on the store of a sample that is read already: one writes the whole report, the
other sets the report's own print page with WeasyPrint as it comes. What counts is the ratio, taken in turn, so that a
busy machine slows both.
"""

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

from bench.processes import ROOT, Cost, cost_of
from pipeline.ingest.ingest import ingest
from reports.document import pages
from reports.document.document import compose
from reports.figures.catalogue import all_figures
from reports.study.view import opened_study
from reports.tables.catalogue import all_tables
from reports.typeset import fonts

# Both end at once, as the command does, without taking their objects apart.
WHOLE = """
import os
import sys
from pathlib import Path
from reports.document.report import write_report
write_report(Path(sys.argv[1]), Path(sys.argv[2]))
os._exit(0)
"""
BARE = """
import os
import sys
import weasyprint
weasyprint.HTML(filename=sys.argv[1]).write_pdf(sys.argv[2])
os._exit(0)
"""


def main(arguments: list[str] | None = None) -> int:
    """Read the sample, measure in rounds, print both times and their ratio."""
    parser = argparse.ArgumentParser(prog="python -m bench.report", description=__doc__)
    parser.add_argument("--study", type=Path, default=ROOT / "samples" / "drbd-2005", help="default: %(default)s")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is measured (default: %(default)s)")
    options = parser.parse_args(arguments)
    whole: list[Cost] = []
    bare: list[Cost] = []
    with tempfile.TemporaryDirectory(prefix="haledger-bench-") as temporary:
        store, page = Path(temporary) / "store.duckdb", Path(temporary) / "print.html"
        ingest(options.study, store)
        page.write_text(_page(store), encoding="utf-8")
        for _ in range(options.rounds):
            whole.append(cost_of([sys.executable, "-c", WHOLE, store, Path(temporary) / "out"]))
            bare.append(cost_of([sys.executable, "-c", BARE, page, Path(temporary) / "bare.pdf"]))
    _show("seconds", [each.wall_s for each in whole], [each.wall_s for each in bare])
    _show("CPU seconds", [each.cpu_s for each in whole], [each.cpu_s for each in bare])
    return 0


def _page(store: Path) -> str:
    """The page that the PDF is made of, with its fonts inside."""
    with opened_study(store) as study:
        document = compose(study, all_tables(study), all_figures(study))
        page = pages.html(document, "paper")
    return fonts.with_inline(page.html, page.fonts)


def _show(unit: str, whole: list[float], bare: list[float]) -> None:
    """Medians of both, and the median of the ratios of each round."""
    ratio = statistics.median(one / other for one, other in zip(whole, bare, strict=True))
    report, page = statistics.median(whole), statistics.median(bare)
    print(f"whole report {report:.2f}, bare page {page:.2f} {unit}: ratio {ratio:.2f}")


if __name__ == "__main__":
    sys.exit(main())
