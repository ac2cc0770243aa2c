import pytest

from parsers.configuration.server_facts import FORMAT
from parsers.format import Verdict
from tests.support.configuration_lines import confidence, verdicts
from tests.support.message_lines import numbered

Fact = tuple[str, str, str, str | None]

# REAL but for names, except where said
UNAME = "Linux db1 6.18.44 #1 SMP PREEMPT_DYNAMIC @0 x86_64 GNU/Linux"
LSCPU = [
    "Architecture:                            x86_64",
    "CPU op-mode(s):                          32-bit, 64-bit",
    "CPU(s):                                  2",
    "Model name:                              AMD EPYC",
    "Flags:                                   fpu vme de",
    "Vulnerability Mds:                       Not affected",
]
FREE = [
    "               total        used        free",
    "Mem:            23Gi       626Mi        20Gi",
    "Swap:  0B  0B  0B",
]
MEMINFO = ["MemTotal:       24684084 kB", "MemFree:        21489644 kB", "HugePages_Total:       0"]
DF = [
    "Filesystem               Size  Used Avail Use% Mounted on",
    "tmpfs                     24G     0   24G   0% /dev/shm",
    "/dev/mapper/a-very-long-name-of-a-volume",
    "                         252G   22G   70G  25% /db 03",
]
OS_RELEASE = ['PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"', 'VERSION_ID="12"', "ID=debian"]
# RECONSTRUCTED from the tokens that db2diag.log prints; wrapped as the command wraps them
DB2LEVEL = [
    'DB21085I  This instance or install (instance name, where applicable: "db2inst1")',
    'uses "64" bits and DB2 code release "SQL12014" with level identifier "02050110".',
    'Informational tokens are "DB2 v12.1.4.0", "special_87349", "DYN2606270632AMD64_87349", and Fix Pack',
    '"0".',
    'Product is installed at "/opt/ibm/db2/V12.1".',
]


def facts(*texts: str) -> list[Fact]:
    tables = FORMAT.parse(numbered(texts)).tables
    return list(tables["environment_fact"].select("subject", "name", "value", "unit").iter_rows()) if tables else []


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        (
            [UNAME],
            [
                ("os", "name", "Linux", None),
                ("os", "release", "6.18.44", None),
                ("os", "host", "db1", None),
                ("cpu", "architecture", "x86_64", None),
            ],
        ),
        (  # RECONSTRUCTED
            ["SunOS sun-ha3 5.9 Generic_112233-04 sun4u sparc SUNW,Sun-Fire-280R"],
            [
                ("os", "name", "SunOS", None),
                ("os", "release", "5.9", None),
                ("os", "host", "sun-ha3", None),
                ("cpu", "architecture", "sun4u", None),
            ],
        ),
        (  # RECONSTRUCTED: AIX prints the minor number first
            ["AIX db1 1 7 00F6050A4C00"],
            [("os", "name", "AIX", None), ("os", "release", "7.1", None), ("os", "host", "db1", None)],
        ),
        (
            LSCPU,
            [("cpu", "architecture", "x86_64", None), ("cpu", "total", "2", None), ("cpu", "model", "AMD EPYC", None)],
        ),
        (FREE, [("memory", "physical_total", "23", "Gi"), ("memory", "swap_total", "0", "B")]),
        (MEMINFO, [("memory", "physical_total", "24684084", "kB"), ("memory", "huge_pages_total", "0", None)]),
        (
            DF,
            [
                ("disk", "/db 03 size", "252", "G"),
                ("disk", "/db 03 device", "/dev/mapper/a-very-long-name-of-a-volume", None),
            ],
        ),
        (
            ["Filesystem     1K-blocks     Used Available Use% Mounted on", "/dev/vda 264212084 1 2  25% /"],
            [("disk", "/ size", "264212084", "kB"), ("disk", "/ device", "/dev/vda", None)],
        ),
        (
            OS_RELEASE,
            [
                ("os", "distribution", "Debian GNU/Linux 12 (bookworm)", None),
                ("os", "distribution_version", "12", None),
            ],
        ),
        (["psql (PostgreSQL) 15.3 (Debian 15.3-0)"], [("postgresql", "version", "15.3", None)]),
    ],
)
def test_facts_of_a_command(texts: list[str], found: list[Fact]) -> None:
    assert facts(*texts) == found
    assert confidence(FORMAT, *texts) > 0


def test_level_of_db2_is_read_however_it_is_wrapped() -> None:
    found = {name: value for subject, name, value, _ in facts(*DB2LEVEL) if subject == "db2"}
    assert found["version"] == "12.1.4.0"
    assert found["code_release"] == "SQL12014"
    assert found["level"] == "02050110"
    assert found["fix_pack"] == "0"
    assert verdicts(FORMAT, *DB2LEVEL) == [Verdict.PARSED, *[Verdict.CONTINUATION] * 4]


def test_outputs_may_follow_one_another_and_belong_to_the_host_of_uname() -> None:
    texts = ["$ uname -a", UNAME, "", "$ lscpu", *LSCPU, "[root@db1 ~]# df -h", *DF, "$ db2level", *DB2LEVEL]
    assert confidence(FORMAT, *texts) > 0
    parsed = FORMAT.parse(numbered(texts))
    assert parsed.tables["environment_fact"]["host"].unique().to_list() == ["db1"]
    assert Verdict.REJECTED not in parsed.lines["verdict"]


@pytest.mark.parametrize(
    "texts",
    [
        [],
        ["x"],
        # REAL: how reports of iostat and sar begin
        ["Linux 2.6.18-92.el5 (javaprod21) \t06/12/2008"],
        ["HP-UX hpux B.11.31 U ia64    07/12/09"],
        [UNAME, "a", "b", "c", "d"],
    ],
)
def test_other_files_are_refused(texts: list[str]) -> None:
    assert confidence(FORMAT, *texts) == 0
