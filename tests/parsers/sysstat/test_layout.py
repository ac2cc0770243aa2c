"""Places of values in rows."""

from parsers.sysstat.columns import LINUX
from parsers.sysstat.layout import Layout, clock_of, item_of, named_item, with_half_day


def test_an_item_knows_what_its_columns_mean() -> None:
    item = item_of("device", ["tps", "kB_read/s", "novelty"], 1, name_at=0)
    assert item.at == (1, 2, 3)
    assert item.meanings == {"tps": LINUX["tps"], "kB_read/s": LINUX["kB_read/s"]}


def test_columns_of_one_name_are_distinguished() -> None:
    assert item_of("vmstat", ["s1", "s1", "s1"], 0, "vmstat").printed == ("s1", "s1'", "s1''")


def test_the_name_of_a_device_may_stand_anywhere() -> None:
    item = named_item(["tps", "rkB/s", "DEV"], 1, "DEV")
    assert (item.name_at, item.at, item.printed) == (3, (1, 2), ("tps", "rkB/s"))


def test_a_row_that_begins_with_a_date_may_hold_half_of_the_day() -> None:
    layout = Layout(4, (item_of("device", ["tps"], 3, name_at=2),), 0, 2)
    plain, half_day = with_half_day(layout)
    assert plain == layout
    assert (half_day.width, half_day.items[0].at, half_day.items[0].name_at) == (5, (4,), 3)
    assert clock_of(0, None) == (None, 0)
    assert with_half_day(Layout(1, ())) == (Layout(1, ()),)
