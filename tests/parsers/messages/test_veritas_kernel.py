from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.format import KEY_SCHEMA, STAMP_SCHEMA
from parsers.messages.veritas_kernel import (
    gab_events,
    llt_events,
    members,
    mentions,
    read,
    storage_events,
)

CORPUS = Path(__file__).parents[3].parent / "shared" / "corpus" / "vcs"
needs_corpus = pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not part of the repository")


def rows(*texts: str) -> pl.DataFrame:
    schema = {**KEY_SCHEMA, **STAMP_SCHEMA, "host": pl.String(), "text": pl.String(), "repeat_count": pl.Int32()}
    cells = [(1, line_no, 1, None, False, None, "n1", text, 0) for line_no, text in enumerate(texts, 1)]
    return pl.DataFrame(cells, schema, orient="row")


def llt(text: str) -> dict[str, object]:
    return llt_events(read(rows(text))).row(0, named=True)


def gab(text: str) -> dict[str, object]:
    return gab_events(read(rows(text))).row(0, named=True)


def storage(text: str) -> dict[str, object]:
    return storage_events(read(rows(text))).row(0, named=True)


LINK = "link 0 (qfe0) node 1"


@pytest.mark.parametrize(
    ("text", "message_id", "state", "link", "device", "peer", "silent_s", "outage"),
    [
        (f"LLT INFO V-14-1-10205 {LINK} in trouble", "V-14-1-10205", "trouble", 0, "qfe0", 1, None, None),
        (f"LLT INFO V-14-1-10032 {LINK} inactive 8 sec (69)", "V-14-1-10032", "inactive", 0, "qfe0", 1, 8, 69),
        (f"LLT:10032: {LINK} inactive 8 sec (2903317)", "V-14-1-10032", "inactive", 0, "qfe0", 1, 8, 2903317),
        (f"LLT INFO V-14-1-10509 {LINK} expired", "V-14-1-10509", "expired", 0, "qfe0", 1, None, None),
        (f"LLT INFO V-14-1-10024 {LINK} active", "V-14-1-10024", "active", 0, "qfe0", 1, None, None),
        (
            f"LLT INFO V-14-1-10510 sent hbreq (NULL) on {LINK}. 4 more to go.",
            *("V-14-1-10510", "hbreq", 0, "qfe0", 1, None, None),
        ),
        (
            "LLT:10019: delayed hb 812044 ticks from 1 link 0 (qfe:0)",
            *("V-14-1-10019", "delayed", 0, "qfe:0", 1, None, None),
        ),
        (
            "LLT:10023: lost 16240 hb seq 2903317 from 1 link 1 (eri:0)",
            *("V-14-1-10023", "lost", 1, "eri:0", 1, None, None),
        ),
        # an id of another release: the words decide
        (f"LLT INFO V-14-1-99999 {LINK} expired", "V-14-1-99999", "expired", 0, "qfe0", 1, None, None),
        (f"LLT INFO V-14-1-99999 {LINK} foo", "V-14-1-99999", "other", 0, "qfe0", 1, None, None),
    ],
)
def test_llt_message(  # noqa: PLR0917 a case has many values
    text: str,
    message_id: str,
    state: str,
    link: int,
    device: str,
    peer: int,
    silent_s: int | None,
    outage: int | None,
) -> None:
    row = llt(text)
    names = ("message_id", "state", "link", "device", "peer_id", "silent_s", "outage_key")
    assert tuple(row[name] for name in names) == (message_id, state, link, device, peer, silent_s, outage)


def test_llt_message_about_no_link_has_no_row() -> None:
    assert llt_events(read(rows("LLT INFO V-14-1-10009 LLT Protocol available"))).is_empty()


@pytest.mark.parametrize(
    ("membership", "nodes"),
    [
        ("01", [0, 1]),
        ("0", [0]),
        (";1", [1]),
        (" 1", [1]),  # a blank where a semicolon belongs does no harm
        ("0 2", [0, 2]),
        (";  3", [3]),
        ("0123456789;1", [*range(10), 11]),
        (";         01 3", [10, 11, 13]),
        ("0         ;         0", [0, 20]),
        ("1", None),  # blanks were lost
        ("0 1", None),
        ("01 (x)", None),
        ("01  ", [0, 1]),
    ],
)
def test_members_by_position(membership: str, nodes: list[int] | None) -> None:
    assert members(membership) == nodes


