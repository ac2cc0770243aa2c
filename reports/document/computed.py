"""Tables and figures on their own, computed from a store, with the numbers that they have in its report."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from reports.document.document import numbered, to_stand_alone
from reports.figures.catalogue import all_figures
from reports.figures.model import Figure
from reports.study.view import opened_study
from reports.tables.catalogue import all_tables
from reports.tables.model import Table


@contextmanager
def computed(store: Path, kind: Literal["tables", "figures"]) -> Iterator[Iterable[Table | Figure]]:
    """Those of a kind in the order of the report, while the store is open."""
    with opened_study(store) as study:
        if kind == "tables":
            yield to_stand_alone(numbered(study, tables=all_tables(study)), Table).values()
        else:
            yield to_stand_alone(numbered(study, figures=all_figures(study)), Figure).values()
