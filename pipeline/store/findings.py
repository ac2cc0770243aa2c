"""The findings: doubts about the data or a result, one file each, and the relation `finding` that is their union.

A file `sql/findings/SUBJECT/KIND.sql` is one kind of finding. Its first comment says when it appears, `severity:` is
warning (it may change a result), note, or `warning or note` where the select has a column `severity`. The select gives
`text` (the doubt in a sentence) and, where it concerns one, `configuration`, `run`, `file_id` and `line_no`; where
several lines decided it, `lines`: a list of structs of configuration, run, item, file_id and line_no.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pipeline.errors import HaledgerError

FOLDER = Path(__file__).parents[1] / "sql" / "findings"
HEADER = re.compile(
    r"-- (?P<when>.+)\n-- severity: (?P<severity>warning|note|warning or note)\n(?P<sql>[^-].+)", re.DOTALL
)

RELATION = """\
-- One row per doubt about the data or a result that a reader should know.
-- columns:
--   kind: {kinds}
--   configuration: folder group; null where it concerns the study
--   run: run; null where it concerns the configuration
--   text: the doubt in a sentence
--   file_id: file of the line behind it, where there is one
--   lines: the lines that decided it, where several did: configuration, run, item, file_id, line_no of each
select severity, kind, configuration, run, text, file_id, line_no, lines

from (
    select
        null::varchar as severity, null::varchar as kind, null::varchar as configuration, null::varchar as run,
        null::varchar as text, null::integer as file_id, null::integer as line_no,
        null::struct(configuration varchar, run varchar, item varchar, file_id integer, line_no integer)[] as lines

    where false
{branches}
) as findings

order by severity desc, kind, configuration, run, file_id, line_no, text
"""


class FindingError(HaledgerError):
    """A finding's file without its header; a fault of the program, not of the user."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One kind of finding. `severity`: warning, note, or `warning or note`; `when`: when it appears, in a sentence."""

    kind: str
    subject: str
    severity: str
    when: str
    sql: str

    @property
    def select(self) -> str:
        """The finding as a branch of the union."""
        severity = "" if " or " in self.severity else f"'{self.severity}' as severity, "
        return f"select {severity}'{self.kind}' as kind, * from (\n{self.sql}\n)"


@cache
def findings() -> tuple[Finding, ...]:
    """Every kind of finding, by its name."""
    return tuple(sorted((_finding(file) for file in FOLDER.rglob("*.sql")), key=lambda each: each.kind))


def relation(*kinds: str) -> str:
    """The source of the relation `finding`, as the files of `pipeline/sql` are written.

    `kinds`: these alone, of which a statement asks without planning those of all others.
    """
    asked = [each for each in findings() if not kinds or each.kind in kinds]
    branches = "".join(f"union all by name\n{each.select}\n" for each in asked)
    return RELATION.format(kinds=", ".join(each.kind for each in asked), branches=branches)


def _finding(file: Path) -> Finding:
    found = HEADER.fullmatch(file.read_text(encoding="utf-8").strip())
    if found is None:
        raise FindingError(f"{file.name}: expected `-- when it appears`, `-- severity: warning`, then one select")
    return Finding(file.stem, file.parent.name, found["severity"], found["when"], found["sql"])
