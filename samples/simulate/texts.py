"""The texts of the lines, and their heads in the era of VCS 3.5 and in today's.

samples/README.md says which texts are known from documents and which are reconstructed.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from samples.simulate.journal import STAMP
from samples.simulate.physics import wall

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
TAGS: Mapping[str, str] = {"ERROR": "TAG_B", "WARNING": "TAG_C", "NOTICE": "TAG_D", "INFO": "TAG_E"}

# --- stamps ----------------------------------------------------------------------------------------------------------


def engine_stamp(instant: int) -> str:
    """2003/07/28 10:27:23."""
    return f"{wall(instant):%Y/%m/%d %H:%M:%S}"


def solaris_stamp(instant: int) -> str:
    """Jul 28 10:27:23, the day padded with a blank."""
    moment = wall(instant)
    return f"{MONTHS[moment.month - 1]} {moment.day:2d} {moment:%H:%M:%S}"


def iso_stamp(instant: int, offset: str) -> str:
    """2024-11-12T18:27:23.001204+01:00."""
    return f"{wall(instant):%Y-%m-%dT%H:%M:%S.%f}{offset}"


def db2_stamp(instant: int) -> str:
    """2003-07-28-10.27.53.512344."""
    return f"{wall(instant):%Y-%m-%d-%H.%M.%S.%f}"


# --- the cluster server's engine log ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Message:
    """A message of the cluster server: its number is the same in both eras, its head is not."""

    severity: str
    category: int
    number: int
    text: str

    @property
    def tagged(self) -> str:
        """As VCS 3.5 writes it."""
        return f"{TAGS[self.severity]} {STAMP} VCS:{self.number}:{self.text}"

    @property
    def numbered(self) -> str:
        """As VCS 4.0 and later write it."""
        return f"{STAMP} VCS {self.severity} V-16-{self.category}-{self.number} {self.text}"


def new_membership() -> Message:
    """HAD hears from GAB that the members are others."""
    return Message("INFO", 1, 10077, "Received new cluster membership")


def down_state(node: str, node_id: int) -> Message:
    """HAD sees a node gone; the mask is what is left of two nodes."""
    text = f"System {node} (Node '{node_id}') is in Down State - Membership: 0x{2 - node_id}"
    return Message("ERROR", 1, 10079, text)


def regular_membership(node: str, node_id: int) -> Message:
    """HAD sees a node in the membership."""
    return Message("INFO", 1, 10086, f"System {node} (Node '{node_id}') is in Regular Membership - Membership: 0x3")


def system_state(node: str, node_id: int, old: str, new: str) -> Message:
    """A system goes from one state of its engine to another."""
    severity = "ERROR" if new == "FAULTED" else "NOTICE"
    return Message(severity, 1, 10322, f"System {node} (Node '{node_id}') changed state from {old} to {new}")


def initiating(action: str, resource: str, group: str, node: str) -> Message:
    """`action` is Online or Offline."""
    number = 10301 if action == "Online" else 10300
    text = f"Initiating {action} of Resource {resource} (Owner: unknown, Group: {group}) on System {node}"
    return Message("NOTICE", 1, number, text)


RESOURCE_STATES: Mapping[tuple[str, str], int] = {
    ("online", "VCS initiated"): 10298,
    ("online", "First probe"): 10297,
    ("offline", "VCS initiated"): 10305,
    ("offline", "First probe"): 10304,
}


def resource_is(state: str, resource: str, group: str, node: str, how: str = "VCS initiated") -> Message:
    """A resource reached a state, and why."""
    text = f"Resource {resource} (Owner: unknown, Group: {group}) is {state} on {node} ({how})"
    return Message("INFO", 1, RESOURCE_STATES[state, how], text)


def group_is(state: str, group: str, node: str) -> Message:
    """A service group is fully online or offline."""
    return Message("NOTICE", 1, 10447 if state == "online" else 10446, f"Group {group} is {state} on system {node}")


def group_probed(group: str, node: str) -> Message:
    """Every resource of a group has been looked at on a system."""
    return Message("NOTICE", 1, 10438, f"Group {group} has been probed on system {node}")


def switching(group: str, source: str, target: str) -> Message:
    """An operator moves a group."""
    return Message("NOTICE", 1, 10208, f"Initiating switch of group {group} from system {source} to system {target}")


def user_command(command: str) -> Message:
    """A command of an operator."""
    return Message("INFO", 1, 50135, f"User root fired command: {command}  from localhost")


def evaluating(group: str, node: str) -> Message:
    """The engine looks for a target."""
    return Message("INFO", 1, 10493, f"Evaluating {node} as potential target node for group {group}")


def no_trigger(trigger: str) -> Message:
    """The everyday complaint about a trigger that nobody wrote."""
    return Message("ERROR", 6, 15004, f"hatrigger:Failed to send trigger for {trigger}; script doesn't exist")


def engine_alive() -> Message:
    """The engine's sign of life."""
    return Message("INFO", 1, 53504, "VCS Engine Alive message!!")


