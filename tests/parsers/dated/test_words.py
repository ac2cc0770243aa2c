from parsers.dated.words import CAPITALS, MONTH_NUMBERS, SEVERITY_WORDS
from parsers.syslog.words import LEVELS


def test_months_of_several_languages() -> None:
    names = ("mär", "août", "ene", "mag", "dez", "сентября", "Jan".lower())
    assert [MONTH_NUMBERS[each] for each in names] == [3, 8, 1, 5, 12, 9, 1]


def test_every_word_is_a_level_of_syslog() -> None:
    assert set(SEVERITY_WORDS.values()) <= set(LEVELS)
    assert {word.lower() for word in CAPITALS} <= set(SEVERITY_WORDS)
