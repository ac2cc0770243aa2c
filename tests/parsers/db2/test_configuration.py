import pytest

from parsers.db2.configuration import DB2_SET, DB_CFG, DBM_CFG
from parsers.format import Format, Verdict
from tests.support.configuration_lines import confidence, values, verdicts
from tests.support.message_lines import numbered

TITLE = "       Database Configuration for Database SAMPLE"
# REAL (DB2 11.5)
LINES = [
    "[db2inst1@662c53b54754 ~]$ db2 get db cfg for SAMPLE",
    TITLE,
    "",
    " Database page size                                      = 8192",
    " Num. of active log files for 1 active UOW(NUM_LOG_SPAN) = 0",
    " Changed path to log files                  (NEWLOGPATH) = ",
    " Package cache size (4KB)                   (PCKCACHESZ) = AUTOMATIC((MAXAPPLS*8))",
    " Max number of active applications            (MAXAPPLS) = AUTOMATIC(40)",
    " Default prefetch size (pages)         (DFT_PREFETCH_SZ) = AUTOMATIC",
    " Index re-creation time and redo index build  (INDEXREC) = SYSTEM (RESTART)",
    "     Automatic runstats                  (AUTO_RUNSTATS) = ON",
    " Monitor Collect Settings",
]
# RECONSTRUCTED (templates of the client)
DETAIL = [
    TITLE,
    " Description                                   Parameter   Current Value              Delayed Value",
    " ---------------------------------------------------------------------------------------------------",
    " Log buffer size (4KB)                        (LOGBUFSZ) = 256                        512",
    " Mirror log path                         (MIRRORLOGPATH) =                            ",
    " Changed path to log files                  (NEWLOGPATH) = /a/path/that/is/too/long/for/it  /another/path",
    " Database territory                                      = US",
]
# REAL (seed paper, appendix C)
MANGLED = [
    "Database Configuration for Database absolut",
    "| Database release level | = 0x0a00 |",
    "|--|----------------------------------|",
    "| Log buffer size (4KB) | (LOGBUFSZ) = 4 |",
    "Percent of mem for appl. group heap Max appl. control heap size (4KB)",
    "(SHEAPTHRES_SHR) = (SHEAPTHRES) (SEQDETECT) = YES (DFT PREFETCH SZ) = 32",
    "(LOGSECOND) = 0 (NEWLOGPATH) = = /db03/svtdbm/ (OVERFLOWLOGPATH) = (MIRRORLOGPATH) = = (MAX_LOG) = 0",
    "= 1 (DFT_EXTENT_SZ) = 32",
    " $(BLK_LOG_DSK_FUL) = NO$ $(NUM_LOG_SPAN) = 0$",
]
# REAL (V9.7)
REGISTRY = ["     db2set -all", "    [i] DB2AUTOSTART=YES", "    [g] DB2AUTOSTART=yes", "    [g] DB2_PARALLEL_IO=*"]


def test_value_is_named_by_its_key_or_by_its_description() -> None:
    assert values(DB_CFG, *LINES) == {
        "database_page_size": "8192",
        "NUM_LOG_SPAN": "0",
        "NEWLOGPATH": "",
        "PCKCACHESZ": "AUTOMATIC((MAXAPPLS*8))",
        "MAXAPPLS": "AUTOMATIC(40)",
        "DFT_PREFETCH_SZ": "AUTOMATIC",
        "INDEXREC": "SYSTEM (RESTART)",
        "AUTO_RUNSTATS": "ON",
    }


def test_value_chosen_by_db2_shows_what_it_came_to() -> None:
    rows = DB_CFG.parse(numbered(LINES)).tables["parameter_value"]
    assert {
        name: (came_to, chosen)
        for name, came_to, chosen in rows.select("name", "effective_value", "is_automatic").rows()
    } == {
        "database_page_size": (None, False),
        "NUM_LOG_SPAN": (None, False),
        "NEWLOGPATH": (None, False),
        "PCKCACHESZ": ("(MAXAPPLS*8)", True),
        "MAXAPPLS": ("40", True),
        "DFT_PREFETCH_SZ": (None, True),
        "INDEXREC": ("RESTART", False),
        "AUTO_RUNSTATS": (None, False),
    }
    assert rows["subject"].unique().to_list() == ["SAMPLE"]


