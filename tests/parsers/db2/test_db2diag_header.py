"""A header that is cut is joined with the lines below, or refused; it never continues the record above."""

import pytest

from tests.support.db2diag_log import HEADER_82, PID_82, checked, numbered, rows, verdicts

CUT = HEADER_82.removesuffix("Event")
OLD = "2004-06-25-15.53.42.078000   Instance:DB2"


@pytest.mark.parametrize(
    ("header", "level"),
    [
        pytest.param(f"{CUT}\nSevere", "Severe", id="before the level"),
        pytest.param(f"{CUT}Sev\nere", "Severe", id="within the level"),
        pytest.param(f"{CUT[:-4]}\n{CUT[-4:]}Info", "Info", id="within the word LEVEL"),
        pytest.param(f"{CUT}Error\n(OS)", "Error", id="before who returned it"),
        pytest.param(f"{CUT[:30]}\n{CUT[31:40]}\nLEVEL: Error", "Error", id="twice"),
        pytest.param(f"> {CUT}\n> Severe", "Severe", id="quoted"),
        pytest.param(f"{OLD}\nNode:000", "Unknown", id="of V8.1"),
    ],
)
def test_a_cut_header_is_joined(header: str, level: str) -> None:
    mark = "> " if header.startswith(">") else ""
    found = rows(f"{HEADER_82}\nMESSAGE : above\n\n{header}\n{mark}{PID_82}\n{mark}MESSAGE : below")
    assert (found[0]["level"], found[0]["message"]) == ("Event", "above")
    assert found[1]["level"] == level


def test_a_header_without_its_end_is_refused_with_its_record() -> None:
    text = f"{HEADER_82}\nMESSAGE : above\n{CUT}\n{PID_82}\nMESSAGE : below\n{HEADER_82}"
    assert verdicts(text) == "PCRRRP"
    assert [row["message"] for row in rows(text)] == ["above", None]
    reasons = checked(numbered(text)).lines["reason"].drop_nulls().unique(maintain_order=True).to_list()
    assert reasons == [
        "record header whose end is not on the next line",
        "belongs to a record whose header is not whole",
    ]
