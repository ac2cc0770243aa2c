"""HammerDB: console and hammerdb.log, the transaction counter's log (hdbtcount.log), and JSON of its jobs.

Written by  the CLI, which puts `Vuser <n>:` before the lines of virtual users, and `jobs <id> result|timing|tcount`
One row     per result (two numbers: NOPM, which can be compared across databases, and TPM, which cannot), per sample of
            the counter, per number of a transaction's timing
Time        on the counter's log and in JSON only; on the console samples are taken to be 10 s apart, the default
Odd         hammerdb.log is appended to, so several results are several runs. The counter runs during ramp-up too, and
            its first sample is 0. A result may follow errors: a failed virtual user makes it invalid, an error inside
            a transaction is reported as a doubt
Secrets     the dictionary on the console holds passwords: none of its lines is kept
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial

import polars as pl

from parsers.benchmark.hammerdb_json import read_json
from parsers.benchmark.hammerdb_result import CLIENTS, result_in
from parsers.benchmark.measurement_lines import parse_measurements, printed_date, row
from parsers.by_line import LineVerdict, ignored, parsed, rejected
from parsers.format import Format, Hint, Recognition, Refusal, recognised_by
from parsers.measurement import MEASUREMENT_POINT, MEASUREMENT_VALUE, PER_MINUTE

# REAL: 1630290 MSSQLServer tpm @ Mon Apr 14 13:18:44 BST 2025
SAMPLE = re.compile(
    r"(?:Vuser [0-9]+:)?(?P<tpm>[0-9]{1,15}) (?P<database>[A-Za-z]\S*(?: Server)?) tpm(?: @ (?P<at>.+))?"
)
# REAL: Vuser 1:Timing test period of 30 in minutes
DURATION = re.compile(r"Timing test period of (?P<minutes>[0-9]{1,6}) in minutes")
BEGIN = re.compile(
    r"Vuser 1:RUNNING|Beginning rampup time of|Timing test period of|Transaction Counter Started|created MONITOR"
)
FAILED = re.compile(r"FINISHED FAILED|Error in Virtual User")
# REAL: Vuser 11:New Order Procedure Error set RAISEERROR for Details
DOUBT = re.compile(r"Error set RAISEERROR|(?:Procedure|Transaction) Error")
OTHER = re.compile(
    r"Vuser [0-9]+[: ]|hammerdb>|Hammerdb Transaction Counter Log @|[+-]+$|TEST (?:STARTED|COMPLETE)|ALL VIRTUAL USERS"
    r"|[0-9]+ Virtual Users Created|(?:Stopping )?Transaction Counter|Timestamp [0-9]+ @|Logging activated|to /|jobid="
    r"|(?:Virtual Users|User Delay|Repeat Delay|Iterations|Show Output|Log Output|Unique Log|No Log)\b.* = "
    r"|Log Timestamps = "
    r"|No Virtual Users found|vudestroy|Script loaded|Dictionary Settings|\w+ +\{$| ?\w+ +=|\}|HammerDB|Copyright"
    r"|License|Type \"help|The xml|Database set|Benchmark set|Value |Changed |Initialized"
)
SIGNATURE = (
    r"System achieved [0-9]+ (?:NOPM from|.+ TPM at)|^Hammerdb Transaction Counter Log @|^hammerdb>"
    r"|^Vuser [0-9]+(?: created|:RUNNING|:Beginning rampup)"
    r"|^[0-9]+ (?:MariaDB|MySQL|PostgreSQL|Oracle|Db2|MSSQLServer) tpm\b"
    r'|"(?:NEWORD|PAYMENT)"\s*:\s*\{|"[^"]+ tpm"\s*:\s*\{'
)
COUNTER_STEP_S = 10.0
"""Between two samples of the counter, unless it was configured otherwise."""


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Look for a result, for lines of virtual users, for the counter."""
    return recognised_by(head.str.contains(SIGNATURE), 0.95, "output of HammerDB") or Refusal(
        "no line of HammerDB's virtual users, counter or results", max(len(head), 1)
    )


