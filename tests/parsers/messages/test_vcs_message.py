import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.format import KEY_SCHEMA, STAMP_SCHEMA
from parsers.messages.vcs_message import NO_PAYLOAD, TEXT_COLUMNS, VCS_EVENT, messages, typed
from parsers.star import numbered

TEXTS = st.one_of(st.none(), st.sampled_from(["", "a", "b", "a b"]))


def heads(*numbers: int) -> pl.DataFrame:
    rows = [(1, line, 1, None, None, None, number) for line, number in enumerate(numbers, 1)]
    schema = {**KEY_SCHEMA, **STAMP_SCHEMA, "message_no": pl.UInt32()}
    return pl.DataFrame(rows, schema=schema, orient="row")


@given(st.lists(st.tuples(TEXTS, TEXTS)))
def test_numbers_lead_back_to_the_rows_each_different_one_once(rows: list[tuple[str | None, str | None]]) -> None:
    frame = pl.DataFrame(rows, schema={"one": pl.String(), "other": pl.String()}, orient="row")
    different, numbers = numbered(frame)
    assert different[numbers].rows() == rows
    assert different.height == len(set(rows))


@given(st.permutations([0, 0, 1, 2, 2, 2]))
def test_a_message_means_the_same_wherever_and_however_often_it_stands(numbers: list[int]) -> None:
    texts = pl.DataFrame(
        [
            ("umi", "ERROR", "V-16-1-10322", None, "System oak (Node '1') changed state from RUNNING to FAULTED"),
            ("umi", "TAG_C", None, None, "Group app_grp is online on system elm"),
            ("umi", "INFO", "V-16-2-13068", None, "(elm) Resource(vip) - clean completed successfully."),
        ],
        schema=dict.fromkeys(TEXT_COLUMNS, pl.String()),
        orient="row",
    ).with_columns(NO_PAYLOAD)
    found = typed(heads(*numbers), texts).flat()
    assert found.schema == pl.Schema(VCS_EVENT.schema)
    assert found["line_no"].to_list() == [1, 2, 3, 4, 5, 6]
    assert found["kind"].to_list() == [("system_state", "group_online", "clean_done")[each] for each in numbers]
    assert found["system"].to_list() == [("oak", "elm", None)[each] for each in numbers]
    assert found["host"].to_list() == [(None, None, "elm")[each] for each in numbers]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # ADAPTED: Had[20417]: VCS NOTICE V-16-1-10086 System oak (Node '0') is in Regular Membership - Membership: 0x3
        (
            "VCS NOTICE V-16-1-10086 System oak (Node '0') is in Regular Membership - Membership: 0x3",
            ("umi", "V-16-1-10086", "oak"),
        ),
        # RECONSTRUCTED
        (
            "VCS:10322:System elm (Node '0') changed state from RUNNING to FAULTED",
            ("tag_2", "V-16-1-10322", "elm"),
        ),
        # ADAPTED
        ('WARNING:: VCS Concurrency Violation!!! Group="webgrp" Hosts=(alder birch)', ("tag_1", None, None)),
        ("kernel: nothing of VCS", None),
    ],
)
def test_messages_in_other_logs(text: str, expected: tuple[str | None, ...] | None) -> None:
    rows = heads(0).drop("message_no").with_columns(text=pl.lit(text))
    assert messages(rows).flat().select("era", "message_id", "system").rows() == (
        [] if expected is None else [expected]
    )
