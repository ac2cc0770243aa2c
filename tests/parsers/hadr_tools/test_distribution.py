import pytest

from parsers.format import Verdict
from parsers.hadr_tools.distribution import Distributions, is_distribution
from parsers.hadr_tools.sheet import Row, Sheet


def read(*texts: str) -> tuple[Sheet, dict[str, list[Row]]]:
    sheet = Sheet(list(texts))
    distributions = Distributions(sheet)
    for index, text in enumerate(texts):
        assert distributions.read(index, text, 1) == is_distribution(text)
    rows: dict[str, list[Row]] = {"hadr_distribution": [], "hadr_bucket": []}
    for table, _, row in sheet.rows:
        rows[table].append(row)
    return sheet, rows


def test_zeros_are_a_bucket() -> None:
    # REAL: gen_lo_nearsync_fs32_sockbuf.primary.txt, shortened
    sheet, rows = read(
        "Distribution of congestion duration (unit is microsecond):",
        "Total 68811 numbers, Sum 1432446, Min 0, Max 47933, Avg 20",
        "13 zeros",
        "From 1 to 1                       16 numbers",
        "From 4 to 7                    33123 numbers",
    )
    (only,) = rows["hadr_distribution"]
    assert (only["metric"], only["unit"], only["n"], only["avg"]) == ("congestion duration", "microsecond", 68811, 20)
    assert [(row["lo"], row["hi"], row["count"], row["exact"]) for row in rows["hadr_bucket"]] == [
        (0, 0, 13, True),
        (1, 1, 16, True),
        (4, 7, 33123, False),
    ]
    verdicts = [each.verdict for each in sheet.line_verdicts]
    assert verdicts == [Verdict.PARSED, Verdict.CONTINUATION, *[Verdict.PARSED] * 3]


@pytest.mark.parametrize(
    ("text", "lo", "hi", "count", "pct"),
    [
        ("Exactly      1.362           1 numbers  12%", 1.362, 1.362, 1, 12),  # REAL: hadrCalculator.pl
        ("Exactly 48 3130 numbers", 48, 48, 3130, None),
        ("Zero 5 numbers 3%", 0, 0, 5, 3),
        ("From 0.5 to 0.99     7 numbers  1%", 0.5, 0.99, 7, 1),
    ],
)
def test_columns_are_padded_in_any_way(text: str, lo: float, hi: float, count: int, pct: float | None) -> None:
    _, rows = read(text)
    (bucket,) = rows["hadr_bucket"]
    assert (bucket["lo"], bucket["hi"], bucket["count"], bucket["pct"]) == (lo, hi, count, pct)
    assert len(rows["hadr_distribution"]) == 1  # without a heading, and still one to belong to


def test_a_second_total_begins_a_distribution_without_a_heading() -> None:
    total = "Total 3 numbers, Sum 48, Min 16, Max 16, Avg 16"
    _, rows = read("Distribution of recv size (unit is byte):", total, total, "Exactly 16 3 numbers")
    assert [row.get("metric") for row in rows["hadr_distribution"]] == ["recv size", None]
    assert rows["hadr_bucket"][0]["distribution_no"] == 2


def test_a_number_that_no_counter_holds_is_no_line_of_a_distribution() -> None:
    assert not is_distribution(f"From 1 to 1 {'9' * 40} numbers")
