"""The reference of cluster messages says what the rules say."""

from docs.ha_reference import markdown
from parsers.messages.ha_rule import KINDS, rules


def test_every_rule_and_every_kind_has_its_line() -> None:
    lines = markdown().splitlines()
    assert [rule.id for rule in rules() if not any(line.startswith(f"| `{rule.id}` |") for line in lines)] == []
    assert [kind for kind in KINDS if not any(line.startswith(f"| `{kind}` |") for line in lines)] == []


def test_every_row_of_a_table_has_as_many_cells_as_its_heading() -> None:
    counts: list[int] = []
    for line in markdown().splitlines():
        cells = line.replace("\\|", "").count("|")
        counts = [*counts, cells] if cells else []
        assert len(set(counts)) <= 1, line
