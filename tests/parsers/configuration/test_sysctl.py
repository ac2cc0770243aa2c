from parsers.configuration.sysctl import FORMAT
from parsers.format import Verdict
from tests.support.configuration_lines import confidence, values, verdicts

# REAL (Linux 6.18)
SYSCTL = [
    "fs.aio-max-nr = 65536",
    "fs.dentry-state = 367134\t365536\t45\t0\t116944\t0",
    "kernel.core_pattern = |/usr/lib/core %p",
    "# a comment",
    "; another",
    "-net/ipv4/conf/eth0.100/forwarding=1",
    "sysctl: permission denied on key 'fs.protected_fifos'",
    "net.ipv4.tcp_fastopen_key = 0-0-0-0",
    "kernel.domainname = ",
]


def test_parameters_of_the_kernel() -> None:
    assert values(FORMAT, *SYSCTL) == {
        "fs.aio-max-nr": "65536",
        "fs.dentry-state": "367134 365536 45 0 116944 0",
        "kernel.core_pattern": "|/usr/lib/core %p",
        "net/ipv4/conf/eth0.100/forwarding": "1",
        "net.ipv4.tcp_fastopen_key": "********",
        "kernel.domainname": "",
    }
    assert verdicts(FORMAT, *SYSCTL).count(Verdict.IGNORED) == 3


def test_own_files_are_recognised_and_others_refused() -> None:
    assert confidence(FORMAT, *SYSCTL) >= 0.9
    for other in ([], ["a.b = 1"], ["vm.swappiness = 1", "x", "y"], ["[section]", "key = value"]):
        assert confidence(FORMAT, *other) == 0