@given(st.sets(st.integers(0, 63), min_size=1))
def test_members_of_any_set(nodes: set[int]) -> None:
    shown = "".join(
        str(node % 10) if node in nodes else ";" if node % 10 == 0 else " " for node in range(max(nodes) + 1)
    )
    assert members(shown) == sorted(nodes)


@pytest.mark.parametrize(
    ("text", "kind", "port", "generation", "membership", "nodes"),
    [
        ("GAB INFO V-15-1-20036 Port h gen b41e07 membership 01", "membership", "h", "b41e07", "01", [0, 1]),
        ("GAB INFO V-15-1-20036 Port a gen   1bbf01 membership ;1", "membership", "a", "1bbf01", ";1", [1]),
        ("GAB:20036: Port a gen 4e3a02 membership ;1", "membership", "a", "4e3a02", ";1", [1]),
        ("GAB:20036 Port a gen 4e3a02 membership 0 2 ", "membership", "a", "4e3a02", "0 2 ", [0, 2]),
        ("GAB INFO V-15-1-20037 Port a gen 7c21a   jeopardy ;1", "jeopardy", "a", "7c21a", ";1", [1]),
        ("GAB INFO V-15-1-20038 Port a gen 7c21a k_jeopardy ;1", "jeopardy", "a", "7c21a", ";1", [1]),
        (
            "GAB INFO V-15-1-20040 Port h[GAB_USER_CLIENT (refcount 0)] gen   263813    visible 0",
            *("visible", "h", "263813", "0", [0]),
        ),
        ("GAB INFO V-15-1-20036 Port a gen 7c21a membership", "membership", "a", "7c21a", None, None),
        ("GAB INFO V-15-1-20032 Port h closed", "closed", "h", None, None, None),
        ("GAB WARNING V-15-1-20057 Port h process 1 inactive 7 sec", "inactive", "h", None, None, None),
        ("GAB: Port o halting system due to network failure", "halt", "o", None, None, None),
        ("GAB INFO V-15-1-20021 GAB available", "other", None, None, None, None),
    ],
)
def test_gab_message(  # noqa: PLR0917 a case has many values
    text: str,
    kind: str,
    port: str | None,
    generation: str | None,
    membership: str | None,
    nodes: list[int] | None,
) -> None:
    row = gab(text)
    names = ("kind", "port", "generation", "membership", "members")
    assert tuple(row[name] for name in names) == (kind, port, generation, membership, nodes)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "vxvm:vxconfigd: NOTICE: CVM_VOLD_CHANGE command received",
            {"product": "CVM", "component": "vxconfigd", "severity": "NOTICE", "is_recovery": True},
        ),
        (
            "VxVM vxconfigd NOTICE V-5-1-7900 CVM_VOLD_CONFIG command received",
            {"product": "CVM", "message_id": "V-5-1-7900", "severity": "NOTICE", "is_recovery": True},
        ),
        (
            "VxVM vxconfigd FATAL ERROR V-5-0-591 Disk group bootdg: Inconsistency -- Not loaded into kernel",
            {"product": "VxVM", "severity": "FATAL ERROR", "object": "bootdg", "is_recovery": False},
        ),
        (
            "vxio: WARNING: VxVM vxio V-5-0-2 Volume vol1 block 1: Uncorrectable read error",
            {"product": "VxVM", "component": "vxio", "severity": "WARNING", "object": "vol1"},
        ),
        (
            "VxVM vxdmp V-5-0-112 [Warn] disabled path 66/0x30",
            {"component": "vxdmp", "severity": "WARNING", "message_id": "V-5-0-112"},
        ),
        (
            "VxVM vxdg ERROR V-5-1-2349 Device emcpower11s2 appears to be owned by disk group dg1.",
            {"component": "vxdg", "object": "dg1", "severity": "ERROR"},
        ),
        (
            "WARNING: msgcnt 3: vxfs: mesg 019: vx_log_add - /db01 file system log overflow",
            {"product": "VxFS", "message_id": "V-2-19", "severity": "WARNING", "object": "/db01"},
        ),
        (
            "WARNING: msgcnt 4: mesg 019: V-2-19: vx_log_add - /db01 file system log overflow",
            {"product": "VxFS", "message_id": "V-2-19", "severity": "WARNING", "object": "/db01"},
        ),
        (
            "/dev/vx/rdsk/dg1/vol1:log replay in progress",
            {"product": "VxFS", "component": "fsck", "object": "/dev/vx/rdsk/dg1/vol1", "is_recovery": True},
        ),
        ("replay complete - marking super-block as CLEAN", {"component": "fsck", "is_recovery": True}),
        ("file system is clean - log replay is not required", {"component": "fsck", "is_recovery": False}),
        (
            "UX:vxfs mount: ERROR: V-3-21268: /dev/vx/dsk/dg1/vol1 is corrupted. needs checking",
            {"product": "VxFS", "component": "mount", "message_id": "V-3-21268", "object": "/dev/vx/dsk/dg1/vol1"},
        ),
        (
            "VXFEN:vxfen_plat_panic: Local cluster node ejected from cluster to prevent potential data corruption.",
            {"product": "VXFEN", "component": "vxfen_plat_panic", "is_recovery": False},
        ),
        (
            "...VxFEN ERROR V-11-1-25 ... Unable to join running cluster",
            {"product": "VXFEN", "message_id": "V-11-1-25", "severity": "ERROR"},
        ),
        ("vxfsckd: primary take-over of /shared done", {"product": "CFS", "is_recovery": True}),
    ],
)
def test_storage_message(text: str, expected: dict[str, object]) -> None:
    row = storage(text)
    assert {name: row[name] for name in expected} == expected
    assert mentions(pl.lit(text)).pipe(lambda truth: pl.select(truth).item())


