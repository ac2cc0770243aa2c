"""The cluster that fails over: its service groups, and its main.cf, llttab and gabtab."""

from dataclasses import dataclass

from samples.simulate.scenarios import Scenario

NODES_2004 = ("sun-ha3", "sun-ha4")
NODES_MODERN = ("elm-1", "elm-2")


@dataclass(frozen=True, slots=True)
class FileSystem:
    """A mounted volume and the resource that stands for it."""

    resource: str
    mount_point: str
    volume: str


@dataclass(frozen=True, slots=True)
class Service:
    """The resources of the database service and the groups they are in."""

    nodes: tuple[str, str]
    group: str
    storage_group: str  # the database's own group, unless the storage is clustered
    database: str
    instance_resource: str | None
    address: str
    nic: str
    disk_group: str  # resource of the disk group
    veritas_disk_group: str  # its name in the volume manager
    file_systems: tuple[FileSystem, ...]


def _file_systems(count: int, *, clustered: bool, names: tuple[str, str], root: str) -> tuple[FileSystem, ...]:
    first, second = names
    volumes = [(f"data{first}", f"{root}/data"), (f"db03{first}", f"{root}/{second}")]
    volumes += [(f"data{i:02d}{first}", f"{root}/data{i:02d}") for i in range(2, count)]
    suffix = "_fs" if clustered else ""
    return tuple(FileSystem(f"{volume}{suffix}", mount_point, volume) for volume, mount_point in volumes)


def service_2004(scenario: Scenario) -> Service:
    """The service of the paper's cluster in the layout of a scenario."""
    if not scenario.clustered:
        return Service(
            nodes=NODES_2004,
            group="db2_shark",
            storage_group="db2_shark",
            database="absolut_udb",
            instance_resource=None,
            address="sun-ha3bshark",
            nic="hme0shark",
            disk_group="db2shark",
            veritas_disk_group="db2shark",
            file_systems=_file_systems(scenario.mounts, clustered=False, names=("shark", "svtdbm"), root="/db03"),
        )
    return Service(
        nodes=NODES_2004,
        group="db2_group1sh",
        storage_group="db2dg1_shared",
        database="absolut",
        instance_resource="svtdbm_inst" if scenario.prestarted else None,
        address="sun-ha3bsh",
        nic="hme0sh",
        disk_group="db2dg1sh",
        veritas_disk_group="db2shark",
        file_systems=_file_systems(scenario.mounts, clustered=True, names=("shark", "svtdbm"), root="/db03"),
    )


def service_modern(scenario: Scenario) -> Service:
    """The service of the modern sample."""
    return Service(
        nodes=NODES_MODERN,
        group="db2_sg",
        storage_group="db2_sg",
        database="orders_db",
        instance_resource=None,
        address="orders_ip",
        nic="orders_nic",
        disk_group="orders_dg",
        veritas_disk_group="ordersdg",
        file_systems=tuple(
            FileSystem(f"orders_{name}_mnt", f"/db2/{name}", f"{name}_vol")
            for name in ("inst", "data", "logs", "temp")[: scenario.mounts]
        ),
    )


def _block(kind: str, name: str, attributes: list[str]) -> list[str]:
    return [f"\t{kind} {name} (", *(f"\t\t{each}" for each in attributes), "\t\t)", ""]


def _group_head(name: str, attributes: list[str]) -> list[str]:
    return [f"group {name} (", *(f"\t{each}" for each in attributes), "\t)", ""]


def _database(service: Service, *, modern: bool) -> list[str]:
    owner, home, name = ("db2inst1", "/db2/inst", "ORDERS") if modern else ("svtdbm", "/export/home/svtdbm", "absolut")
    extra = [f'DBPath = "{service.file_systems[0].mount_point}"'] if service.instance_resource else []
    return _block(
        "Db2udb",
        service.database,
        [f"DB2InstOwner = {owner}", f'DB2InstHome = "{home}"', "IndepthMonitor = 1", f"DatabaseName = {name}", *extra],
    )


def _network(service: Service, *, modern: bool) -> list[str]:
    device, address, mask = (
        ("eth0", "10.20.4.90", "255.255.252.0") if modern else ("hme0", "10.0.35.128", "255.255.255.0")
    )
    nic = [f"Device = {device}"] + ([] if modern else ["NetworkType = ether"])
    ip = [f"Device = {device}", f'Address = "{address}"', f'NetMask = "{mask}"']
    return _block("IP", service.address, ip) + _block("NIC", service.nic, nic)


def _mount(service: Service, each: FileSystem, *, kind: str, extra: list[str]) -> list[str]:
    device = f"/dev/vx/dsk/{service.veritas_disk_group}/{each.volume}"
    return _block(kind, each.resource, [f'MountPoint = "{each.mount_point}"', f'BlockDevice = "{device}"', *extra])


def _disk_group_layout(service: Service, *, modern: bool) -> list[str]:
    first, second = service.nodes
    lines = _group_head(
        service.group, [f"SystemList = {{ {first} = 0, {second} = 1 }}", f"AutoStartList = {{ {first}, {second} }}"]
    )
    lines += _database(service, modern=modern)
    lines += _block("DiskGroup", service.disk_group, [f"DiskGroup = {service.veritas_disk_group}"])
    lines += _network(service, modern=modern)
    options = ["FSType = vxfs"] + ([] if modern else ['MountOpt = "largefiles, qio"']) + ['FsckOpt = "-y"']
    for each in service.file_systems:
        lines += _mount(service, each, kind="Mount", extra=options)
    lines += [f"\t{service.database} requires {each.resource}" for each in service.file_systems]
    lines += [f"\t{service.database} requires {service.address}"]
    lines += [f"\t{each.resource} requires {service.disk_group}" for each in service.file_systems]
    return [*lines, f"\t{service.address} requires {service.nic}", ""]


