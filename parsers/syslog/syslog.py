r"""Syslog files: `messages`, `syslog`, `kern.log` and what else syslogd, rsyslog or syslog-ng write.

Written by   syslogd of the node, one file for all programs; a relay writes the lines of many nodes into one file
One row      per message. Messages of LLT, GAB, storage, VCS and of cluster managers also get a row in their own table;
             where several Veritas messages are on one line, each gets its row, counted by `part`
Time         bsd heads: wall clock of the node, whole seconds, no year, no zone. iso and rfc5424 heads: year, zone and
             fraction as printed. A finer stamp inside the text (Patroni, PostgreSQL) takes the place of the head's
Heads        chosen line by line, see `parsers.syslog.framing`; lines of other logs that got in between are read too,
             those of a program's own log too, with a date and no host
Repeats      `last message repeated 5 times`, with a tag or without, `message repeated 5 times: [ text]` of rsyslog and
             `--- last message repeated 1 time ---` of macOS add to `repeat_count` of the record above of that host;
             they are ignored lines. Their stamp is that of the last copy and is nowhere kept: it proves nothing. If
             the record they mention is not in the file (or was cut off with the chunk before, in a file of several
             hosts), the line is ignored with that reason
Continuation a line that starts with blank or TAB belongs to the record above; a Solaris head without a text takes the
             line below as its text; PostgreSQL's `[3-2]` belongs to `[3-1]`. See `parsers.syslog.records`
Ignored      elisions (`...`), `-- Boot ... --` of journalctl, `==> file <==` of tail, shell prompts
Rejected     lines without a head, impossible dates, a PRI above 191
Not syslog   Heartbeat's, Pacemaker's and corosync's own logs, uptime-only kernel text, programs that print a time and
             no host, and a journal export that says so in its first line (`-- Logs begin at`)
Escapes      `#011`, `#012`, ... of rsyslog are decoded in `text`; the line itself keeps them
"""

import re
from functools import partial

import polars as pl

from parsers.format import Format, Recognition, Refusal
from parsers.syslog.event import TABLES, parse
from parsers.syslog.framing import COMMON
from parsers.syslog.recognition import LEAST_SHARE, Sniffed, refusal, sniff, sniff_each
from parsers.syslog.records import OWN_LOGS

FRAMINGS = ("rfc5424", "collector", "iso", "bsd")
"""Heads that only syslog daemons write."""

JOURNAL = r"^-- (?:Logs begin|Journal begins)\b"

# REAL: 2019-03-22T10:36:02.651273+08:00 15sp1-1 systemd[1]: Reloading.
TAGGED = (
    r"^(?:<[0-9]+>)?\S+(?: [0-9][0-9]:\S+)? \S+ "
    r"(?:(?![0-9]+:)[^\s:\[]+(?: ?\([^)]*\))?(?:\[[0-9]+\])*:(?!\w)|\S+ [0-9]+ - |last message )"
)
LEAST_TAGGED = 0.3
# REAL: 2026-11-22T14:23:45.247Z S1b start patroni pg1 again
HOST = r"^(?:<[0-9]+>)?\S+(?: [0-9][0-9]:\S+)? (\S+)"
MIXED_TAGGED, MIXED_HOSTS = 0.5, 0.5
"""Notes of a person begin with any word: fewer tags than this, and more different hosts."""

# A head with a tag, and a text that cannot be a repeat, as it begins with neither l nor m nor a hyphen.
TEXT_OF_A_RECORD = (
    r"(?:[^\slm\[-]"
    r"|\[ID [0-9]+ [a-z]\w*\.[a-z]+\] [^\slm-]"  # Solaris
    r"|\[ *[0-9.]+\]:? [^\slm\[-]"  # kernel uptime, Heartbeat's process id
    r"|\[[A-Za-z]{2,} *\]"  # corosync: [TOTEM ]
    r"|\[[0-9]+-1\] )"  # PostgreSQL: the first part of a message
)
BOUNDARY = (
    r"^(?:(?:-|[A-Z_]+) [0-9]{9,10} [0-9]{4}\.[0-9][0-9]\.[0-9][0-9] \S+ )?(?:<[0-9]{1,3}>)?"  # collector, PRI
    r"(?:(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,3}[0-9]{1,2} [0-9]{2}:[0-9]{2}:[0-9]{2}"
    r"(?:\.[0-9]{1,9})?"
    r"|[0-9]{4}-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9](?:[.,][0-9]{1,9})?(?:Z|[+-][0-9][0-9]:?[0-9][0-9])?)"
    r" [\w./-]*[A-Za-z.][\w./-]* (?:[a-z0-9|]+:[a-z]+ )?"  # host, AIX' facility and level
    r"[A-Za-z_/][\w./-]*(?:\([^)]*\))?(?:\[[0-9]{1,18}\])?: +" + TEXT_OF_A_RECORD + "|"
    # REAL: <34>1 2003-10-11T22:14:15.003Z mymachine.example.com su - ID47 - 'su root' failed for lonvick on /dev/pts/8
    r"^<[0-9]{1,3}>1 [0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?(?:Z"
    r"|[+-][0-9]{2}:[0-9]{2}) \S+ \S+ \S+ \S+ "
    r'(?:-|(?:\[(?:[^\]\\"]|\\.|"(?:[^"\\]|\\.)*")*\])+) [^\slmB-]'
)


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file if at least 60 % of its first 200 lines have a syslog head; continued and ignored lines aside."""
    seen = sniff(head)
    if not seen.lines:
        return Refusal("no line to decide by", 1)
    number, first, _ = seen.lines[0]
    if re.match(JOURNAL, first):
        return Refusal("a journal export by its first line, not syslog", number)
    heads = seen.of(*FRAMINGS)
    if _lacks_programs(seen):
        return refusal(seen, "a time and a word on each line, but hardly any program behind them", *FRAMINGS)
    if heads and len(heads) >= LEAST_SHARE * len(seen.classified):
        share = len(heads) / len(seen.lines)
        reason = f"{len(heads)} of the first {len(seen.lines)} lines have a syslog head"
        return Recognition(round(0.5 + 0.35 * share, 3), reason, heads[0])
    return refusal(
        seen, f"only {len(heads)} of {len(seen.classified)} lines have a syslog head{seen.others(*FRAMINGS)}", *FRAMINGS
    )


def _lacks_programs(seen: Sniffed) -> bool:
    """Whether lines with an ISO date are of a program's own log: after a real host comes a program."""
    dated = [text for _, text, framing in seen.classified if framing == "iso"]
    tagged = sum(re.match(TAGGED, text) is not None for text in dated)
    hosts = {found[1] for text in dated if (found := re.match(HOST, text))}
    is_of_notes = tagged < MIXED_TAGGED * len(dated) and len(hosts) > MIXED_HOSTS * len(dated)
    return (tagged < LEAST_TAGGED * len(dated) or is_of_notes) and 2 * len(dated) > len(seen.of(*FRAMINGS))


FORMAT = Format(
    name="syslog",
    title="Syslog file",
    tables=TABLES,
    recognise=recognise,
    parse=partial(parse, framings=(*COMMON, "program"), own_logs=OWN_LOGS | {"program"}),
    boundary=BOUNDARY,
    file_names=("messages*", "syslog*", "kern.log*", "daemon.log*", "user.log*", "auth.log*"),
    look=sniff_each,
)