@needs_corpus
@pytest.mark.parametrize(
    ("name", "llt_rows", "gab_rows", "storage_rows"),
    [
        ("llt_gab_rhel_vmcore_github.txt", 13, 4, 0),  # 13 of 15: a tag of HTML stands in two of them
        ("gab50_rhel5_console_panic.txt", 0, 2, 0),
        ("gab_windows_eventlog_heartbeat.txt", 0, 8, 0),
        ("gab_jeopardy_windows.txt", 0, 1, 0),
        ("cvm_pre4_vxconfigd_syslog.txt", 0, 0, 5),
        ("vxfs_doc_kernel_and_fsck.txt", 0, 0, 8),
        ("vxvm_doc_severities.txt", 0, 0, 6),
        ("vxfen_doc_console.txt", 0, 0, 2),
        ("llt_gab_start_console_doc.txt", 0, 2, 0),
    ],
)
def test_corpus_rows(name: str, llt_rows: int, gab_rows: int, storage_rows: int) -> None:
    found = read(rows(*(CORPUS / name).read_text("utf-8").splitlines()))
    heights = [events(found).height for events in (llt_events, gab_events, storage_events)]
    assert heights == [llt_rows, gab_rows, storage_rows]


@needs_corpus
def test_glued_messages_keep_their_order_and_their_keys() -> None:
    events = llt_events(read(rows((CORPUS / "llt_gab_rhel_vmcore_github.txt").read_text("utf-8").splitlines()[0])))
    assert events["part"].to_list() == list(range(1, 14))
    assert set(events.filter(state="inactive").select("link", "outage_key").rows()) == {(0, 696686965), (1, 696614993)}
    assert events.filter(state="inactive", link=0)["silent_s"].to_list() == [8, 9, 10, 11, 12, 13]


def test_words_before_the_first_message_stay_with_it() -> None:
    glued = "panic: LLT INFO V-14-1-10024 link 0 (a) node 1 active LLT INFO V-14-1-10024 link 1 (b) node 1 active"
    found = read(rows(glued))
    assert found["text"].to_list() == [
        "panic: LLT INFO V-14-1-10024 link 0 (a) node 1 active",
        "LLT INFO V-14-1-10024 link 1 (b) node 1 active",
    ]
