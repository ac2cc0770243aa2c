"""Sentences of the report."""

from reports.words import MOST_OF_A_KIND, Doubt, printed_doubts


def _doubts(kind: str, number: int) -> list[Doubt]:
    return [Doubt("Warning", kind, f"{kind} {each}", f"{kind}.log:{each}") for each in range(number)]


def test_print_shows_the_first_doubts_of_a_kind_and_counts_the_rest() -> None:
    shown = printed_doubts([*_doubts("outlier", MOST_OF_A_KIND + 5), *_doubts("drift", MOST_OF_A_KIND + 1)])
    assert [each.kind for each in shown] == ["outlier"] * (MOST_OF_A_KIND + 1) + ["drift"] * (MOST_OF_A_KIND + 1)
    reported = shown[MOST_OF_A_KIND]
    assert reported.text.startswith("5 more of this kind")
    assert reported.place == ""


def test_a_single_rest_is_shown_rather_than_counted() -> None:
    found = _doubts("outlier", MOST_OF_A_KIND + 1)
    assert printed_doubts(found) == found
