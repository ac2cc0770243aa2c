"""hadrCalculator.pl: what each sync mode would do to a workload, written between the lines of db2logscan.

Written by  hadrCalculator.pl (2013) on stdout
One row     per prediction; besides, those of db2logscan and the network and disk that were assumed
Time        the interval that a prediction is for
Traps       its MB are 2^20 bytes, unlike those of simhadr. Pages are printed cut off; it reckons with fractions.
            The marker says how far the workload is above what the mode has: `?` to `???`
"""

import polars as pl

from parsers.format import Format, Recognition, Refusal, recognised_by
from parsers.hadr_tools.db2logscan import CALCULATOR, TABLES, parse


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Look for its name or a prediction."""
    return recognised_by(head.str.contains(CALCULATOR), 0.98, "prediction of hadrCalculator.pl") or Refusal(
        "no prediction of hadrCalculator.pl", 1 if len(head) else 0
    )


FORMAT = Format(
    name="hadr_calculator",
    title="hadrCalculator.pl",
    tables=TABLES,
    recognise=recognise,
    parse=parse,
    file_names=("*hadrcalc*", "*hadrCalc*"),
    role="measurement",
    needs="hadrCalculator|MB/s",
)