def test_show_detail_has_a_value_for_the_next_start() -> None:
    rows = DB_CFG.parse(numbered(DETAIL)).tables["parameter_value"]
    assert rows.select("name", "value", "delayed_value").rows() == [
        ("LOGBUFSZ", "256", "512"),
        ("MIRRORLOGPATH", "", ""),
        ("NEWLOGPATH", "/a/path/that/is/too/long/for/it", "/another/path"),
        ("database_territory", "US", None),
    ]


def test_wrapped_value_goes_on_in_the_line_below() -> None:
    texts = [TITLE, " HADR target list (HADR_TARGET_LIST) = a.ibm.com:1|b.ib", "m.com:2", "", "m.com:3"]
    assert values(DB_CFG, *texts) == {"HADR_TARGET_LIST": "a.ibm.com:1|b.ibm.com:2"}
    assert verdicts(DB_CFG, *texts)[2:] == [Verdict.CONTINUATION, Verdict.BLANK, Verdict.REJECTED]


def test_mangled_copy_gives_its_keys() -> None:
    assert values(DB_CFG, *MANGLED) == {
        "database_release_level": "0x0a00",
        "LOGBUFSZ": "4",
        "SHEAPTHRES_SHR": "(SHEAPTHRES)",
        "SEQDETECT": "YES",
        "DFT_PREFETCH_SZ": "32",
        "LOGSECOND": "0",
        "NEWLOGPATH": "",
        "OVERFLOWLOGPATH": "",
        "MIRRORLOGPATH": "",
        "MAX_LOG": "0",
        "DFT_EXTENT_SZ": "32",
        "BLK_LOG_DSK_FUL": "NO",
        "NUM_LOG_SPAN": "0",
    }
    assert verdicts(DB_CFG, *MANGLED)[4] == Verdict.IGNORED


def test_secret_is_masked_also_where_it_is_wrapped() -> None:
    texts = [TITLE, " TSM password (TSM_PASSWORD) = tiger", "paw", " TSM owner (TSM_OWNER) = x"]
    assert values(DB_CFG, *texts) == {"TSM_PASSWORD": "********", "TSM_OWNER": "x"}


def test_outputs_one_after_another_have_scopes_of_their_own() -> None:
    index = " Index re-creation time                       (INDEXREC) = "
    texts = [
        "          Database Manager Configuration",
        f"{index}RESTART",
        TITLE,
        f"{index}ACCESS",
        "[i] DB2COMM=tcpip",
    ]
    rows = DBM_CFG.parse(numbered(texts)).tables["parameter_value"]
    assert rows.select("scope", "name", "value", "subject").rows() == [
        ("dbm", "INDEXREC", "RESTART", None),
        ("db", "INDEXREC", "ACCESS", "SAMPLE"),
        ("registry", "DB2COMM", "tcpip", "instance"),
    ]
    assert confidence(DBM_CFG, *texts) > confidence(DB_CFG, *texts) == 0


def test_copy_without_title_is_recognised_by_its_keys() -> None:
    manager = [f"({key}) = 1" for key in ("SHEAPTHRES", "MAXAGENTS", "KEEPFENCED", "SVCENAME", "INDEXREC")]
    database = [f"({key}) = 1" for key in ("LOGBUFSZ", "SOFTMAX", "LOGFILSIZ", "MAXAPPLS", "INDEXREC")]
    assert confidence(DBM_CFG, *manager) > 0 == confidence(DB_CFG, *manager)
    assert confidence(DB_CFG, *database) > 0 == confidence(DBM_CFG, *database)
    assert DBM_CFG.parse(numbered(manager)).tables["parameter_value"]["scope"].unique().to_list() == ["dbm"]


@pytest.mark.parametrize(
    ("form", "texts"),
    [
        (DB_CFG, LINES),
        (DB_CFG, DETAIL),
        (DB_CFG, MANGLED),
        (DB2_SET, REGISTRY),
        (DBM_CFG, ["Database Manager Configuration"]),
    ],
)
def test_own_files_are_recognised(form: Format, texts: list[str]) -> None:
    others = [other for other in (DB_CFG, DBM_CFG, DB2_SET) if other is not form]
    assert confidence(form, *texts) >= 0.9
    assert all(confidence(other, *texts) == 0 for other in others)


@pytest.mark.parametrize("texts", [[], [""], ["Database"], ["x = 1"], ["DB2COMM=tcpip", "a", "b", "c"]])
def test_other_files_are_refused(texts: list[str]) -> None:
    assert confidence(DB_CFG, *texts) == confidence(DBM_CFG, *texts) == confidence(DB2_SET, *texts) == 0
