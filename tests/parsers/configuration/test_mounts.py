import pytest

from parsers.configuration.mounts import FORMAT
from parsers.format import Verdict
from tests.support.configuration_lines import confidence, values, verdicts
from tests.support.message_lines import numbered

MOUNT = [
    "proc on /proc type proc (rw,relatime)",  # REAL
    "filer:/vol/db on /db 03 type nfs (rw,rsize=65536,wsize=65536,addr=10.0.0.1)",  # ADAPTED: a blank in the path
]
MOUNTS = ["devpts /dev/pts devpts rw,mode=600 0 0", "/dev/vda / ext4 rw,relatime,discard 0 0"]  # REAL
FSTAB = [
    "# <file system> <mount point>   <type>  <options>       <dump>  <pass>",
    "UUID=1f2e /db03 xfs noatime,nobarrier 0 2 # data",
    "//srv/share /mnt cifs user=a,password=b 0 0",
    "/dev/sda2 none swap sw 0 0",
]


@pytest.mark.parametrize(
    ("texts", "scope", "found"),
    [
        (
            MOUNT,
            "mount",
            {
                "/db 03 device": "filer:/vol/db",
                "/db 03 type": "nfs",
                "/db 03 rw": "yes",
                "/db 03 rsize": "65536",
                "/db 03 wsize": "65536",
                "/db 03 addr": "10.0.0.1",
            },
        ),
        (
            MOUNTS,
            "mount",
            {"/ device": "/dev/vda", "/ type": "ext4", "/ rw": "yes", "/ relatime": "yes", "/ discard": "yes"},
        ),
        (
            FSTAB,
            "fstab",
            {
                "/db03 device": "UUID=1f2e",
                "/db03 type": "xfs",
                "/db03 noatime": "yes",
                "/db03 nobarrier": "yes",
                "/mnt device": "//srv/share",
                "/mnt type": "cifs",
                "/mnt user": "a",
                "/mnt password": "********",
            },
        ),
    ],
)
def test_options_are_parameters_of_the_mount_point(texts: list[str], scope: str, found: dict[str, str]) -> None:
    assert values(FORMAT, *texts) == found
    assert FORMAT.parse(numbered(texts)).tables["parameter_value"]["scope"].unique().to_list() == [scope]
    assert confidence(FORMAT, *texts) >= 0.9


def test_file_systems_without_files_are_set_aside() -> None:
    assert verdicts(FORMAT, *MOUNT) == [Verdict.IGNORED, Verdict.PARSED]


@pytest.mark.parametrize("texts", [[], ["a b c d"], ["x on /y type z (rw)"], ["/dev/sda / ext4 rw 0 0", "a", "b"]])
def test_other_files_are_refused(texts: list[str]) -> None:
    assert confidence(FORMAT, *texts) == 0
