import re

import pytest

from parsers.stamp_format import pattern_of


def test_directives_become_parts_of_a_stamp() -> None:
    found = re.fullmatch(pattern_of("%d.%m.%Y %T,%f"), "31.01.2020  10:20:30,5")
    assert found
    assert found.groupdict() == {
        "day": "31",
        "month": "01",
        "year": "2020",
        "hour": "10",
        "minute": "20",
        "second": "30",
        "fraction": "5",
    }


@pytest.mark.parametrize(
    ("written", "reason"), [("%Q", "%Q is no directive"), ("%d %H:%M", "lacks the day"), ("%F %F %T", "two directives")]
)
def test_what_is_no_stamp(written: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        pattern_of(written)
