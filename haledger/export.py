"""Tables and figures of the report as files: what `haledger tables` and `haledger figures` share."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from haledger.options import found_store, writing
from haledger.terminal import Talk, show_result, show_summary
from reports.typeset.paper_styles import PLAIN, POINTS_PER_PIXEL, STYLES, Style

if TYPE_CHECKING:
    from reports.document.products import Kind


@dataclass(frozen=True, slots=True)
class Target:
    """The store to read, the folder to write to, whether to list only, and whether figures are one column wide.

    `style`: of the paper that LaTeX and PDF are for.
    """

    db: Path | None
    folder: Path
    is_listing: bool
    as_json: bool
    is_column: bool = False
    style: Style = Style.PLAIN


def export(kind: "Kind", names: Sequence[str], formats: Sequence[str], target: Target) -> None:
    """Write tables or figures to files, or list them."""
    from pipeline.store.locate import find_store
    from pipeline.store.notes import valid_notes
    from reports.document.products import products, write_products
    from reports.figures.draw.style import COLUMN, WIDE

    store = find_store(target.db, Path.cwd())
    notes = valid_notes(store)
    if not notes:
        found_store(store)
    if target.is_listing:
        found = products(store, kind, notes)
        lines = [f"{each.name:24}  {each.label}: {each.caption}" for each in found]
        show_result([each.to_dict() for each in found], lines, as_json=target.as_json)
        is_any = bool(found)
    else:
        with writing(target.folder):
            paper = STYLES[target.style]
            width = COLUMN if target.is_column else WIDE
            if paper is not PLAIN:
                width = ((target.is_column and paper.column) or paper.line) / POINTS_PER_PIXEL
            paths = write_products(store, kind, names, formats, target.folder, width=width, style=paper, notes=notes)
            written = list(map(str, paths))
        show_summary(written, written, as_json=target.as_json)
        is_any = bool(written)
    if not is_any:
        Talk.say(f"This study has no {kind}.")
