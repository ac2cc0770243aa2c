"""Names of zones as `date` and other programs print them, and as the database of zones has them."""

from datetime import datetime
from functools import cache

import polars as pl

ZONES_MIN = dict(
    pair
    for east_min, names in (
        (0, ("UTC", "GMT", "UCT", "Z", "WET")),
        (60, ("WEST", "BST", "CET")),
        (120, ("CEST", "EET")),
        (180, ("EEST", "MSK")),
        (480, ("SGT", "HKT")),
        (540, ("JST", "KST")),
        (600, ("AEST",)),
        (660, ("AEDT",)),
        (720, ("NZST",)),
        (780, ("NZDT",)),
        (-180, ("BRT",)),
        (-240, ("EDT",)),
        (-300, ("EST", "CDT")),
        (-360, ("CST", "MDT")),
        (-420, ("MST", "PDT")),
        (-480, ("PST",)),
    )
    for pair in dict.fromkeys(names, east_min).items()
)
"""Minutes east of UTC."""

OF_SEVERAL = frozenset({"BST", "CST", "IST"})
"""Names of zones in several parts of the world: what a program of unknown origin means by them is open."""

SURE_MIN = {name: east for name, east in ZONES_MIN.items() if name not in OF_SEVERAL}
"""Minutes east of UTC of the names that one zone explains."""

REGION = (
    r"(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc)/[A-Z][A-Za-z0-9_+/-]{1,40}"
)
"""A zone by its place: Europe/Berlin."""


@cache
def is_zone(name: str) -> bool:
    """Whether the database of zones has a name, in the copy that Polars converts times with: a system may have none."""
    try:
        pl.Series([datetime(2000, 1, 1)]).dt.replace_time_zone(name)  # noqa: DTZ001  a wall clock is meant
    except pl.exceptions.PolarsError:
        return False
    return name[:1].isalpha()  # not +02:00, and not the empty name, which is no zone at all
