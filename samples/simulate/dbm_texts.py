"""What `db2 get dbm cfg` printed before the tests of 2004: Appendix B of the paper, in the order of the product."""

from collections.abc import Sequence

from samples.simulate.db2_texts import Parameter

WIDTH = 59
"""Columns of a description and its keyword, before ` = `."""

PARAGRAPHS: Sequence[Sequence[Parameter]] = (
    (("Database manager configuration release level", "", "0x0a00"),),
    (
        ("CPU speed (millisec/instruction)", "CPUSPEED", "2.729512e-06"),
        ("Communications bandwidth (MB/sec)", "COMM_BANDWIDTH", "1.000000e+00"),
    ),
    (
        ("Max number of concurrently active databases", "NUMDB", "8"),
        ("Data Links support", "DATALINKS", "NO"),
        ("Federated Database System Support", "FEDERATED", "NO"),
        ("Transaction processor monitor name", "TP_MON_NAME", ""),
    ),
    (("Default charge-back account", "DFT_ACCOUNT_STR", ""),),
    (("Java Development Kit installation path", "JDK_PATH", "/usr/j2se"),),
    (
        ("Diagnostic error capture level", "DIAGLEVEL", "3"),
        ("Notify Level", "NOTIFYLEVEL", "3"),
        ("Diagnostic data directory path", "DIAGPATH", ""),
    ),
    (
        ("Default database monitor switches", "", ""),
        ("  Buffer pool", "DFT_MON_BUFPOOL", "OFF"),
        ("  Lock", "DFT_MON_LOCK", "OFF"),
        ("  Sort", "DFT_MON_SORT", "OFF"),
        ("  Statement", "DFT_MON_STMT", "OFF"),
        ("  Table", "DFT_MON_TABLE", "OFF"),
        ("  Timestamp", "DFT_MON_TIMESTAMP", "OFF"),
        ("  Unit of work", "DFT_MON_UOW", "OFF"),
        ("Monitor health of instance and databases", "HEALTH_MON", "OFF"),
    ),
    (
        ("SYSADM group name", "SYSADM_GROUP", ""),
        ("SYSCTRL group name", "SYSCTRL_GROUP", ""),
        ("SYSMAINT group name", "SYSMAINT_GROUP", ""),
    ),
    (
        ("Database manager authentication", "AUTHENTICATION", "SERVER"),
        ("Cataloging allowed without authority", "CATALOG_NOAUTH", "NO"),
        ("Trust all clients", "TRUST_ALLCLNTS", "YES"),
        ("Trusted client authentication", "TRUST_CLNTAUTH", "CLIENT"),
        ("Bypass federated authentication", "FED_NOAUTH", "NO"),
    ),
    (("Default database path", "DFTDBPATH", "/export/home/svtdbm"),),
    (
        ("Database monitor heap size (4KB)", "MON_HEAP_SZ", "90"),
        ("Java Virtual Machine heap size (4KB)", "JAVA_HEAP_SZ", "1024"),
        ("Audit buffer size (4KB)", "AUDIT_BUF_SZ", "0"),
        ("Size of instance shared memory (4KB)", "INSTANCE_MEMORY", "AUTOMATIC"),
        ("Backup buffer default size (4KB)", "BACKBUFSZ", "1024"),
        ("Restore buffer default size (4KB)", "RESTBUFSZ", "1024"),
    ),
    (("Sort heap threshold (4KB)", "SHEAPTHRES", "20000"),),
    (("Directory cache support", "DIR_CACHE", "YES"),),
    (
        ("Application support layer heap size (4KB)", "ASLHEAPSZ", "15"),
        ("Max requester I/O block size (bytes)", "RQRIOBLK", "32767"),
        ("Query heap size (4KB)", "QUERY_HEAP_SZ", "1000"),
        ("DRDA services heap size (4KB)", "DRDA_HEAP_SZ", "128"),
    ),
    (("Workload impact by throttled utilities", "UTIL_IMPACT_LIM", "100"),),
    (
        ("Priority of agents", "AGENTPRI", "SYSTEM"),
        ("Max number of existing agents", "MAXAGENTS", "2000"),
        ("Agent pool size", "NUM_POOLAGENTS", "160"),
        ("Initial number of agents in pool", "NUM_INITAGENTS", "0"),
        ("Max number of coordinating agents", "MAX_COORDAGENTS", "(MAXAGENTS - NUM_INITAGENTS)"),
        ("Max no. of concurrent coordinating agents", "MAXCAGENTS", "MAX_COORDAGENTS"),
        ("Max number of client connections", "MAX_CONNECTIONS", "MAX_COORDAGENTS"),
    ),
    (
        ("Keep fenced process", "KEEPFENCED", "YES"),
        ("Number of pooled fenced processes", "FENCED_POOL", "MAX_COORDAGENTS"),
        ("Initialize fenced process with JVM", "INITFENCED_JVM", "NO"),
        ("Initial number of fenced processes", "NUM_INITFENCED", "0"),
    ),
    (("Index re-creation time", "INDEXREC", "RESTART"),),
    (
        ("Transaction manager database name", "TM_DATABASE", "1ST_CONN"),
        ("Transaction resync interval (sec)", "RESYNC_INTERVAL", "180"),
    ),
    (
        ("SPM name", "SPM_NAME", ""),
        ("SPM log size", "SPM_LOG_FILE_SZ", "256"),
        ("SPM resync agent limit", "SPM_MAX_RESYNC", "20"),
        ("SPM log path", "SPM_LOG_PATH", ""),
    ),
    (
        ("TCP/IP Service name", "SVCENAME", "db2c_svtdbm"),
        ("Discovery mode", "DISCOVER", "SEARCH"),
        ("Discover server instance", "DISCOVER_INST", "ENABLE"),
    ),
    (
        ("Maximum query degree of parallelism", "MAX_QUERYDEGREE", "4"),
        ("Enable intra-partition parallelism", "INTRA_PARALLEL", "NO"),
    ),
    (
        ("No. of int. communication buffers(4KB)", "FCM_NUM_BUFFERS", "4096"),
        ("Node connection elapse time (sec)", "CONN_ELAPSE", "10"),
        ("Max number of node connection retries", "MAX_CONNRETRIES", "5"),
        ("Max time difference between nodes (min)", "MAX_TIME_DIFF", "60"),
    ),
    (("db2start/db2stop timeout (min)", "START_STOP_TIME", "10"),),
)


def database_manager_configuration() -> str:
    """Output of `db2 get dbm cfg`, which was the same in all tests."""
    title = "\n          Database Manager Configuration\n\n"
    node = "     Node type = Enterprise Server Edition with local and remote clients\n\n"
    return title + node + "\n".join("".join(map(_line, paragraph)) for paragraph in PARAGRAPHS)


def _line(parameter: Parameter) -> str:
    description, keyword, value = parameter
    name = f"({keyword})" if keyword else ""
    return f" {description}{name:>{WIDTH - len(description)}} = {value}\n" if keyword or value else f" {description}\n"
