"""What the server of `nfs-fcp-2009` says of itself: system, processors, memory, file systems, mounts, parameters."""

from collections.abc import Iterator

RELEASE = "2.6.18-53.el5"
SERVER = "dbserver"
VOLUMES = {"/db2data1": "dbstorage_data1", "/db2data2": "dbstorage_data2", "/db2log": "dbstorage_log"}
SIZES_GB = {"/db2data1": (864, 171), "/db2data2": (864, 170), "/db2log": (200, 22)}
LUNS = dict(zip(VOLUMES, ("/dev/sdb1", "/dev/sdc1", "/dev/sdd1"), strict=True))
FILERS = dict(zip(VOLUMES, ("fas3070a", "fas3070b", "fas3070a"), strict=True))


def files(*, is_nfs: bool, cpus: int, slots: int, block: int) -> Iterator[tuple[str, str]]:
    """Files by name: `slots` and `block` are the NFS settings, without meaning over Fibre Channel."""
    yield "server.txt", "".join(_server(is_nfs=is_nfs, cpus=cpus))
    yield "mount.txt", "".join(_mount(point, is_nfs=is_nfs, block=block) for point in VOLUMES)
    settings = {"kernel.shmmax": 30_923_763_712, "kernel.shmall": 7_549_747}
    if is_nfs:
        settings["sunrpc.tcp_slot_table_entries"] = slots
    yield "sysctl.txt", "".join(f"{name} = {value}\n" for name, value in settings.items())


def _server(*, is_nfs: bool, cpus: int) -> Iterator[str]:
    yield "# uname -a\n"
    build = "#1 SMP Wed Oct 10 16:34:19 EDT 2007 x86_64 x86_64 x86_64 GNU/Linux"
    yield f"Linux {SERVER} {RELEASE} {build}\n"
    yield "# lscpu\n"
    yield f"Architecture:          x86_64\nCPU(s):                {cpus}\nThread(s) per core:    1\n"
    yield f"Core(s) per socket:    2\nSocket(s):             {cpus // 2}\nVendor ID:             GenuineIntel\n"
    yield "Model name:            Intel(R) Xeon(R) CPU 5150 @ 2.66GHz\nCPU MHz:               2660.066\n"
    yield "L2 cache:              4096K\n"
    yield "# cat /proc/meminfo\n"
    yield f"MemTotal:     {16_439_284 * cpus // 4} kB\nSwapTotal:     8388600 kB\n"
    yield "# df -h\nFilesystem            Size  Used Avail Use% Mounted on\n"
    yield "/dev/sda2              66G   14G   49G  23% /\n"
    for point, (size, used) in SIZES_GB.items():
        sizes = f"{size:4d}G {used:4d}G {size - used:4d}G  {100 * used // size}%"
        yield f"{_device(point, is_nfs=is_nfs)}\n{'':20} {sizes} {point}\n"
    yield "# db2level\n"
    yield 'DB21085I  Instance "db2inst1" uses "64" bits and DB2 code release "SQL09050" with\n'
    yield 'level identifier "03010107".\n'
    yield 'Informational tokens are "DB2 v9.5.0.0", "s071001", "LINUXAMD6495", and Fix Pack\n"0".\n'
    yield 'Product is installed at "/opt/ibm/db2/V9.5".\n'


def _mount(point: str, *, is_nfs: bool, block: int) -> str:
    if not is_nfs:
        return f"{_device(point, is_nfs=False)} on {point} type ext3 (rw,noatime)\n"
    options = f"rw,bg,hard,nointr,tcp,vers=3,rsize={block},wsize={block},timeo=600"
    return f"{_device(point, is_nfs=True)} on {point} type nfs ({options})\n"


def _device(point: str, *, is_nfs: bool) -> str:
    return f"{FILERS[point]}:/vol/{VOLUMES[point]}" if is_nfs else LUNS[point]
