import re
from pathlib import Path

import polars as pl
import pytest

from parsers.messages.vcs_message import VCS_EVENT
from parsers.messages.vcs_vocabulary import FIELD_NAMES, FIELDS, KIND_BY_ID, KIND_BY_PRINTED_ID, KIND_BY_TEXT

ARCHITECTURE = Path(__file__).parents[3] / "docs" / "architecture.md"
(VOCABULARY,) = re.findall(r"`vcs_event\.kind`:([^.]*)\.", ARCHITECTURE.read_text())
KINDS = set(re.findall(r"\w+", VOCABULARY))


def test_kinds_are_of_the_vocabulary() -> None:
    named = {
        *KIND_BY_ID.values(),
        *(kind for kind, _ in KIND_BY_TEXT),
        *(kind for kinds, _ in FIELDS for kind in kinds),
    }
    assert named <= KINDS


def test_every_kind_is_distinguished_from_text() -> None:
    assert {kind for kind, _ in KIND_BY_TEXT} == KINDS - {"other"}


def test_a_number_means_the_same_in_every_category() -> None:
    assert len(KIND_BY_PRINTED_ID) == 2 * len(KIND_BY_ID)


@pytest.mark.parametrize("pattern", [pattern for _, pattern in FIELDS])
def test_groups_of_a_pattern_are_fields(pattern: str) -> None:
    groups = pl.Series([""]).str.extract_groups(pattern).struct.fields
    assert set(groups) <= set(FIELD_NAMES)


def test_fields_are_columns() -> None:
    assert set(FIELD_NAMES) - {"cause"} <= set(VCS_EVENT.schema)


# RECONSTRUCTED from messages that Veritas documents: what a number means is what its English text says.
SHARK = "db03shark (Owner: unknown, Group: db2_shark)"
TEXTS = {
    "1-10077": "Received new cluster membership",
    "1-10079": "System sun-ha3 (Node '0') is in Down State - Membership: 0x2",
    "1-10086": "System sun-ha3 (Node '0') is in Regular Membership - Membership: 0x3",
    "1-10111": "System sun-ha3 (Node '0') is in Regular and Jeopardy Memberships - Membership: 0x3, Jeopardy: 0x1",
    "1-10113": "System sun-ha3 (Node '0') is in DDNA Membership - Membership: 0x2, Visible: 0x1",
    "1-10205": "Group db2_shark is faulted on system sun-ha4",
    "1-10208": "Initiating switch of group db2_shark from system sun-ha3 to system sun-ha4",
    "1-10297": f"Resource {SHARK} is online on sun-ha4 (First probe)",
    "1-10298": f"Resource {SHARK} is online on sun-ha4 (VCS initiated)",
    "1-10299": f"Resource {SHARK} is online on sun-ha4 (Not initiated by VCS)",
    "1-10300": f"Initiating Offline of Resource {SHARK} on System sun-ha4",
    "1-10301": f"Initiating Online of Resource {SHARK} on System sun-ha4",
    "1-10303": f"Resource {SHARK} is FAULTED (timed out) on sys sun-ha4",
    "1-10304": f"Resource {SHARK} is offline on sun-ha4 (First probe)",
    "1-10305": f"Resource {SHARK} is offline on sun-ha4 (VCS initiated)",
    "1-10307": f"Resource {SHARK} is offline on sun-ha4 (Not initiated by VCS)",
    "1-10322": "System sun-ha3 (Node '0') changed state from RUNNING to FAULTED",
    "1-10446": "Group db2_shark is offline on system sun-ha4",
    "1-10447": "Group db2_shark is online on system sun-ha4",
    "1-50135": "User root fired command: hagrp -switch db2_shark sun-ha4 from localhost",
    "2-13011": "Resource(db03shark): offline procedure did not complete within the expected time.",
    "2-13012": "Resource(db03shark): online procedure did not complete within the expected time.",
    "2-13027": "Resource(db03shark) - monitor procedure did not complete within the expected time.",
    "2-13068": "Resource(db03shark) - clean completed successfully.",
}


@pytest.mark.parametrize(("number", "text"), TEXTS.items(), ids=TEXTS)
def test_a_number_means_what_its_english_text_says(number: str, text: str) -> None:
    by_text = next(kind for kind, pattern in KIND_BY_TEXT if re.search(pattern, text))
    assert KIND_BY_ID[number] == by_text
