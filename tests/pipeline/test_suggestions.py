from pipeline.suggestions import close_names, hint, listed, nearest

KNOWN = ["Tuned", "default", "defect"]


def test_the_most_alike_is_meant_in_any_case() -> None:
    assert close_names("tunde", KNOWN) == ["Tuned"]
    assert close_names("DEFALT", KNOWN, 2) == ["default", "defect"]
    assert close_names("elsewhere", KNOWN) == []


def test_message_ends_with_the_nearest_else_with_all() -> None:
    assert nearest("tunde", KNOWN) == "; the nearest known is 'Tuned'"
    assert nearest("x", KNOWN) == ""
    assert hint("tunde", KNOWN) == nearest("tunde", KNOWN)
    assert hint("x", KNOWN) == "; known: Tuned, default, defect"


def test_of_many_names_the_first_are_listed() -> None:
    assert listed([f"n{number:02}" for number in range(13)]).endswith("n10, n11, ...")
    assert listed([]) == "; there is none"


def test_of_names_that_differ_in_case_the_first_is_given() -> None:
    assert close_names("Maen", ["Measured", "Mean", "mean"]) == ["Mean"]