def logger_started() -> Message:
    """The first line after a start."""
    return Message("INFO", 1, 10196, "Cluster logger started")


def gab_timeout() -> Message:
    """The engine registers with GAB."""
    return Message("NOTICE", 1, 10125, "GAB timeout set to 15000 ms")


def own_membership(node: str) -> Message:
    """The engine's own view of the membership."""
    return Message("INFO", 1, 10112, f"System ({node}) - Membership: 0x3, DDNA: 0x0")


def remote_build() -> Message:
    """The engine takes the configuration from the other node."""
    return Message("WARNING", 1, 10075, "building from remote system.")


def completed_output(resource: str, host: str, payload: list[str]) -> Message:
    """What an agent's script printed; the lines stand in the log as they are. `host` may be empty."""
    head = f"({host}) " if host else ""
    lines = [f"{head}Resource({resource}): Output of the completed operation (online)", *payload]
    return Message("INFO", 2, 13001, "\n".join(lines))


def agent_note(severity: str, number: int, agent: str, resource: str, text: str) -> Message:
    """A line of an agent's monitor script."""
    return Message(severity, 10061, number, f"{agent}:{resource}:monitor:{text}")


RULER = "=" * 46


def log_replay(device: str) -> list[str]:
    """What fsck prints for a file system that was not unmounted."""
    return [f"{device}:log replay in progress", f"{device}:replay complete - marking super-block as CLEAN"]


# --- syslog ----------------------------------------------------------------------------------------------------------

# Solaris prints a number that it computes from the format string. 194859 and 761530 are seen numbers of LLT:10019 and
# LLT:10023; all others are made up, one a text.
IDS: Mapping[str, int] = {
    "10205": 482210,
    "10032": 140958,
    "10509": 860062,
    "10024": 525299,
    "10019": 194859,
    "10023": 761530,
    "10009": 860062 // 2,
    "20036": 316943,
    "20021": 397130,
    "20026": 651005,
}


def solaris(host: str, tag: str, number: int, level: str, text: str) -> str:
    """A line of Solaris 8 and later."""
    return f"{STAMP} {host} {tag}: [ID {number} {level}] {text}"


def solaris_kernel(host: str, driver: str, number: int, text: str) -> str:
    """LLT and GAB of VCS 3.5, which head their texts with a bare number."""
    prefix = f"{driver.upper()}:{number}:"
    return solaris(host, driver, IDS[str(number)], "kern.notice", f"{prefix} {text}")


def linux_kernel(host: str, driver: str, number: int, text: str) -> str:
    """LLT and GAB of today."""
    originator = {"llt": 14, "gab": 15}[driver]
    return f"{STAMP} {host} kernel: {driver.upper()} INFO V-{originator}-1-{number} {text}"


def link(number: int, device: str, peer: int) -> str:
    """A link to a peer, as LLT names it."""
    return f"link {number} ({device}) node {peer}"


def membership(port: str, generation: int, members: str, width: int = 0) -> str:
    """GAB's line about a port."""
    return f"Port {port} gen {generation:{width}x} membership {members}"


def survivors(survivor: int) -> str:
    """GAB's position-coded member string when one of two nodes is left."""
    return ";1" if survivor == 1 else "0"


# --- DB2 -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A db2diag record without its head. `level` is printed by V8.2 and later."""

    component: str
    function: str
    probe: int
    text: str
    level: str = "Warning"
    database: bool = True
    has_key: bool = False  # the text states its own field, such as START or DATA


def db2start_done() -> Diagnostic:
    """The instance is up."""
    return Diagnostic(
        "base sys utilities", "DB2StartMain", 911, "DB2START processing was successful.", "Event", database=False
    )


def recovery_needed() -> Diagnostic:
    """The database is found inconsistent."""
    return Diagnostic("base sys utilities", "sqledint", 30, "Crash Recovery is needed.")


def recovery_started(lowtran: int, minbuff: int) -> Diagnostic:
    """Crash recovery starts; the line is wrapped as V8.1 wraps it."""
    text = f"Crash recovery started. LowtranLSN {lowtran:016X} MinbuffLSN\n{minbuff:016X}"
    return Diagnostic("recovery manager", "sqlpresr", 410, text)


