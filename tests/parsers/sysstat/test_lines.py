"""What each line is."""

import pytest

from parsers.sysstat.lines import Role, classify_lines
from tests.support.report_lines import numbered


@pytest.mark.parametrize(
    ("line", "role"),
    [
        ("", Role.BLANK),
        ("sda 1.00 2.00", Role.ROW),
        ("Device: tps kB_read/s kB_wrtn/s", Role.HEADER),
        ("Linux 4.4.0", Role.INVOCATION),
        ("$ iostat -x 10 2", Role.INVOCATION),
        ("root@516c6159696e:/# iostat -xz 1", Role.INVOCATION),
        ("example% iostat -xtc 5 2", Role.INVOCATION),
        ("Time: 03:49:57 PM", Role.TIME),
        ("zzz ***Wed Oct 12 10:03:00 EDT 2005", Role.TIME),
        ("TS 1294325021.003 2011-01-06 12:30:21", Role.TIME),
        ("### 2005-10-12 10:03:00", Role.TIME),
        ("2026年11月21日 02時42分01秒", Role.TIME),
        ("1294325021", Role.TIME),
        ("08:51:10          LINUX RESTART", Role.RESTART),
        ("...", Role.ELISION),
        ("[...]", Role.ELISION),
        ("-- more --", Role.ELISION),
        ("--------------------------------", Role.ORNAMENT),
        ("procs -----------memory---------- ---swap--", Role.ORNAMENT),
        ("                    extended device statistics <-- since boot", Role.ORNAMENT),
        ("System configuration: lcpu=4 drives=6", Role.ORNAMENT),
        ("<<device added: sd0>>", Role.ORNAMENT),
        ("$", Role.ORNAMENT),
    ],
)
def test_roles(line: str, role: Role) -> None:
    assert classify_lines(numbered(line + "\n")).frame["role"].to_list() == [role]


def test_rows_know_the_header_above_them() -> None:
    text = "sda 1.0\nDevice: tps kB_read/s kB_wrtn/s\nsda 1.0 2.0 3.0\n\nLinux 4.4.0 (x)\nsda 1.0 2.0 3.0\n"
    assert classify_lines(numbered(text)).frame["head_row"].to_list() == [-1, 1, 1, 1, -1, -1]
