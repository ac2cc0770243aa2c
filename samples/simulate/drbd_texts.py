"""Lines of a Linux syslog with DRBD 0.7 and of the log of Heartbeat 1.2."""

from random import Random

from samples.simulate.clock import SECOND, wall

HOSTS = ("spock1", "spock2")
DEVICES = ("drbd0", "drbd1", "drbd2")
MOUNTS = {"drbd0": "/db2data", "drbd1": "/db2log", "drbd2": "/db2home"}
ADDRESS = "192.168.1.50"
FILE_SYSTEMS = " ".join(f"Filesystem::/dev/{device}::{mount}::ext3" for device, mount in MOUNTS.items())
GROUP = f"spock1 {ADDRESS} drbddisk::data drbddisk::log drbddisk::home {FILE_SYSTEMS} db2::db2inst1"

Line = tuple[int, str]
"""Instant and text without its stamp."""


def messages(host: str, lines: list[Line]) -> str:
    """A syslog: `Jun 20 10:05:02 spock1 kernel: ...`."""
    ordered = sorted(lines, key=lambda line: line[0])
    return "".join(f"{wall(at):%b} {wall(at).day:2d} {wall(at):%H:%M:%S} {host} {text}\n" for at, text in ordered)


def ha_log(lines: list[Line]) -> str:
    """The daemon's own log: `heartbeat: 2005/06/20_10:05:02 info: ...`."""
    ordered = sorted(lines, key=lambda line: line[0])
    return "".join(f"heartbeat: {wall(at):%Y/%m/%d_%H:%M:%S} {text}\n" for at, text in ordered)


def lost(at: int, device: str, role: str) -> list[Line]:
    """The peer of a device is no longer heard."""
    pid = pid_of(device)
    step = SECOND // 50
    texts = (
        "PingAck did not arrive in time.",
        f"{device}_asender [{pid + 1}]: cstate Connected --> NetworkFailure",
        "asender terminated",
        f"{role}/{_other(role)} --> {role}/Unknown",
        f"{device}_receiver [{pid}]: cstate NetworkFailure --> BrokenPipe",
        "short read expecting header on sock: r=-512",
        "worker terminated",
        f"{device}_receiver [{pid}]: cstate BrokenPipe --> Unconnected",
        "Connection lost.",
        f"{device}_receiver [{pid}]: cstate Unconnected --> WFConnection",
    )
    return [(at + i * step, f"kernel: {device}: {text}") for i, text in enumerate(texts)]


def resynchronised(start: int, end: int, device: str, kib: int, *, is_source: bool) -> list[Line]:
    """The peer is back, and gets the blocks that changed: `kib`, a multiple of 4."""
    pid = pid_of(device)
    role, side, letter = ("Primary", "Source", "S") if is_source else ("Secondary", "Target", "T")
    seconds = max(round((end - start) / SECOND), 1)
    step = SECOND // 40
    opening = (
        f"{device}_receiver [{pid}]: cstate WFConnection --> WFReportParams",
        "Handshake successful: DRBD Network Protocol version 74",
        "Connection established.",
        f"{device}_receiver [{pid}]: cstate WFReportParams --> WFBitMap{letter}",
        f"{role}/Unknown --> {role}/{_other(role)}",
        f"{device}_receiver [{pid}]: cstate WFBitMap{letter} --> Sync{side}",
        f"Resync started as Sync{side} (need to sync {kib} KB [{kib // 4} bits set]).",
    )
    closing = (
        f"Resync done (total {seconds} sec; paused 0 sec; {kib // seconds} K/sec)",
        f"{device}_worker [{pid + 2}]: cstate Sync{side} --> Connected",
    )
    lines = [(start - (len(opening) - 1 - i) * step, text) for i, text in enumerate(opening)]
    lines += [(end + i * step, text) for i, text in enumerate(closing)]
    return [(at, f"kernel: {device}: {text}") for at, text in lines]


def role_changed(at: int, device: str, before: str, after: str) -> Line:
    """A device changes roles; own and peer's as DRBD writes them, such as `Primary/Secondary`."""
    return at, f"kernel: {device}: {before} --> {after}"


