"""How the table of claims prints what was found."""

from pipeline.ask.check.verdict import About, Condition, Estimate, EvaluatedClaim, Verdict
from reports.tables.claims import printed_decimals


def decimals(found: Estimate, asked: Condition) -> int:
    about = About("phase", "fs_check_mount", "tuned", None, "")
    return printed_decimals(EvaluatedClaim(1, "", "", Verdict.PASS, "", found, about=about, asked=asked), found)


def test_seconds_have_one_decimal_unless_it_would_move_an_end_across_the_border() -> None:
    """What counts is the border of the margin: a mean that hits the value asked for lies far from it."""
    a_second_around_8 = Condition("=", 8.0, margin=1.0)
    assert decimals(Estimate(8.0, 7.523, 8.477, "s"), a_second_around_8) == 1
    assert decimals(Estimate(8.5, 8.023, 8.977, "s"), a_second_around_8) == 2
    assert decimals(Estimate(38.5, 38.123, 39.977, "s"), Condition("<", 40.0)) == 2
    assert decimals(Estimate(38.5, 38.123, 38.877, "s"), Condition("<", 40.0)) == 1
