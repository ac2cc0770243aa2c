"""Pictures of the reports of all samples: `python -m docs.gallery` writes docs/gallery.md and docs/images/.

A picture shows the title page of a report and the first pages of its results, side by side, in few colours, so that the
folder stays small.
"""

import os
import re
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Final

import pypdfium2
import weasyprint
from PIL import Image

from pipeline.ingest.ingest import ingest
from reports.document.report import write_report

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs" / "gallery.md"
PICTURES: Final = ROOT / "docs" / "images" / "gallery"

FIGURE: Final = ("pacemaker-postgresql", "course")
"""The sample and its figure that README.md shows."""

SHOWN_PAGES: Final = 4
PAGE_WIDTH: Final = 460  # pixels
GAP: Final = 12
BACKGROUND: Final = (205, 208, 211)
COLOURS: Final = 128

HEAD: Final = """# Gallery

What the reports of the samples look like: the title page, and the pages on which the results begin. Each was written by
`haledger report samples/NAME`, with nothing but the logs and the study.toml of its folder; `make gallery` draws the
pictures again.
"""


def main() -> None:
    """Draw all samples, or those that are named, and write the page."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    for study in samples():
        if not sys.argv[1:] or study.name in sys.argv[1:]:
            draw(study)
    PAGE.write_text(page(), encoding="utf-8")


def samples() -> list[Path]:
    """Every sample with a study.toml, by name."""
    return sorted(path.parent for path in (ROOT / "samples").glob("*/study.toml"))


def page() -> str:
    """The page, which names the picture of every sample."""
    parts = [HEAD]
    for study in samples():
        title = tomllib.loads((study / "study.toml").read_text(encoding="utf-8"))["study"]["title"]
        link = f"[samples/{study.name}](../samples/{study.name})"
        parts.append(
            f"## {title}\n\nFrom {link}.\n\n![Pages of the report: {title}](images/gallery/{study.name}.png)\n"
        )
    return "\n".join(parts)


def draw(study: Path) -> None:
    """Write the report of a sample and the picture of its pages."""
    with tempfile.TemporaryDirectory(prefix="haledger-gallery-") as temporary:
        store = Path(temporary) / "store.duckdb"
        ingest(study, store)
        write_report(store, Path(temporary), formats=["pdf", "figures"], page_size="A4")
        sheets = drawn(Path(temporary) / "report.pdf")
        if study.name == FIGURE[0]:
            picture(Path(temporary) / "figures" / f"{FIGURE[1]}.svg").save(
                PICTURES.parent / f"{FIGURE[1]}.png", optimize=True
            )
    beside(sheets).save(PICTURES / f"{study.name}.png", optimize=True)


def picture(svg: Path) -> Image.Image:
    """A figure as a picture, on white, twice as fine as a screen shows it."""
    width, height = re.findall(r'(?:width|height)="([0-9.]+)"', svg.read_text(encoding="utf-8"))[:2]
    style = f"@page {{size: {width}px {height}px; margin: 0}} body {{margin: 0}}"
    pdf = weasyprint.HTML(string=f"<style>{style}</style><img src='{svg.as_uri()}'>").write_pdf()
    drawn: Image.Image = pypdfium2.PdfDocument(pdf)[0].render(scale=2.0).to_pil()
    return drawn.quantize(COLOURS // 2)


def drawn(report: Path) -> list[Image.Image]:
    """The first pages as pictures: the answer, and what it rests on."""
    pages = list(pypdfium2.PdfDocument(report))[:SHOWN_PAGES]
    return [each.render(scale=PAGE_WIDTH / each.get_width()).to_pil().convert("RGB") for each in pages]


def beside(sheets: list[Image.Image]) -> Image.Image:
    """Pages side by side, in few colours."""
    height = max(sheet.height for sheet in sheets)
    whole = Image.new("RGB", ((PAGE_WIDTH + GAP) * len(sheets) + GAP, height + 2 * GAP), BACKGROUND)
    for place, sheet in enumerate(sheets):
        whole.paste(sheet, (GAP + place * (PAGE_WIDTH + GAP), GAP))
    return whole.quantize(COLOURS, dither=Image.Dither.NONE)


if __name__ == "__main__":
    main()
    os._exit(0)  # as `haledger.main` does: DuckDB's binding would report leaks
