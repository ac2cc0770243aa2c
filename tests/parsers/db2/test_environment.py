"""What the record that begins a db2diag.log gives of DB2 and its machine."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.db2.environment import facts_of
from tests.support.db2diag_log import HEADER_82, checked, needs_corpus, numbered, read

# REAL (IBM Data Server Driver 12.1.4), shortened
RECORD = """\
DATA #1 : Build Level, 248 bytes
Instance "DB2" uses "64" bits and DB2 code release "SQL12014"
with level identifier "02050110".
Informational tokens are "DB2 v12.1.4.0", "special_87349", "DYN2606270632AMD64_87349", Fix Pack "0".
DATA #2 : System Info, 664 bytes
System: Linux vm 18 6 x86_64
CPU: total:2 online:2 Cores per socket:2 Threading degree per core:1 SIMD:Y CPU Features:SSE2,SSE3
CPU binding: not in use
CPU cache: L2:2097152 bytes L3:272629760 bytes (shared by 2 threads)
Physical Memory(MB): total:24106 free:16407
Swap     Memory(MB): total:0 free:0
Kernel   Params: msgMaxMessageSize:8192 msgMsgMap:16384
                 shmMax:9223372036854775807
Cur cpu time limit (seconds)  = 0xFFFFFFFFFFFFFFFF
Cur stack size (bytes)  = 0x0000000000800000
nofiles (descriptors)  = 0x0000000000004E20
Cur maximum number of processes = 0x000000000001786D
Disk: 4K Device Support: NONE
"""


def test_every_line_gives_its_facts() -> None:
    assert list(facts_of(RECORD)) == [
        ("db2", "bits", "64", "bit"),
        ("db2", "code_release", "SQL12014", None),
        ("db2", "level", "02050110", None),
        ("db2", "version", "12.1.4.0", None),
        ("db2", "build", "special_87349", None),
        ("db2", "ptf", "DYN2606270632AMD64_87349", None),
        ("db2", "fix_pack", "0", None),
        ("os", "name", "Linux", None),
        ("os", "release", "6.18", None),
        ("os", "host", "vm", None),
        ("cpu", "architecture", "x86_64", None),
        ("cpu", "total", "2", None),
        ("cpu", "online", "2", None),
        ("cpu", "cores_per_socket", "2", None),
        ("cpu", "threading_degree_per_core", "1", None),
        ("cpu", "simd", "Y", None),
        ("cpu", "features", "SSE2,SSE3", None),
        ("cpu", "binding", "not in use", None),
        ("cpu", "l2_cache", "2097152", "bytes"),
        ("cpu", "l3_cache", "272629760", "bytes"),
        ("memory", "physical_total", "24106", "MB"),
        ("memory", "physical_free", "16407", "MB"),
        ("memory", "swap_total", "0", "MB"),
        ("memory", "swap_free", "0", "MB"),
        ("kernel", "msgMaxMessageSize", "8192", None),
        ("kernel", "msgMsgMap", "16384", None),
        ("kernel", "shmMax", "9223372036854775807", None),
        ("limit", "cpu_time", "unlimited", "seconds"),
        ("limit", "stack_size", "8388608", "bytes"),
        ("limit", "nofiles", "20000", "descriptors"),
        ("limit", "maximum_number_of_processes", "96365", None),
        ("disk", "4k_device_support", "NONE", None),
    ]


@pytest.mark.parametrize(
    ("line", "facts"),
    [
        ("System: AIX aixhost 3 5 00C5D7AE4C00", [("os", "name", "AIX", None), ("os", "release", "5.3", None)]),
        (
            "System: WIN32_NT HOST Service Pack 2 5.2 x86",
            [("os", "system", "WIN32_NT HOST Service Pack 2 5.2 x86", None)],
        ),
        (
            'Informational tokens are "DB2 v8.1.0.89", "OD_14086", "MI00105_14086", FixPak "9".',
            [("db2", "version", "8.1.0.89", None), ("db2", "fix_pack", "9", None)],
        ),
        ("Information in this record is only valid at the time", []),
        ("CPU: ", []),
    ],
)
def test_line_of_another_release(line: str, facts: list[tuple[str, str, str, str | None]]) -> None:
    found = list(facts_of(line))
    assert [fact for fact in found if fact in facts] == facts
    assert bool(found) == bool(facts)


def test_host_is_that_of_the_record_else_that_of_its_system() -> None:
    lines = ["START   : New Diagnostic Log file", *RECORD.splitlines()]
    for host, expected in (([], "vm"), (["HOSTNAME: node1"], "node1")):
        text = "\n".join([HEADER_82, *host, *lines])
        facts = checked(numbered(text)).tables["environment_fact"]
        assert facts["host"].unique().to_list() == [expected]
        assert facts["part"].to_list() == list(range(1, 33))


@needs_corpus
def test_real_file_gives_all_of_it() -> None:
    facts = checked(numbered(read("db2diag_1214_linux_client_newyork.log"))).tables["environment_fact"]
    assert facts.height == 54
    assert facts["line_no"].unique().to_list() == [2]


@given(st.text() | st.lists(st.sampled_from([*RECORD.split(), " ", "\n", ":", '"', "=", "0x"])).map("".join))
def test_any_text_gives_facts_or_none(text: str) -> None:
    assert all(name and value is not None for _, name, value, _ in facts_of(text))


def test_very_long_lines_are_passed_over() -> None:
    assert list(facts_of("CPU: " + "a" * 1_000_000 + "\nDisk: a: b\n" + "b " * 1_000_000)) == [("disk", "a", "b", None)]
