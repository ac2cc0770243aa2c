"""Checks each sentence of the answer card against the store alone, by SQL; it imports nothing from the reports."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from html import unescape
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import duckdb

NUMBER = r"-?\d[\d ]*(?:\.\d+)?"
SIGNS = "\u2020\u2021"

HEADLINES = """
select stats.configuration, coalesce(trim(places.label), stats.configuration) as label, stats.mean_s, stats.runs,
    stats.ci95_low_s, stats.ci95_high_s, stats.milestone
from milestone_stats as stats
inner join recovery_step as steps
    on stats.configuration = steps.configuration and stats.milestone = steps.milestone and steps.is_headline
inner join configuration_order as places on stats.configuration = places.configuration
"""
IS_LABEL = "lower(?) in (lower(label), lower(configuration))"
FAILOVERS = """
select run.* from run left join run_outcome using (configuration, run)
where coalesce(run_outcome.outcome, '') <> 'planned' and (run.fault_at is not null or run_outcome.is_counted)
"""


def sentences_of(html: str) -> dict[str, list[str]]:
    """The paragraphs of the card by heading, as a person reads them."""
    card = html.partition('<section class="card"')[2].partition("</section>")[0]
    found: dict[str, list[str]] = {}
    for block in card.split('<p class="run-in">')[1:]:
        heading, _, rest = block.partition("</p>")
        paragraphs = re.findall(r"<p(?: [^>]*)?>(.*?)</p>", rest, re.DOTALL)
        names = "`" if heading == "Next" else ""
        texts = (unescape(re.sub(r"<[^>]+>", "", re.sub(r"</?code>", names, each))) for each in paragraphs)
        found[heading] = [" ".join(text.split()) for text in texts]
    return found


class Facts:
    """The store, and what its rows say of a sentence."""

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        self.con = con

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:  # values of any column
        return self.con.execute(sql, list(values) or None).fetchall()

    def one(self, sql: str, *values: object) -> Any:  # a value of any column
        return self.rows(sql, *values)[0][0]

    def has(self, relation: str) -> bool:
        return bool(self.one("select count(*) from duckdb_columns() where table_name = ?", relation))


def wrong(card: dict[str, list[str]], con: duckdb.DuckDBPyConnection) -> list[str]:
    """What the store does not say, and sentences that no check knows."""
    facts = Facts(con)
    if set(card) != {"Tested", "Result", "Trust", "Next"}:
        return [f"headings: {sorted(card)}"]
    return [fault for heading, texts in card.items() for text in texts for fault in _faults(facts, heading, text)]


def _faults(facts: Facts, heading: str, text: str) -> Iterator[str]:
    left = text.rstrip(SIGNS + " \u00a0").replace("\u00a0", " ")
    while left:
        for pattern, check in CHECKS[heading]:
            if found := pattern.match(left):
                reason = check(facts, found)
                if reason:
                    yield f"{heading}: {found[0]!r}: {reason}"
                left = left[found.end() :].strip()
                break
        else:
            yield f"{heading}: no check knows {left!r}"
            return


def number(text: str | None) -> float:
    return 0.0 if text in {None, "none", "no"} else float(str(text).replace(" ", ""))


def differs(text: str, value: Any) -> str:
    """Empty where a printed number is the value, rounded as printed."""
    decimals = len(text.partition(".")[2])
    is_near = abs(number(text) - float(str(value))) <= 0.5000001 * 10**-decimals
    return "" if is_near else f"{text} is printed, {value} is stored"


def first(*reasons: str) -> str:
    return next(filter(None, reasons), "")


# --- tested ----------------------------------------------------------------------------------------------------------


def failovers(facts: Facts, said: re.Match[str]) -> str:
    total = facts.one(f"select count(*) from ({FAILOVERS})")
    used = facts.one(f"select count(*) filter (where used) from ({FAILOVERS})")
    places = facts.one(f"select count(distinct configuration) from ({FAILOVERS})")
    of_used = {"all used": total, None: 1, "not used": 0}.get(said["used"], number(said["k"]))
    kinds = dict(
        facts.rows(f"select fault_kind, count(*) from ({FAILOVERS}) where fault_kind is not null group by all")
    )
    named = {kind: int(count) for count, kind in re.findall(r"(\d+) ([^,)]+)", said["kinds"] or "")}
    return first(
        differs(said["n"], total),
        differs(said["places"] or "1", places),
        "" if of_used == used else f"{used} are used",
        "" if named == (kinds if len(kinds) > 1 else {}) else f"kinds are {kinds}",
    )


def planned(facts: Facts, said: re.Match[str]) -> str:
    total = facts.one("select count(*) from run_outcome where outcome = 'planned'")
    waits = [
        each
        for (each,) in facts.rows(
            "select max(coalesce(nullif(outage_s, 0), outage_low_s)) from client_outage "
            "inner join run_outcome using (configuration, run) where outcome = 'planned' group by configuration, run"
        )
        if each
    ]
    printed = sorted(re.findall(r"\d+\.\d", said["waits"] or ""))
    known = sorted(f"{each:.1f}" for each in waits)
    shown = known if len(known) <= 2 else sorted({f"{min(waits):.1f}", f"{max(waits):.1f}"})
    return first(differs(said["p"], total), "" if printed == shown else f"clients waited {known}")


def measured(facts: Facts, said: re.Match[str]) -> str:
    runs, places = facts.rows(
        "select count(distinct (m.configuration, m.run)), count(distinct m.configuration) from measurement as m "
        "inner join run using (configuration, run) left join run_outcome as o using (configuration, run) "
        "where run.used and m.is_valid" + (" and run.fault_at is null and o.outcome is null" if said["more"] else "")
    )[0]
    return first(differs(said["n"], runs), differs(said["places"], places))


def day(at: datetime, zone: str | None) -> date:
    """The day of naive UTC by the clocks of a zone, or of an offset such as -05:00."""
    try:
        found = datetime.strptime(zone, "%z").tzinfo if zone and zone[0] in "+-" else ZoneInfo(zone or "UTC")
    except ZoneInfoNotFoundError:
        found = UTC
    return at.replace(tzinfo=UTC).astimezone(found).date()


def hosts(facts: Facts, said: re.Match[str]) -> str:
    where = "from source_file where status = 'parsed' and node is not null"
    names = {str(name) for (name,) in facts.rows(f"select node {where} union select node from event where node <> ''")}
    spans = facts.rows(f"select first_at, last_at, timezone {where} and first_at is not null")
    ends = sorted(str(day(end, zone)) for first_at, last_at, zone in spans for end in (first_at, last_at))
    low, high = (ends[0], ends[-1]) if ends else (None, None)
    count = len(names) if said["n"] is None else int(number(said["n"]))
    shown = re.sub(r"\d+ hosts? \(|\)| and \d+ more", "", said["names"])
    unknown = [name for name in re.split(r", | and ", shown) if name not in names]
    days = (said["low"], said["high"] or said["low"])
    return first(
        f"unknown {unknown}" if unknown else "",
        "" if count == len(names) else f"{len(names)} hosts",
        "" if days in {(low, high), (None, None)} else f"days {low} to {high}",
    )


def software(facts: Facts, said: re.Match[str]) -> str:
    words = {str(word).lower() for (word,) in facts.rows("select distinct stack from ha_event")}
    words |= {
        str(word).lower() for (word,) in facts.rows("select distinct format from source_file where format is not null")
    }
    words |= {word for (word,) in facts.rows("select lower(value) from environment")}
    shown = {"vcs": "vcs_engine", "db2": "db2diag", "ibm's": "simhadr"}
    names = [each.split()[0].lower() for each in said["names"].split(", ")]
    return first(*("" if shown.get(name, name) in words else f"no row names {name}" for name in names))


def read(facts: Facts, said: re.Match[str]) -> str:
    sums = "count(*), sum(lines), sum(rejected_lines)"
    files, lines, rejected = facts.rows(f"select {sums} from source_file where path <> 'study.toml'")[0]
    return first(
        differs(said["files"], files),
        differs(said["lines"], lines),
        differs(said["rejected"].replace("none", "0"), rejected),
    )


# --- result ----------------------------------------------------------------------------------------------------------


def not_back(facts: Facts, said: re.Match[str]) -> str:
    words = {"failed": "failed", "aborted": "aborted", "unfinished in the log": "log_ended", "not known": "unknown"}
    words |= {"recovered by hand": "recovered_by_hand", "not followed to the end": "not_followed"}
    sql = "select outcome, count(*) from run_outcome where is_counted and outcome <> 'recovered' group by all"
    named = {words[what]: int(n) for n, what in re.findall(r"(\d+) ([a-z ]+)", said["others"])}
    total = facts.one("select sum(runs) from recovery")
    return first("" if named == dict(facts.rows(sql)) else "other outcomes", differs(said["n"], total))


def compared(facts: Facts, said: re.Match[str]) -> str:
    own = facts.rows(
        f"select mean_s, configuration from ({HEADLINES}) where {IS_LABEL}",
        said["of"],
    )
    other = facts.rows(f"select mean_s from ({HEADLINES}) where {IS_LABEL}", said["ref"])
    if not own or not other:
        return "no such pair"
    ((low, high),) = facts.rows(
        "select ratio_ci95_low, ratio_ci95_high "
        "from comparison inner join recovery_step as steps using (configuration) "
        "where subject = 'milestone' and item = steps.milestone and steps.is_headline and configuration = ?",
        own[0][1],
    )
    return first(
        differs(said["a"], own[0][0]),
        differs(said["b"], other[0][0]),
        _effect(said["effect"], float(str(own[0][0])) / float(str(other[0][0])), low, high),
    )


EFFECT = re.compile(rf"(?P<pct>{NUMBER}) % (?P<way>less|more) \(95 % CI (?P<low>{NUMBER}) to (?P<high>{NUMBER}) %\)")


def _effect(text: str, ratio: float, low: Any, high: Any) -> str:
    found = EFFECT.fullmatch(text)
    if found is None:
        return (
            ""
            if "ratio of" in text or "inconclusive" in text or "no " in text or "too few" in text
            else f"effect {text!r}"
        )
    sign = -1 if found["way"] == "less" else 1
    ends = sorted(sign * 100 * (float(str(each)) - 1) for each in (low, high))
    return first(
        differs(found["pct"], sign * 100 * (ratio - 1)), differs(found["low"], ends[0]), differs(found["high"], ends[1])
    )


def modes(facts: Facts, said: re.Match[str]) -> str:
    found = facts.rows(
        "select minority_mean, majority_mean from mode_split where subject = 'milestone' and is_headline "
        f"and configuration in (select configuration from ({HEADLINES}) where {IS_LABEL})",
        said["of"],
    )
    shown = [said[name] for name in ("a", "b") if name in said.groupdict()]
    return first(*map(differs, shown, found[0])) if found else "no modes"


def lacking(facts: Facts, said: re.Match[str]) -> str:
    texts = {text for (text,) in facts.rows("select text from missing_evidence")}
    named = re.findall(r"`[^`]+`: .*?\.(?= `|$)", said[0])
    return "" if len(set(named)) == len(named) and set(named) <= texts else f"{texts}"


def span_of_times(facts: Facts, said: re.Match[str]) -> str:
    (low,), (high,) = (facts.rows(f"select {pick}(mean_s) from ({HEADLINES})")[0] for pick in ("min", "max"))
    ways = facts.rows(
        "select count(*), count(*) filter (where is_different and ratio < 1), "
        "count(*) filter (where is_different and ratio > 1) "
        f"from comparison inner join ({HEADLINES}) as h using (configuration) inner join recovery_step as s "
        "on s.configuration = comparison.configuration and s.milestone = item and s.is_headline "
        "inner join recovery_step as r on r.configuration = reference and r.milestone = item and r.is_headline "
        "where subject = 'milestone' and comparison.configuration <> reference"
    )[0]
    return first(
        differs(said["low"], low), differs(said["high"], high), _ways(said["ways"] or "", *map(int, map(str, ways)))
    )


def _ways(text: str, total: int, less: int, more: int) -> str:
    if "no difference is shown" in text:
        return "" if total > 0 == less == more else f"{less} less, {more} more"
    if not text:
        return "" if total == 0 else f"{total} comparisons"
    if found := re.search(r"all (\d+) are (shorter|lower|longer|higher)", text):
        way = less if found[2] in {"shorter", "lower"} else more
        return "" if int(found[1]) == total == way else f"{less} of {total} less, {more} more"
    counts = {word: int(n) for n, word in re.findall(r"(\d+) (?:are|is) (\w+)", text)}
    known = {"less": less, "more": more, "undecided": total - less - more}
    same = {"shorter": "less", "lower": "less", "longer": "more", "higher": "more", "undecided": "undecided"}
    return "" if {same[word]: n for word, n in counts.items()} == {k: n for k, n in known.items() if n} else f"{known}"


def plain_time(facts: Facts, said: re.Match[str]) -> str:
    found = facts.rows(
        f"select mean_s, runs, ci95_low_s, ci95_high_s from ({HEADLINES}) where {IS_LABEL}",
        said["of"],
    )
    if not found:
        return "no such time"
    mean, runs, low, high = found[0]
    ends = "" if low is None else first(differs(said["low"] or "-1", low), differs(said["high"] or "-1", high))
    others = facts.rows(
        f"select stats.mean_s from milestone_stats_by_kind as stats inner join ({HEADLINES}) as headlines "
        "using (configuration, milestone) anti join counted_kind using (configuration, fault_kind) "
        f"where {IS_LABEL}",
        said["of"],
    )
    shown = sorted(re.findall(rf": ({NUMBER}) s", said["kinds"]), key=number)
    kinds = map(differs, shown, sorted(each for (each,) in others))
    is_whole = "" if len(shown) == len(others) else f"other kinds take {others}"
    return first(differs(said["a"], mean), differs(said["n"] or "1", runs), ends, is_whole, *kinds)


def mean_of(facts: Facts, said: re.Match[str]) -> str:
    """A number of a measurement: some mean of a configuration is it."""
    values = [value for (value,) in facts.rows("select mean from measurement_stats")]
    shown = [said[name] for name in ("a", "b", "low", "high") if name in said.groupdict() and said[name]]
    return first(*("" if any(not differs(text, value) for value in values) else f"no mean is {text}" for text in shown))


def shipped(facts: Facts, said: re.Match[str]) -> str:
    values = [value for (value,) in facts.rows("select mb_s from hadr_recommendation where mb_s is not null")]
    return "" if any(not differs(said["a"], value) for value in values) else "no such rate"


def dip(facts: Facts, said: re.Match[str]) -> str:
    depths = [
        value
        for (value,) in facts.rows(
            "select avg(depth_pct) from measurement_dip where dip_s is not null "
            "group by configuration, metric, event, text"
        )
    ]
    return "" if any(not differs(said["pct"], value) for value in depths) else "no such dip"


def nothing(facts: Facts, _said: re.Match[str]) -> str:
    found = facts.one(f"select count(*) from ({FAILOVERS})"), facts.one("select count(*) from measurement")
    return "" if found == (0, 0) else f"failovers and measurements: {found}"


def set_aside(facts: Facts, said: re.Match[str]) -> str:
    return differs(said["n"], facts.one("select count(*) from run where fault_at is not null and not used"))


def errors(facts: Facts, said: re.Match[str]) -> str:
    return differs(said["n"], facts.one("select count(*) from log_error"))


def changes(facts: Facts, said: re.Match[str]) -> str:
    known = dict(facts.rows("select subject, count(*) from state_change group by all"))
    counts, _, last = said[0].partition("; the last: ")
    states = facts.rows('select name, to_state from state_change where "at" = (select max("at") from state_change)')
    is_last = not last or any(all(not each or each in last for each in row) for row in states)
    said_counts = {what: int(number(n)) for n, what in re.findall(r"(\d[\d ]*) of (\w+?)s\b", counts)}
    return "" if said_counts == known and is_last else f"{known}, {states}"


def messages(facts: Facts, said: re.Match[str]) -> str:
    known = dict(facts.rows("select source, count(*) from event group by all"))
    return (
        ""
        if {what: int(number(n)) for n, what in re.findall(r"(\d[\d ]*) of ([\w-]+)", said[0])} == known
        else f"{known}"
    )


def disks(facts: Facts, said: re.Match[str]) -> str:
    total = facts.one(
        "select count(distinct (node, device)) from iostat_device where not coalesce(is_since_boot, false)"
    )
    busiest = facts.one(
        "select max(busy) from (select avg(util_pct) as busy from iostat_device "
        "where not coalesce(is_since_boot, false) group by node, device)"
    )
    busy = "" if said["busy"] is None else differs(said["busy"], busiest)
    rates = facts.rows(
        "select avg(tps) from iostat_device where not coalesce(is_since_boot, false) group by node, device"
    )
    is_rate = said["rate"] is None or any(not differs(said["rate"], rate) for (rate,) in rates)
    return first(differs(said["n"] or "1", total), busy, "" if is_rate else f"rates {rates}")


def of_a_disk(facts: Facts, said: re.Match[str]) -> str:
    values = [value for (value,) in facts.rows("select mean from disk_load")]
    shown = [said["a"], said["b"]]
    return first(
        *("" if any(not differs(text, value) for value in values) else f"no disk's is {text}" for text in shown)
    )


def processors(facts: Facts, said: re.Match[str]) -> str:
    of_hosts = "from processor_share where not coalesce(is_since_boot, false) group by configuration, node, source"
    busiest = facts.one(f"select max(busy) from (select avg(busy_pct) as busy {of_hosts})")
    return first(
        differs(
            said["n"] or "1", facts.one(f"select count(distinct coalesce(node, '')) from (select node {of_hosts})")
        ),
        differs(said["busy"], busiest),
    )


def series(facts: Facts, said: re.Match[str]) -> str:
    known = facts.rows("select count(*), median(value), min(value), max(value) from measurement_series group by metric")
    shown = [said[name] for name in ("n", "middle", "low", "high")]
    return "" if any(not first(*map(differs, shown, row)) for row in known) else f"{known}"


def hadr(facts: Facts, said: re.Match[str]) -> str:
    known = facts.rows("select distinct database, node, role, state, syncmode, connect_status from hadr_status")
    return "" if any(all(not each or each.lower() in said[0].lower() for each in row) for row in known) else f"{known}"


# --- trust and next --------------------------------------------------------------------------------------------------


def recovered(facts: Facts, said: re.Match[str]) -> str:
    known = {tuple(map(int, row)) for row in facts.rows("select recovered, runs from recovery")}
    named = {(int(k), int(n)) for k, n in re.findall(r"(\d+) of (\d+)", said[0])}
    return "" if named == known else f"{known}"


def fault(facts: Facts, said: re.Match[str]) -> str:
    width, sources = facts.rows(
        "select max(epoch_us(fault_at_high) - epoch_us(fault_at_low)) / 1e6, list(distinct fault_source) "
        f"from ({FAILOVERS}) where used"
    )[0]
    is_named = all(str(source) in said["sources"] for source in sources) or "more" in said["sources"]
    return first(differs(said["w"], float(str(width or 0)) / 2) if said["w"] else "", "" if is_named else f"{sources}")


def claims(facts: Facts, said: re.Match[str]) -> str:
    return differs(said["n"] or "1", facts.one("select count(*) from study.claim where published is null"))


def doubts(facts: Facts, said: re.Match[str]) -> str:
    counts = facts.rows(
        "select severity, "
        "count(distinct (kind, replace(text, own, ''), case when is_own is not true then (file_id, line_no) end)) "
        "from (select *, '`' || coalesce(configuration, '') || '`' as own, len(string_split(text, own)) = 2 as is_own "
        "from finding) group by all"
    )
    known = {str(severity): int(str(n)) for severity, n in counts}
    named = {noun: int(n) for n, noun in re.findall(r"(\d+) (warning|note)s?\b", said["counts"])}
    return "" if named == known else f"{known}"


def to_add(facts: Facts, _said: re.Match[str]) -> str:
    return "" if facts.one("select count(*) from comparison where not is_decided") else "every comparison is decided"


def none_open(facts: Facts, _said: re.Match[str]) -> str:
    return (
        "" if facts.one("select count(*) from comparison where configuration <> reference") else "nothing is compared"
    )


def most_of_time(facts: Facts, said: re.Match[str]) -> str:
    known = [share for (share,) in facts.rows("select 100 * mean_s / total_s from governed_step")]
    shown = re.findall(rf"({NUMBER}) %", said[0])
    bad = [each for each in shown if not any(not differs(each, share) for share in known)]
    return f"no step takes {bad}" if bad or not shown else ""


def is_so(_facts: Facts, _said: re.Match[str]) -> str:
    return ""


Check = Callable[[Facts, re.Match[str]], str]


def _known(*pairs: tuple[str, Check]) -> list[tuple[re.Pattern[str], Check]]:
    return [(re.compile(pattern), check) for pattern, check in pairs]


COUNT = r"\d[\d ]*"
LONG = r"(?: \([^)]* min\))?"
CHECKS = {
    "Tested": _known(
        (
            (
                rf"(?P<n>{COUNT}) failovers?(?: in (?P<places>\d+) configurations)?(?: \((?P<kinds>\d[^)]*)\))?"
                r"(?:, (?P<used>all used|not used|(?P<k>\d+|none) of them used))?(?:\.|; )"
            ),
            failovers,
        ),
        (rf"(?P<p>{COUNT}) planned changes?(?: \(clients waited (?P<waits>[^)]*) s\))?(?:\.|; )", planned),
        (
            (
                rf"[Mm]easurements of (?P<n>{COUNT})(?: of {COUNT})?(?P<more> more)? runs? "
                r"in (?P<places>\d+) configurations?\."
            ),
            measured,
        ),
        (
            (
                r"Logs of (?P<names>(?:(?P<n>\d+) hosts? \([^)]*\)|.*?))(?:, (?P<low>\d{4}-\d\d-\d\d)"
                r"(?: to (?P<high>\d{4}-\d\d-\d\d))?)?\.(?= |$)"
            ),
            hosts,
        ),
        (r"Software: (?P<names>.*?)\.(?= [\dL]|$)", software),
        (
            (
                rf"(?P<files>{COUNT}) files? with (?P<lines>{COUNT}) lines?, "
                rf"(?P<rejected>none|{COUNT}) rejected(?: \(only[^)]*\))?\."
            ),
            read,
        ),
    ),
    "Result": _known(
        (rf"Not recovered: (?P<others>.*), of (?P<n>{COUNT}) failovers?\.", not_back),
        (
            (
                rf"(?P<of>.*) against (?P<ref>.*): [^:]*? (?P<a>{NUMBER}) s{LONG} after [^;]*? "
                rf"instead of (?P<b>{NUMBER}) s{LONG}, "
                r"(?P<effect>.*); means of .*?\.(?: Nobody named a reference; .*\.)?$"
            ),
            compared,
        ),
        (
            (
                rf"Time to recovery: means from (?P<low>{NUMBER}) s{LONG} \(.*?\) to (?P<high>{NUMBER}) s{LONG} "
                r"\(.*?\), from [^;]*"
                r"(?P<ways>; .*?)?\.(?: Nobody named a reference; .*\.)?$"
            ),
            span_of_times,
        ),
        (
            (
                rf"(?P<of>.*): [^:]*? (?P<a>{NUMBER}) s{LONG} after "
                rf"[^(]*?(?: \(95 % CI (?P<low>{NUMBER}) to (?P<high>{NUMBER}) s\))?, "
                rf"(?:in one run|the mean of (?:the )?(?P<n>{COUNT}) [^;]*)(?P<kinds>(?:; .*)?)\.$"
            ),
            plain_time,
        ),
        (
            (
                rf"(?P<of>.*): two modes: {COUNT} runs? at (?P<a>{NUMBER}) s{LONG}, "
                rf"{COUNT} at (?P<b>{NUMBER}) s{LONG} .*\.$"
            ),
            modes,
        ),
        (rf".* ships (?P<a>{NUMBER}) MB/s.*\.$", shipped),
        (rf".* fell by (?P<pct>{NUMBER}) % after .*\.$", dip),
        (rf".*: means from (?P<low>{NUMBER}).*? \(.*?\) to (?P<high>{NUMBER}).*\.$", mean_of),
        (rf".*: \S+, [^:]*: (?P<a>{NUMBER}) instead of (?P<b>{NUMBER})(?: %| ms)?, .*\.$", of_a_disk),
        (rf".*: (?:.*? )?(?<!\d )(?P<a>{NUMBER}) instead of (?P<b>{NUMBER}) .*\.$", mean_of),
        (rf".*: (?P<a>{NUMBER}) .*, over {COUNT} runs?\.$", mean_of),
        (
            r"Planned: (?P<p>\d+) planned changes?(?: \(clients waited (?P<waits>[^)]*) s\))?; no failover was found\.",
            planned,
        ),
        (r"In these logs: no failover was found, and no result of a benchmark\.", nothing),
        (r"In these logs: (?P<n>\d+) failovers?, set aside: .*\.", set_aside),
        (rf"Errors: {COUNT} lines? with (?P<n>{COUNT}) (?:different )?error messages?; .*$", errors),
        (r"Changes of state: .*\.$", changes),
        (
            (
                rf"Disks: (?:monitors of (?P<n>{COUNT}) disks; )?[^:]*: "
                rf"(?:(?P<busy>{COUNT}) % busy|(?P<rate>{NUMBER}) requests/s)?.*\.$"
            ),
            disks,
        ),
        (
            rf"Processors: (?:(?P<n>{COUNT}) hosts; )?[^:]*: (?P<busy>{COUNT}) % busy.*\.$",
            processors,
        ),
        (
            (
                rf"Over time: .* in (?P<n>{COUNT}) intervals? of {COUNT} runs?: "
                rf"median (?P<middle>{NUMBER}), from (?P<low>{NUMBER}) to (?P<high>{NUMBER})\.$"
            ),
            series,
        ),
        (r"HADR: .*\.$", hadr),
        (r"Messages: .*\.$", messages),
    ),
    "Trust": _known(
        (r"(?:Calibrated|Simulated) data, not measurements.*$", is_so),
        (r"In text and tables, every p value.*$", is_so),
        (r"No font of this machine has \d+ characters? .*? brings? \w+\.", is_so),
        (r"Recovered by themselves: .*?\.(?= [A-Z\d]|$)", recovered),
        (
            (
                r"Time of the fault: known (?:to ± (?P<w>\d+\.\d) s or better|to the stamps) "
                r"\(evidence: (?P<sources>[^)]*\)?[^)]*)\)(?:; no line bounds the fault itself from below)?\."
            ),
            fault,
        ),
        (r"(?:\d+ of (?P<n>\d+) claims|The claim) of the study .*?\.(?= [\dN]|$)", claims),
        (
            (
                r"(?P<counts>(?:\d+ warnings?)?(?: and )?(?:\d+ notes?)?)(?:; the (?:gravest|warning): .*)?\."
                r"(?: All doubts)?$"
            ),
            doubts,
        ),
        (
            r"No warning and no note\.$",
            lambda facts, _said: "" if not facts.one("select count(*) from finding") else "there are",
        ),
    ),
    "Next": _known(
        (r"Runs to add, .*: .*\.$", to_add),
        (r"\d+ more comparisons are open\.$", to_add),
        (r"No comparison is open: .*\.$", none_open),
        (r"(?P<of>.*): `haledger why .*` lists the lines that only its slower runs have\.$", modes),
        (r"`.*`: (?:no line |a node left |\d+ lines? says? ).*\.$", lacking),
        (r".* pass(?:es)? .*; lower values of .*\.$", most_of_time),
        (r".*would give a 95 % interval\.$", is_so),
        (r"To know the fault better: .*\.$", is_so),
        (r"Nothing is compared: .*\.$", is_so),
        (r"Runs of the simulator to repeat .*\.$", is_so),
        (r"(?:Longer logs|Keep the output|No |If you|[\d,]+ |Nothing |Lines ).*$", is_so),
    ),
}