def parallel_recovery() -> Diagnostic:
    """How crash recovery shares its work."""
    text = "Using parallel recovery with 5 agents 4 QSets 20 queues and 64 chunks"
    return Diagnostic("recovery manager", "sqlprecm", 125, text, "Info")


def forward_phase_done(lsn: int) -> Diagnostic:
    """The log has been replayed."""
    text = f'DIA2051W Forward phase of crash recovery has completed. Next LSN is\n"{lsn:016X}".'
    return Diagnostic("recovery manager", "sqlprecm", 400, text)


def recovery_done(lsn: int) -> Diagnostic:
    """Crash recovery is complete."""
    return Diagnostic("recovery manager", "sqlpresr", 3170, f"Crash recovery completed. Next LSN is {lsn:016X}")


def lock_escalation(locks: int, table: str) -> Diagnostic:
    """Row locks became a table lock."""
    text = f'ADM5502W  The escalation of "{locks}" locks on table "{table}" to\nlock intent "X" was successful.'
    return Diagnostic("data management", "sqldEscalateLocks", 3, text)


def deadlock() -> Diagnostic:
    """Two transactions waited for each other."""
    return Diagnostic(
        "lock manager", "sqlplrq", 111, "DIA8002C A deadlock has occurred, rolling back transaction.", "Info"
    )


def event_monitor_note() -> Diagnostic:
    """The deadlock monitor stopped writing."""
    text = (
        'ADM2001W  The Event Monitor "DB2DETAILDEADLOCK" was deactivated because the\n'
        "MAXFILES and MAXFILESIZE parameters in the CREATE EVENT MONITOR statement\n"
        "have been reached."
    )
    return Diagnostic("database monitor", "sqlm_mon_ffile_write", 50, text)


def log_archive_note(number: int) -> Diagnostic:
    """A log file is archived; V8.2 and later."""
    text = f"Started archive for log file S{number:07d}.LOG."
    return Diagnostic("data protection services", "sqlpgArchiveLogFile", 3108, text, "Info")


def new_log_file(host: str) -> Diagnostic:
    """The first record of a file of V8.2 and later."""
    text = "\n".join(
        [
            "START   : New Diagnostic Log file",
            "DATA #1 : Build Level, 152 bytes",
            'Instance "db2inst1" uses "64" bits and DB2 code release "SQL11059"',
            'with level identifier "060A010F".',
            'Informational tokens are "DB2 v11.5.9.0", "s2310270807", "DYN2310270807AMD64", Fix Pack "0".',
            "DATA #2 : System Info, 2012 bytes",
            f"System: Linux {host} 8 4 x86_64",
            "CPU: total:16 online:16 Cores per socket:8 Threading degree per core:1 SIMD:Y",
            "Physical Memory(MB): total:64213 free:22817",
        ]
    )
    return Diagnostic("RAS/PD component", "pdLogInternal", 120, text, "Event", database=False, has_key=True)


def start_stop_done(dump: str) -> Diagnostic:
    """db2start or db2stop has ended; `dump` is the SQLCA that says how."""
    text = f"DATA #1 : SQLCA, PD_DB2_TYPE_SQLCA, 136 bytes\n{dump}"
    where = ("base sys utilities", "sqlePrintFinalMessage", 13803)
    return Diagnostic(*where, text, "Event", database=False, has_key=True)


def lock_file_released() -> Diagnostic:
    """db2start is about to end."""
    text = (
        "MESSAGE : Released lock on the file:\nDATA #1 : String, 42 bytes\n/db2/inst/sqllib/ctrl/db2strst.lck.elm-000"
    )
    return Diagnostic("base sys utilities", "sqleReleaseStStLockFile", 16242, text, database=False, has_key=True)


def recovery_notice(code: str, text: str, probe: int) -> Diagnostic:
    """The administrator's copy of the start and end of a recovery."""
    return Diagnostic("recovery manager", "sqlpresr", probe, f"{code}  {text}")


def activated() -> Diagnostic:
    """The first connection opened the database."""
    text = "START   : DATABASE: ORDERS   : ACTIVATED: NO"
    return Diagnostic("base sys utilities", "sqeLocalDatabase::FirstConnect", 1000, text, "Event", has_key=True)


def deactivated() -> Diagnostic:
    """The last connection left the database."""
    text = "STOP    : DATABASE: ORDERS   : DEACTIVATED: NO"
    return Diagnostic("base sys utilities", "sqeLocalDatabase::TermDbConnect", 2000, text, "Event", has_key=True)