@dataclass(slots=True)
class Test:
    """One test: its rows so far, and what is filled into all of them once it is over.

    `steps`: intervals that the counter's samples have reported; -1 before the first sample.
    """

    number: int
    rows: list[dict[str, object]] = field(default_factory=list)
    clients: int | None = None
    duration_s: float | None = None
    steps: int = -1
    failed: int = 0
    errors: int = 0
    has_result: bool = False

    def finish(self) -> None:
        """Fill in what the whole test says about its numbers."""
        failed = f"{self.failed} virtual users failed" if self.failed else None
        doubt = failed or (f"{self.errors} errors inside transactions" if self.errors else None)
        for each in self.rows:
            each |= {"summary_no": self.number, "clients": self.clients}
            if "interval_s" not in each:
                each |= {"duration_s": self.duration_s, "is_valid": not self.failed, "doubt": doubt}


def read(texts: list[str]) -> Iterable[LineVerdict]:
    """Classify the lines of one file."""
    if any(text.lstrip()[:1] in ("{", "[") for text in texts[:20]):
        return read_json(texts)
    tests = [Test(1)]
    classified = [_classified(text, tests) for text in texts]
    for test in tests:
        test.finish()
    return classified


def _classified(text: str, tests: list[Test]) -> LineVerdict:
    if tests[-1].has_result and BEGIN.search(text):
        tests.append(Test(tests[-1].number + 1))
    test = tests[-1]
    if result := result_in(text):
        test.has_result = True
        test.rows += result
        return parsed(*result)
    if sample := SAMPLE.fullmatch(text.strip()):
        return _sample(sample, test)
    if given := _setting(text, test) or _problem(text, test):
        return given
    if OTHER.match(text.strip()):
        return ignored("console of HammerDB")
    return rejected("no line of HammerDB")


def _setting(text: str, test: Test) -> LineVerdict | None:
    """Load and length of the test, which are kept with its figures."""
    if clients := CLIENTS.search(text):
        test.clients = int(clients["clients"])
    elif duration := DURATION.search(text):
        test.duration_s = 60.0 * int(duration["minutes"])
    else:
        return None
    return ignored("load or length of the test, kept with its figures")


def _problem(text: str, test: Test) -> LineVerdict | None:
    if FAILED.search(text):
        test.failed += 1
        return ignored("a virtual user failed: the result is marked invalid")
    if DOUBT.search(text):
        test.errors += 1
        return ignored("an error inside a transaction: reported as a doubt about the result")
    return None


def _sample(found: re.Match[str], test: Test) -> LineVerdict:
    """A sample of the counter; the first is 0, as nothing was counted before it."""
    tpm = float(found["tpm"])
    test.steps = 0 if test.steps < 0 and tpm == 0 else max(test.steps, 0) + 1
    if test.steps == 0:
        return ignored("first sample of the counter, always 0")
    stamp = printed_date(found["at"] or "")
    offset = {} if stamp else {"offset_s": COUNTER_STEP_S * test.steps}
    point = row("tpm", PER_MINUTE, tpm, interval_s=COUNTER_STEP_S, **stamp, **offset)
    test.rows.append(point)
    return parsed(point)


FORMAT = Format(
    name="hammerdb",
    title="HammerDB",
    tables=(MEASUREMENT_VALUE, MEASUREMENT_POINT),
    recognise=recognise,
    parse=partial(parse_measurements, read=read),
    file_names=("hammerdb*", "hdbtcount*"),
    role="measurement",
    needs="System achieved|ammerdb|Vuser | tpm|NEWORD|PAYMENT",
    hints=(Hint(r"System achieved [0-9]+|^Vuser [0-9]+:|TEST RESULT : ", "a log of HammerDB"),),
)
