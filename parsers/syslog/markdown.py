r"""Lines of logs that were copied, or kept as Markdown, in which brackets and other signs of the log are escaped.

`[2022-02-07T08:18:08+08:00 n1 corosync\[3083\]:   \[TOTEM \] ]A processor failed` is a line of corosync. A line is
taken to be so where the brackets around a process id or an uptime in its head are escaped; then brackets without a
backslash are those of the mark-up, and those with one are those of the log.
"""

import polars as pl

ESCAPE = "\\["
# REAL: 2022-02-07T08:06:29.373844+08:00 sapprdhn01 SAPHana(rsc_SAPHana_PRD_HDB01)\[67749\]: ...
HEAD = r"^.{10,120}?(?:[\w)]\\\[[0-9]+\\\]:|: \\\[ *[0-9]+\.[0-9]+\\\])"
BARE_BRACKET = r"(^|[^\\])[\[\]]"
ESCAPED = r"\\([!-/:-@\[-`{-~])"


def bare(lines: pl.Series) -> pl.Series:
    """The lines as their log said them, without what Markdown put there."""
    may_be = lines.str.contains(ESCAPE, literal=True)
    if not may_be.any():
        return lines
    is_markdown = may_be & lines.str.contains(HEAD)
    plain = lines.str.replace_all(BARE_BRACKET, "${1}").str.replace_all(BARE_BRACKET, "${1}")
    return plain.str.replace_all(ESCAPED, "${1}").zip_with(is_markdown, lines)
