"""What DB2 V8.1 prints: its configuration, its registry, a start that is timed, a snapshot of its monitor."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from samples.simulate.physics import wall

PRINTED = Path(__file__).with_name("printed")
"""What commands printed; values in braces differ between tests. That of the manager is Appendix B of the paper."""

LABEL_WIDTH = 43
"""Columns of a label of a snapshot, before `=`."""


def database_configuration(values: Mapping[str, str]) -> str:
    """Output of `db2 get db cfg for absolut` with these values by keyword."""
    return _printed("db2_get_db_cfg").format_map(values)


def database_manager_configuration() -> str:
    """Output of `db2 get dbm cfg`, which was the same in all tests."""
    return _printed("db2_get_dbm_cfg")


def _printed(command: str) -> str:
    return (PRINTED / f"{command}.txt").read_text(encoding="ascii")


def registry(variables: Mapping[str, str]) -> str:
    """Output of `db2set -all`: variables of the instance, then the global ones."""
    own = "".join(f"[i] {name}={value}\n" for name, value in variables.items())
    return f"{own}[g] DB2SYSTEM=sun-ha3\n[g] DB2INSTDEF=svtdbm\n[g] DB2ADMINSERVER=db2as\n"


def timed_start(at: int, times: Mapping[str, str]) -> str:
    """A terminal in which `time db2start` is called; the instance is up at `at`. Times as printed: real, user, sys."""
    done = "SQL1063N  DB2START processing was successful.\n"
    measured = "".join(f"{name}\t0m{seconds}s\n" for name, seconds in times.items())
    prompt = "[134] [svtdbm@sun-ha3] /export/home/svtdbm > time db2start\n"
    return f"{prompt}{wall(at):%m-%d-%Y %H:%M:%S}     0   0   {done}{done}\n{measured}"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Counters of the database at an instant, by label."""

    connected_at: int
    at: int
    counters: Mapping[str, int]

    def printed(self) -> str:
        """As `db2 get snapshot for database on absolut` prints it."""
        return "\n              Database Snapshot\n\n" + "".join(_elements(self._about())) + "\n" + self._counted()

    def _about(self) -> Iterable[tuple[str, str]]:
        yield "Database name", "ABSOLUT"
        yield "Database path", "/db02/svtdbm/NODE0000/SQL00001/"
        yield "Input database alias", "ABSOLUT"
        yield "Database status", "Active"
        yield "First database connect timestamp", _stamp(self.connected_at)
        yield "Last reset timestamp", ""
        yield "Snapshot timestamp", _stamp(self.at)

    def _counted(self) -> str:
        return "".join(_elements((label, str(count)) for label, count in self.counters.items()))


def _elements(pairs: Iterable[tuple[str, str]]) -> Iterable[str]:
    return (f"{label:<{LABEL_WIDTH}}= {value}\n" for label, value in pairs)


def _stamp(instant: int) -> str:
    return f"{wall(instant):%m-%d-%Y %H:%M:%S.%f}"
