import polars as pl
import pytest

from parsers.chaos.jepsen_history import FORMATS, parse_map, parse_text, recognise_map, recognise_text
from parsers.format import Parsed, Recognition
from tests.support.measured import verdicts
from tests.support.message_lines import numbered

# REAL: the first lines of a public store (maelstrom, broadcast)
INVOKED = "{:index 0, :time 9439625, :type :invoke, :process 0, :f :read, :value nil}"
OK = "{:index 1, :time 13726708, :type :ok, :process 0, :f :read, :value []}"
TEXT = ("0\t:invoke\t:read\tnil", "0\t:ok\t:read\t[0 1]")
# FROM DOCUMENTATION: the nemesis, and an operation of which nobody knows
ASKED = "{:type :info, :f :start-partition, :value :primaries, :process :nemesis, :time 224000000, :index 2}"
DONE = (
    "#jepsen.history.Op{:index 3, :time 746000000, :type :info, :process :nemesis, :f :start-partition, "
    ':value [:isolated {"n2" #{"n3"}}]}'
)
UNKNOWN = (
    '{:type :info, :f :txn, :value [[:append 8 {:type :ok, :time 1}] [:r 9 "a } \\" {"]], :process 3, '
    ':time 5000000000, :index 9, :error [:conn-refused "n1: no } here"]}'
)
COLUMNS = ("process", "type", "f", "value", "error", "offset_s")


def operations(parsed: Parsed) -> list[tuple[object, ...]]:
    frame = parsed.tables.get("history_operation")
    return [] if frame is None else frame.select(COLUMNS).rows()


def test_operations_with_their_times() -> None:
    parsed = parse_map(numbered([INVOKED, OK, "", ASKED, DONE, UNKNOWN]))
    assert operations(parsed) == [
        ("0", "invoke", "read", None, None, 0.009439625),
        ("0", "ok", "read", None, None, 0.013726708),
        ("nemesis", "info", "start-partition", ":primaries", None, 0.224),
        ("nemesis", "info", "start-partition", '[:isolated {"n2" #{"n3"}}]', None, 0.746),
        ("3", "info", "txn", None, '[:conn-refused "n1: no } here"]', 5.0),
    ]
    assert verdicts(parsed) == "PP PPP"


def test_text_has_no_times() -> None:
    parsed = parse_text(numbered([*TEXT, ":nemesis\t:info\t:kill\t:one", "3\t:info\t:read\tnil\t:timeout", "3\t:info"]))
    assert operations(parsed) == [
        ("0", "invoke", "read", None, None, None),
        ("0", "ok", "read", None, None, None),
        ("nemesis", "info", "kill", ":one", None, None),
        ("3", "info", "read", None, ":timeout", None),
    ]
    assert verdicts(parsed) == "PPPPR"


def test_a_damaged_line_costs_itself_only() -> None:
    damaged = [OK[:-1], OK[3:], OK.replace(":process 0, ", ""), OK.replace("[]", "[[}"), DONE[:60], "{", "}", "nil"]
    for text in damaged:
        parsed = parse_map(numbered([INVOKED, text, OK]))
        assert (verdicts(parsed), len(operations(parsed))) == ("PRP", 2), text
    assert parse_map(numbered([])).lines.is_empty()


@pytest.mark.parametrize(
    ("lines", "is_map", "is_text"),
    [
        ([INVOKED, OK, ASKED, DONE], True, False),
        ([INVOKED], True, False),
        (TEXT, False, True),
        # REAL: results.edn of the same store
        (["{:perf {:latency-graph {:valid? true},", "        :valid? true},", " :valid? true}"], False, False),
        (["a\tb\tc\td", "1\t2\t3\t4"], False, False),
        (['{"type": "ok", "process": 0, "f": "read"}'], False, False),
    ],
)
def test_recognised_by_its_lines(lines: list[str], *, is_map: bool, is_text: bool) -> None:
    head = pl.Series(lines, dtype=pl.String)
    assert isinstance(recognise_map(head), Recognition) is is_map
    assert isinstance(recognise_text(head), Recognition) is is_text


def test_every_line_may_begin_a_chunk() -> None:
    edn, text = (each.boundary or "" for each in FORMATS)
    assert pl.Series([INVOKED, OK, ASKED, DONE, UNKNOWN]).str.contains(edn).all()
    assert pl.Series(TEXT).str.contains(text).all()
