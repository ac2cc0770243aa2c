"""What DB2 V8.1 prints: its configuration, its registry, a start that is timed, a snapshot of its monitor."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from samples.simulate.physics import wall

WIDTH = 55
"""Columns of a description and its keyword, before ` = `."""

LABEL_WIDTH = 43
"""Columns of a label of a snapshot, before `=`."""

Parameter = tuple[str, str, str]
"""Description, keyword (empty for what cannot be set), value."""

FIXED: Sequence[Sequence[Parameter]] = (
    (
        ("Database configuration release level", "", "0x0a00"),
        ("Database release level", "", "0x0a00"),
    ),
    (
        ("Database territory", "", "US"),
        ("Database code page", "", "819"),
        ("Database code set", "", "ISO8859-1"),
        ("Database country/region code", "", "1"),
    ),
    (("Dynamic SQL Query management", "DYN_QUERY_MGMT", "DISABLE"),),
    (("Discovery support for this database", "DISCOVER_DB", "ENABLE"),),
    (
        ("Default query optimization class", "DFT_QUERYOPT", "5"),
        ("Degree of parallelism", "DFT_DEGREE", "1"),
        ("Continue upon arithmetic exceptions", "DFT_SQLMATHWARN", "NO"),
        ("Default refresh age", "DFT_REFRESH_AGE", "0"),
        ("Number of frequent values retained", "NUM_FREQVALUES", "10"),
        ("Number of quantiles retained", "NUM_QUANTILES", "20"),
    ),
    (("Backup pending", "", "NO"),),
    (
        ("Database is consistent", "", "YES"),
        ("Rollforward pending", "", "NO"),
        ("Restore pending", "", "NO"),
    ),
    (("Multi-page file allocation enabled", "", "NO"),),
    (
        ("Log retain for recovery status", "", "NO"),
        ("User exit for logging status", "", "NO"),
    ),
    (
        ("Data Links Token Expiry Interval (sec)", "DL_EXPINT", "60"),
        ("Data Links Write Token Init Expiry Intvl", "DL_WT_IEXPINT", "60"),
        ("Data Links Number of Copies", "DL_NUM_COPIES", "1"),
        ("Data Links Time after Drop (days)", "DL_TIME_DROP", "1"),
        ("Data Links Token in Uppercase", "DL_UPPER", "NO"),
        ("Data Links Token Algorithm", "DL_TOKEN", "MAC0"),
    ),
    (
        ("Database heap (4KB)", "DBHEAP", "5000"),
        ("Size of database shared memory (4KB)", "DATABASE_MEMORY", "AUTOMATIC"),
        ("Catalog cache size (4KB)", "CATALOGCACHE_SZ", "(MAXAPPLS*4)"),
        ("Log buffer size (4KB)", "LOGBUFSZ", ""),
        ("Utilities heap size (4KB)", "UTIL_HEAP_SZ", "5000"),
        ("Buffer pool size (pages)", "BUFFPAGE", "1000"),
        ("Extended storage segments size (4KB)", "ESTORE_SEG_SZ", "16000"),
        ("Number of extended storage segments", "NUM_ESTORE_SEGS", "0"),
        ("Max storage for lock list (4KB)", "LOCKLIST", "2000"),
    ),
    (
        ("Max size of appl. group mem set (4KB)", "APPGROUP_MEM_SZ", "8192"),
        ("Percent of mem for appl. group heap", "GROUPHEAP_RATIO", "70"),
        ("Max appl. control heap size (4KB)", "APP_CTL_HEAP_SZ", "1024"),
    ),
    (
        ("Sort heap thres for shared sorts (4KB)", "SHEAPTHRES_SHR", "(SHEAPTHRES)"),
        ("Sort list heap (4KB)", "SORTHEAP", "256"),
        ("SQL statement heap (4KB)", "STMTHEAP", "8096"),
        ("Default application heap (4KB)", "APPLHEAPSZ", "1024"),
        ("Package cache size (4KB)", "PCKCACHESZ", "4096"),
        ("Statistics heap size (4KB)", "STAT_HEAP_SZ", "43804"),
    ),
    (
        ("Interval for checking deadlock (ms)", "DLCHKTIME", "6000"),
        ("Percent. of lock lists per application", "MAXLOCKS", "70"),
        ("Lock timeout (sec)", "LOCKTIMEOUT", "120"),
    ),
    (
        ("Changed pages threshold", "CHNGPGS_THRESH", ""),
        ("Number of asynchronous page cleaners", "NUM_IOCLEANERS", ""),
        ("Number of I/O servers", "NUM_IOSERVERS", ""),
        ("Index sort flag", "INDEXSORT", "YES"),
        ("Sequential detect flag", "SEQDETECT", "YES"),
        ("Default prefetch size (pages)", "DFT_PREFETCH_SZ", "32"),
    ),
    (("Track modified pages", "TRACKMOD", "OFF"),),
    (
        ("Default number of containers", "", "1"),
        ("Default tablespace extentsize (pages)", "DFT_EXTENT_SZ", "32"),
    ),
    (
        ("Max number of active applications", "MAXAPPLS", "200"),
        ("Average number of active applications", "AVG_APPLS", "32"),
        ("Max DB files open per application", "MAXFILOP", "64"),
    ),
    (
        ("Log file size (4KB)", "LOGFILSIZ", ""),
        ("Number of primary log files", "LOGPRIMARY", ""),
        ("Number of secondary log files", "LOGSECOND", ""),
        ("Changed path to log files", "NEWLOGPATH", ""),
        ("Path to log files", "", "/db03/svtdbm/NODE0000/SQL00001/SQLOGDIR/"),
        ("Overflow log path", "OVERFLOWLOGPATH", ""),
        ("Mirror log path", "MIRRORLOGPATH", ""),
        ("First active log file", "", ""),
        ("Block log on disk full", "BLK_LOG_DSK_FUL", "NO"),
        ("Percent of max active log space by transaction", "MAX_LOG", "0"),
        ("Num. of active log files for 1 active UOW", "NUM_LOG_SPAN", "0"),
    ),
    (
        ("Group commit count", "MINCOMMIT", "1"),
        ("Percent log file reclaimed before soft chckpt", "SOFTMAX", ""),
        ("Log retain for recovery enabled", "LOGRETAIN", "OFF"),
        ("User exit for logging enabled", "USEREXIT", "OFF"),
    ),
    (
        ("Auto restart enabled", "AUTORESTART", "ON"),
        ("Index re-creation time", "INDEXREC", ""),
        ("Default number of loadrec sessions", "DFT_LOADREC_SES", "1"),
        ("Number of database backups to retain", "NUM_DB_BACKUPS", "12"),
        ("Recovery history retention (days)", "REC_HIS_RETENTN", "366"),
    ),
    (
        ("TSM management class", "TSM_MGMTCLASS", ""),
        ("TSM node name", "TSM_NODENAME", ""),
        ("TSM owner", "TSM_OWNER", ""),
        ("TSM password", "TSM_PASSWORD", ""),
    ),
)
"""What `get db cfg` prints, in its paragraphs; values that differ between tests are empty here."""


def database_configuration(values: Mapping[str, str]) -> str:
    """Output of `db2 get db cfg for absolut` with these values by keyword."""
    title = "\n       Database Configuration for Database absolut\n\n"
    return title + "\n".join("".join(_parameter(each, values) for each in paragraph) for paragraph in FIXED)


def _parameter(parameter: Parameter, values: Mapping[str, str]) -> str:
    description, keyword, value = parameter
    name = f"({keyword})" if keyword else ""
    return f" {description}{name:>{WIDTH - len(description)}} = {values.get(keyword, value)}\n"


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
