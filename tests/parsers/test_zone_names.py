import re
from zoneinfo import available_timezones

from parsers.zone_names import OF_SEVERAL, REGION, ZONES_MIN


def test_zones_are_whole_quarter_hours_on_earth() -> None:
    assert all(-12 * 60 <= east <= 14 * 60 and east % 15 == 0 for east in ZONES_MIN.values())
    assert ZONES_MIN["CEST"] == ZONES_MIN["CET"] + 60 == 120
    assert {"CST", "BST"} <= OF_SEVERAL & ZONES_MIN.keys()


def test_places_are_those_of_the_zone_database() -> None:
    areas = {name.partition("/")[0] for name in available_timezones() if re.fullmatch(REGION, name)}
    assert {"Europe", "America", "Asia", "Etc"} <= areas
    assert not re.fullmatch(REGION, "Service/Started")
