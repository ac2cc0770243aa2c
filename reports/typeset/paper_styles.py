"""How journals and conferences set tables and figures: widths, sizes of letters, and what their classes allow."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Style(StrEnum):
    """Papers that tables and figures are set for, by what their publishers are called."""

    PLAIN = "plain"
    ACM = "acm"
    IEEE = "ieee"
    LNCS = "lncs"


@dataclass(frozen=True, slots=True)
class PaperStyle:
    """A document class. Widths in points of TeX, 72.27 an inch.

    `line`: between the margins; `column`: of one of two columns, None where there is one. `largest`: letters of tables,
    points. `is_scientific`: numbers are aligned by siunitx, which the paper then loads. `describes`: figures have a
    text that says what they show.
    """

    line: float
    column: float | None = None
    largest: int = 10
    is_scientific: bool = True
    describes: bool = False


PLAIN: Final = PaperStyle(455.0, is_scientific=False)
"""An A4 page with margins of 2.5 cm."""

STYLES: Final = {
    Style.PLAIN: PLAIN,
    Style.ACM: PaperStyle(506.3, 241.1, 9, describes=True),  # acmart, sigconf
    Style.IEEE: PaperStyle(516.0, 252.0, 9),  # IEEEtran, conference and journal
    Style.LNCS: PaperStyle(347.1, None, 9),  # llncs
}
POINTS_PER_PIXEL: Final = 72.27 / 96
"""Points of TeX in a pixel of CSS."""