def released(start: int, steps_s: float) -> list[Line]:
    """spock1 gives its group to the other server, resource by resource, last first."""
    step = round(steps_s * SECOND)
    stops = ["db2 db2inst1", *(f"Filesystem /dev/{device} {MOUNTS[device]} ext3" for device in reversed(DEVICES))]
    stops += [f"drbddisk {name}" for name in ("home", "log", "data")] + [f"IPaddr {ADDRESS}"]
    lines = [
        (start, "info: spock1 wants to go standby [all]"),
        (start + SECOND // 10, "info: standby: spock2 can take our all resources"),
        (start + SECOND // 5, "info: give up all HA resources (standby)."),
        (start + SECOND // 5, f"info: Releasing resource group: {GROUP}"),
    ]
    at = start + SECOND // 4
    for i, stop in enumerate(stops):
        lines.append((at, f"info: Running /etc/ha.d/resource.d/{stop} stop"))
        at += 5 * step if i == 0 else step  # the database writes its changed pages
    return [*lines, (at, "info: all HA resource release completed (standby).")]


def taken_over(start: int, steps_s: float) -> list[Line]:
    """spock2 starts the group, first resource first."""
    step = round(steps_s * SECOND)
    starts = [f"IPaddr {ADDRESS}", *(f"drbddisk {name}" for name in ("data", "log", "home"))]
    starts += [f"Filesystem /dev/{device} {MOUNTS[device]} ext3" for device in DEVICES] + ["db2 db2inst1"]
    lines = [
        (start, "info: standby: acquire [all] resources from spock1"),
        (start, "info: acquire all HA resources (standby)."),
        (start, f"info: Acquiring resource group: {GROUP}"),
    ]
    at = start + SECOND // 10
    for each in starts:
        lines.append((at, f"info: Running /etc/ha.d/resource.d/{each} start"))
        if each.startswith("IPaddr"):
            lines.append((at + step // 2, f"info: Sending Gratuitous Arp for {ADDRESS} on eth0:0 [eth0]"))
        at += 4 * step if each.startswith("db2") else step
    return [*lines, (at, "info: all HA resource acquisition completed (standby).")]


def daemon_start(at: int, host: str) -> list[Line]:
    """Heartbeat is started on a server before a test."""
    peer = _peer(host)
    return [
        (at, "info: **************************"),
        (at, "info: Configuration validated. Starting heartbeat 1.2.3"),
        (at + SECOND, "info: heartbeat: version 1.2.3"),
        (at + SECOND, "info: Heartbeat generation: 38"),
        (at + SECOND, "info: UDP Broadcast heartbeat started on port 694 (694) interface eth0"),
        (at + 2 * SECOND, "info: Local status now set to: 'up'"),
        (at + 3 * SECOND, f"info: Link {peer}:eth0 up."),
        (at + 3 * SECOND, f"info: Status update for node {peer}: status up"),
        (at + 4 * SECOND, "info: Local status now set to: 'active'"),
        (at + 4 * SECOND, f"info: Status update for node {peer}: status active"),
        (at + 15 * SECOND, "info: Initial resource acquisition complete (T_RESOURCES(us))"),
    ]


def peer_dead(at: int, host: str) -> list[Line]:
    """The other server is silent for longer than the dead time; it held nothing."""
    peer = _peer(host)
    return [
        (at, f"WARN: node {peer}: is dead"),
        (at, "WARN: No STONITH device configured."),
        (at, "WARN: Shared resources are not protected!"),
        (at, f"info: Link {peer}:eth0 dead."),
        (at, f"info: Resources being acquired from {peer}."),
        (at + SECOND // 2, "info: mach_down takeover complete."),
    ]


def peer_back(at: int, host: str) -> list[Line]:
    """The other server has started again."""
    peer = _peer(host)
    return [
        (at, f"info: Heartbeat restart on node {peer}"),
        (at, f"info: Link {peer}:eth0 up."),
        (at, f"info: Status update for node {peer}: status up"),
        (at + SECOND, f"info: Status update for node {peer}: status active"),
    ]


def everyday(random: Random, start: int, end: int) -> list[Line]:
    """What else a healthy server writes."""
    found = []
    at = start + random.randrange(20, 200) * SECOND
    while at < end:
        pid = random.randrange(2000, 30_000)
        choices = (
            f"sshd[{pid}]: Accepted publickey for db2inst1 from 192.168.1.{pid % 40 + 60} port {pid + 20_000} ssh2",
            f"/usr/sbin/cron[{pid}]: (root) CMD ( rm -f /var/spool/cron/lastrun/cron.hourly)",
            "syslogd 1.4.1: restart." if random.randrange(8) == 0 else f"su: (to db2inst1) root on /dev/pts/{pid % 4}",
        )
        found.append((at, choices[random.randrange(len(choices))]))
        at += random.randrange(90, 400) * SECOND
    return found


def pid_of(device: str) -> int:
    """Process of a device's receiver; its asender and worker follow."""
    return 2100 + 10 * DEVICES.index(device)


def _other(role: str) -> str:
    return "Secondary" if role == "Primary" else "Primary"


def _peer(host: str) -> str:
    return HOSTS[1 - HOSTS.index(host)]
