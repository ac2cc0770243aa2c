"""Names of columns and devices."""

import pytest

from parsers.sysstat.columns import LINUX, Device, best_sources, device_of, known_linux_columns


@pytest.mark.parametrize(
    ("printed", "name", "factor"),
    [
        ("rsec/s", "rkb_per_s", 0.5),
        ("wkB/s", "wkb_per_s", 1.0),
        ("rMB/s", "rkb_per_s", 1024.0),
        ("Blk_wrtn", "wkb_total", 0.5),
        ("GB_read/s", "rkb_per_s", 1048576.0),
        ("avgrq-sz", "areq_kb", 0.5),
        ("kB_w+d/s", "wkb_per_s", 1.0),
    ],
)
def test_units_are_kibibytes(printed: str, name: str, factor: float) -> None:
    assert (LINUX[printed].name, LINUX[printed].factor) == (name, factor)


def test_of_two_columns_for_one_the_exact_one_is_taken() -> None:
    assert best_sources({name: LINUX[name] for name in ("wsec/s", "wkB/s")}) == {"wkb_per_s": "wkB/s"}


def test_shares_of_merges_are_known_but_have_no_column() -> None:
    assert "%rrqm" in known_linux_columns()
    assert "%rrqm" not in LINUX


@pytest.mark.parametrize(
    ("printed", "device"),
    [
        ("/dev/sda", Device("sda", "disk")),
        ("sda1", Device("sda1", "partition", "sda")),
        ("hda3", Device("hda3", "partition", "hda")),
        ("sdaa11", Device("sdaa11", "partition", "sdaa")),
        ("hdisk5", Device("hdisk5", "disk")),
        ("nvme0n1p2", Device("nvme0n1p2", "partition", "nvme0n1")),
        ("nvme0n1", Device("nvme0n1", "disk")),
        ("cciss!c0d0p2", Device("cciss/c0d0p2", "partition", "cciss/c0d0")),
        ("c0t0d0s0", Device("c0t0d0s0", "partition", "c0t0d0")),
        ("c12", Device("c12", "controller")),
        ("ssd22.t2.fp0", Device("ssd22.t2.fp0", "partition", "ssd22")),
        ("drbd0", Device("drbd0", "drbd")),
        ("dm-3", Device("dm-3", "dm")),
        ("md0", Device("md0", "md")),
        ("dev3-0", Device("dev3-0", "disk")),
        ("dev8-17", Device("dev8-17", "partition", "dev8-16")),
        ("dev147-0", Device("dev147-0", "drbd")),
        ("dev253-0", Device("dev253-0", "disk")),  # dm on most distributions, vd on others
        ("fuji:/export/home", Device("fuji:/export/home", "nfs")),
        ("pci-0000:00:1f.2-ata-1-part3", Device("pci-0000:00:1f.2-ata-1-part3", "partition", "pci-0000:00:1f.2-ata-1")),
    ],
)
def test_names_tell_what_a_device_is(printed: str, device: Device) -> None:
    assert device_of(printed) == device
