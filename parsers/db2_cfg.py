"""Database configuration: what `db2 get db cfg` prints, with or without SHOW DETAIL.

Written by  the command line processor of DB2, and copies of its output
One row     per value, in scope db; those of a `get dbm cfg` or `db2set` in the same file in scopes dbm and registry
Layout      see parsers/db2_configuration.py
"""

from functools import partial

from parsers.by_line import parse_by_line
from parsers.db2_configuration import TITLE_OR_KEY, read_configuration, recognise_title
from parsers.format import Format
from parsers.parameter import PARAMETER_VALUE

FORMAT = Format(
    name="db2_cfg",
    title="DB2 database configuration",
    tables=(PARAMETER_VALUE,),
    recognise=partial(recognise_title, scope="db"),
    parse=partial(parse_by_line, read=read_configuration),
    boundary=None,
    file_names=("*db*cfg*", "*db*config*"),
    role="configuration",
    needs=TITLE_OR_KEY,
)
