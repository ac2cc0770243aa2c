"""What stands in real logs besides the failover: everyday messages of a busy, healthy pair of servers."""

from random import Random

from samples.simulate import texts
from samples.simulate.journal import FOLDING, STAMP, Journal
from samples.simulate.physics import pick
from samples.simulate.scenarios import SECOND

TABLES = ("ORDERLINE", "T0117", "T0932", "CUSTOMER", "T1204", "STOCK", "T0045", "T0688")


def _instants(random: Random, start: int, end: int, gap_s: tuple[int, int]) -> list[int]:
    """Instants in a span, at gaps of so many seconds; never two in the first second."""
    found = []
    at = start + random.randrange(*gap_s) * SECOND + random.randrange(SECOND)
    while at < end:
        found.append(at)
        at += random.randrange(*gap_s) * SECOND + random.randrange(SECOND)
    return found


def _solaris_line(random: Random, host: str) -> str:
    pid = random.randrange(1200, 29_000)
    peer = f"10.0.35.{random.randrange(20, 90)}"
    disk = f"/pci@8,600000/SUNW,qlc@4/fp@0,0/ssd@w50020f23000{random.randrange(16**4):04x},{random.randrange(8)}"
    # each line of a kernel warning has a stamp of its own; the second has no driver, and is indented
    retry = f"WARNING: {disk} (ssd{random.randrange(40)}):\n{STAMP} {host} "
    choices = (
        (f"sshd[{pid}]", 800047, "auth.info", f"Accepted publickey for svtadm from {peer} port {pid + 30_000} ssh2"),
        (f"sshd[{pid}]", 800047, "auth.error", "error: Could not get shadow information for NOUSER"),
        ("su", 810491, "auth.crit", "'su root' failed for svtadm on /dev/pts/3"),
        ("su", 366847, "auth.notice", "'su svtdbm' succeeded for root on /dev/pts/2"),
        (
            f"sendmail[{pid}]",
            801593,
            "mail.info",
            f"h6SE{pid}00: from=root, size=412, class=0, nrcpts=1, relay=root@localhost",
        ),
        (f"sendmail[{pid}]", 702911, "mail.crit", f"My unqualified host name ({host}) unknown; sleeping for retry"),
        (f"inetd[{random.randrange(180, 220)}]", 317013, "daemon.notice", f"telnet[{pid}] from {peer} {pid + 31_000}"),
        ("automountd[231]", 784820, "daemon.error", "server admfs1 not responding"),
        ("scsi", 107833, "kern.warning", f"{retry}\tSCSI transport failed: reason 'timeout': retrying command"),
        (
            "xntpd[288]",
            702911,
            "daemon.notice",
            f"synchronized to 10.0.35.{random.randrange(2, 5)}, stratum={pid % 2 + 2}",
        ),
        (f"logger[{pid}]", 702911, "user.notice", f"absload: {random.randrange(38, 42)} clients connected to absolut"),
    )
    return texts.solaris(host, *pick(random, choices))


def solaris_messages(random: Random, journal: Journal, host: str, start: int, end: int) -> None:
    """Everyday lines of a Solaris syslog; some are folded."""
    for at in _instants(random, start, end, (14, 70)):
        text = _solaris_line(random, host)
        is_folded = random.randrange(9) == 0 and "\n" not in text and at + FOLDING < end
        folded = random.randrange(2, 9) if is_folded else 0
        journal.add(at, text, folded=folded)


def engine_notes_2004(random: Random, journal: Journal, resources: tuple[str, str], start: int, end: int) -> None:
    """Everyday lines of a VCS 3.5 engine log. `resources`: the network card's and the database's."""
    nic, database = resources
    for at in _instants(random, start, end, (55, 170)):
        choices = (
            texts.agent_note("INFO", 140004, "NIC", nic, f"{random.randrange(900, 9000)} packets since the last look"),
            texts.agent_note(
                "INFO", 142001, "Db2udb", database, f"In-depth check took {random.randrange(1, 6)} seconds"
            ),
            texts.agent_note("INFO", 142003, "Db2udb", database, f"CPU usage = {random.randrange(40, 97)}%"),
            texts.engine_alive(),
        )
        journal.add(at, pick(random, choices).tagged)


def engine_notes_modern(random: Random, journal: Journal, start: int, end: int) -> None:
    """Everyday lines of today's engine log."""
    for at in _instants(random, start, end, (110, 131)):
        if random.randrange(40) == 0:
            journal.add(at, texts.engine_alive().numbered)
            continue
        cpu, swap = random.randrange(3, 91), random.randrange(9)
        use = f"Updating System attribute with CPU usage = {cpu}% and Swap usage = {swap}%."
        journal.add(at, texts.agent_note("INFO", 14001, "HostMonitor", "VCShm", use).numbered)


def database_note(random: Random, schema: str) -> texts.Diagnostic:
    """A record that a loaded database writes now and then."""
    choice = random.randrange(8)
    if choice == 0 and schema == "DB2INST1":
        return texts.log_archive_note(random.randrange(100, 900))
    if choice < 5:
        return texts.lock_escalation(random.randrange(180, 4000), f"{schema}.{pick(random, TABLES)}")
    return texts.deadlock() if choice < 7 else texts.event_monitor_note()


def database_instants(random: Random, start: int, end: int) -> list[int]:
    """When a loaded database writes such a record."""
    return _instants(random, start, end, (25, 140))


def linux_messages(random: Random, journal: Journal, host: str, start: int, end: int) -> None:
    """Everyday lines of a Linux syslog."""
    for at in _instants(random, start, end, (35, 150)):
        pid = random.randrange(1200, 190_000)
        peer = f"10.20.4.{random.randrange(20, 90)}"
        choices = (
            f"sshd[{pid}]: Accepted publickey for ops from {peer} port {pid % 20_000 + 40_000} ssh2",
            f"sshd[{pid}]: pam_unix(sshd:session): session closed for user ops",
            f"systemd[1]: Started Session {pid % 4000} of User ops.",
            f"CROND[{pid}]: (root) CMD (/usr/lib64/sa/sa1 1 1)",
            f"su[{pid}]: (to db2inst1) root on pts/{pid % 4}",
            "chronyd[1130]: Selected source 10.20.4.5",
            f"kernel: sd 3:0:{pid % 4}:1: [sd{'bcde'[pid % 4]}] tag#{pid % 64} timing out command, waited 180s",
            f"systemd-logind[1042]: New session {pid % 4000} of user ops.",
            f"postfix/qmgr[2210]: {pid:06X}A41: removed",
        )
        journal.add(at, f"{STAMP} {host} {pick(random, choices)}")