def _cluster_group(service: Service) -> list[str]:
    first, second = service.nodes
    both = [f"SystemList = {{ {first} = 0, {second} = 1 }}", "AutoFailOver = 0", "Parallel = 1"]
    lines = _group_head("cvm", [*both, f"AutoStartList = {{ {first}, {second} }}"])
    lines += _block("CFSQlogckd", "qlogckd", ["Critical = 0"])
    lines += _block(
        "CFSfsckd", "vxfsckd", [f"ActivationMode @{n} = {{ {service.disk_group} = sw }}" for n in service.nodes]
    )
    nodes = f"CVMNodeId = {{ {first} = 0, {second} = 1 }}"
    lines += _block(
        "CVMCluster",
        "cvm_clus",
        ["Critical = 0", "CVMClustName = vcs", nodes, "CVMTransport = gab", "CVMTimeout = 200"],
    )
    return [*lines, "\tvxfsckd requires qlogckd", "\tvxfsckd requires cvm_clus", ""]


def _shared_storage_group(service: Service) -> list[str]:
    first, second = service.nodes
    lines = _group_head(
        service.storage_group,
        [f"SystemList = {{ {first} = 0, {second} = 1 }}", "Parallel = 1", f"AutoStartList = {{ {first}, {second} }}"],
    )
    for each in service.file_systems:
        extra = ['MountOpt = "largefiles, qio"', f"Primary = {first}"]
        lines += _mount(service, each, kind="CFSMount", extra=extra)
    volumes = ", ".join(each.volume for each in service.file_systems)
    group = [f"CVMDiskGroup = {service.veritas_disk_group}", f"CVMVolume = {{ {volumes} }}"]
    lines += _block("CVMVolDg", service.disk_group, [*group, *(f"CVMActivation @{n} = sw" for n in service.nodes)])
    lines += ["\trequires group cvm online local firm"]
    return [*lines, *(f"\t{each.resource} requires {service.disk_group}" for each in service.file_systems), ""]


def _clustered_layout(service: Service) -> list[str]:
    first, second = service.nodes
    lines = _cluster_group(service)
    lines += _group_head(
        service.group, [f"SystemList = {{ {first} = 0, {second} = 1 }}", f"AutoStartList = {{ {first}, {second} }}"]
    )
    lines += _database(service, modern=False)
    if service.instance_resource:
        lines += _block(
            "Db2inst",
            service.instance_resource,
            ["Critical = 0", "DB2InstOwner = svtdbm", 'DB2InstHome = "/export/home/svtdbm"'],
        )
    lines += _network(service, modern=False)
    lines += [f"\trequires group {service.storage_group} online local firm"]
    if service.instance_resource:
        lines += [f"\t{service.database} requires {service.instance_resource}"]
    lines += [f"\t{service.database} requires {service.address}", f"\t{service.address} requires {service.nic}", ""]
    return lines + _shared_storage_group(service)


INSTANCE_TYPE = [
    "type Db2inst (",
    "\tstatic str Operations = OnOnly",
    "\tstatic str ArgList[] = { DB2InstOwner, DB2InstHome }",
    "\tstr DB2InstOwner",
    "\tstr DB2InstHome",
    ")",
    "",
]


def main_cf(scenario: Scenario, service: Service, *, modern: bool) -> str:
    """The cluster's main.cf."""
    includes = ["types.cf", "Db2udbTypes.cf"] + (["CFSTypes.cf", "CVMTypes.cf"] if scenario.clustered else [])
    lines = [f'include "{each}"' for each in includes] + [""]
    lines += [
        f"cluster {'orders_clus' if modern else 'shark_test'} (",
        '\tUserNames = { admin = "aBcDeF12345simulated" }',
    ]
    lines += ["\tAdministrators = { admin }", "\tCounterInterval = 5", "\t)", ""]
    for node in service.nodes:
        lines += [f"system {node} (", "\t)", ""]
    if scenario.prestarted:
        lines += INSTANCE_TYPE
    lines += _clustered_layout(service) if scenario.clustered else _disk_group_layout(service, modern=modern)
    return "\n".join(lines)


def llttab(scenario: Scenario, *, modern: bool) -> str:
    """The LLT configuration, the same on both nodes."""
    device = "eth" if modern else "qfe"
    path = "/dev/{0}:{1}" if not modern else "{0}-00:50:56:8a:1c:0{1}"
    links = [f"link {device}{i} {path.format(device, i)} - ether - -" for i in ((1, 2) if modern else (0, 1))]
    return "\n".join(
        [
            "set-node /etc/nodename" if not modern else "set-node /etc/VRTSvcs/conf/sysname",
            f"set-cluster {417 if modern else 2}",
            *links,
            "set-timer heartbeat:50",
            "set-timer peertrouble:200",
            f"set-timer peerinact:{scenario.peerinact_s * 100}",
            "",
        ]
    )


def gabtab(scenario: Scenario) -> str:
    """The GAB start command; the tuned one sets the stable time-out and panics a node that returns too early."""
    stable = "" if scenario.stable_s == 5 else f" -j -t {scenario.stable_s * 1000}"
    return f"/sbin/gabconfig -c -n2{stable}\n"
