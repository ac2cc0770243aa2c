"""One file explained in full, as lines for people."""

from collections import defaultdict
from collections.abc import Iterator

from pipeline.ask.explain.decisions import COUNTED, Doubt, Explained, Explanation
from pipeline.reading.date_order import ORDER_NAMES
from reports.answers.lines import Line, Span, counted, indented, item, listed, quoted

YEAR_WORDS = {
    "explicit": "declared in study.toml",
    "in_line": "on its lines",
    "sibling": "taken from other logs of the study that print it",
    "filename": "taken from the date in its path",
    "archive": "taken from the time that its archive or gzip head states",
    "weekday": "the one in which its days fall on the weekdays that it prints",
    "mtime": "taken from the time stamp of the file",
    "now": "a guess: nothing shows it",
}
ZONE_WORDS = {
    "line": "on its lines",
    "node": "taken from another log of the node",
    "manifest": "declared in study.toml",
    "study": "the only one known in the study",
    "assumed": "nobody gives one: its clock is treated as UTC, so that only durations hold",
}
ORDER_WORDS = {
    "stated": "declared in study.toml",
    "day": "the only order in which all of them exist",
    "file": "other times of the file lie on these days",
    "logs": "other logs of the run have lines on these days",
    "succession": "the order in which they run forward in the smallest steps",
    "reports": "that of other reports of the node or the run",
    "half_day": "as is usual beside a clock with AM and PM",
    "assumed": "a guess: nothing shows which number is the day",
}
ENCODINGS = {
    "utf-8": "UTF-8",
    "utf-8-sig": "UTF-8 with a byte order mark",
    "cp1252": "Windows-1252 (cp1252)",
    "latin-1": "ISO 8859-1 (latin-1)",
    "utf-16-le": "UTF-16, little end first",
    "utf-16-be": "UTF-16, big end first",
}


def file_lines(each: Explanation, explained: Explained, width: int, *, is_verbose: bool = True) -> Iterator[Line]:
    """What is known of a file; why each other format refused it only if `is_verbose`."""
    yield (Span(each.path, "title"),)
    yield from _what(each, width)
    yield from _hints(each, width)
    yield from _place(each, explained, width)
    yield from _times(each, width)
    yield from _reading(each, width)
    yield from _rejected_lines(each, width)
    if is_verbose:
        yield from _others(each, width)


def _what(each: Explanation, width: int) -> Iterator[Line]:
    if each.format is None:
        yield from item(
            "what", f"{each.status}: {each.reason}", width, "bad" if each.status != "skipped" else "doubtful"
        )
        return
    yield from item("what", f"{each.format} ({each.format_title})", width, "good")
    where = f" (line {each.recognised_at})" if each.recognised_text is not None else ""
    yield from item("because", f"{each.reason}{where}", width)
    if each.recognised_text is not None:
        yield quoted(each.recognised_at, each.recognised_text, width)


def _hints(each: Explanation, width: int) -> Iterator[Line]:
    hints = each.hints
    for look in hints.looks_like:
        yield from item("looks like", look.what, width, "doubtful")
        yield quoted(look.line_no, look.text, width)
    if hints.nearest is not None:
        near = hints.nearest
        read = f"{near.read_count} of its first {near.line_count} lines, from line {near.line_no} on"
        refusal = each.refusals.get(near.format)
        but = f"; it refused the file all the same: {refusal.reason}" if refusal else ""
        yield from item("nearest", f"{near.format} can read {read}{but}", width)
    for name in hints.name_fits:
        refusal = each.refusals.get(name)
        but = f", but: {refusal.reason} (line {refusal.line_no})" if refusal else ""
        yield from item("its name", f"is one of {name}{but}", width)
    if hints.encoding is not None:
        text = f"text in {ENCODINGS[hints.encoding]}, not in ASCII for the most part"
        yield from item("perhaps", text, width, "doubtful")
    if hints.trial is not None:
        tried = hints.trial
        rows = listed([f"{count:,} {name}" for name, count in tried.rows.items()])
        read = f"{tried.read_count:,} of its first {counted(tried.line_count, 'line')}"
        yield from item("try", f"in study.toml; tried, it reads {read} ({rows}):", width)
        yield from (indented(text, "quiet") for text in tried.setting)


def _place(each: Explanation, explained: Explained, width: int) -> Iterator[Line]:
    if each.configuration is None:
        return
    names = ["configuration", "run", "node"]
    if explained.is_alone:
        text = "explained without the folders around it; give the study's folder to see configuration and run"
        yield from item("place", text, width, "quiet")
        names = ["node"]
    values = {name: getattr(each, name) or "none" for name in names}
    longest = max(map(len, values.values()))
    for name, value in values.items():
        source = each.sources.get(name, "")
        yield from item(name, f"{value:{longest}}   {source}".rstrip(), width, hanging=longest + 3)
    if each.written_by:
        writers = [f"{host} ({counted(count, 'row')})" for host, count in each.written_by.items()]
        yield from item("written by", listed(writers), width)
    others = [host for host in each.named_hosts if host not in each.written_by]
    if others:
        yield from item("names", listed(others), width)
    declared = ", ".join(f"{key} = {value}" for key, value in each.overrides.items())
    if declared:
        yield from item("study.toml", declared, width)


def _times(each: Explanation, width: int) -> Iterator[Line]:
    if each.first_local_at is not None and each.last_local_at is not None:
        years = dict.fromkeys((each.first_local_at[:4], each.last_local_at[:4]))
        pairs = {
            "year": (" to ".join(years), YEAR_WORDS.get(str(each.year_source), str(each.year_source))),
            "zone": (each.timezone or "none", ZONE_WORDS.get(str(each.timezone_source), str(each.timezone_source))),
        }
        if each.date_order is not None:
            source = ORDER_WORDS.get(str(each.date_order_source), str(each.date_order_source))
            pairs["dates"] = (ORDER_NAMES[each.date_order], source)
        longest = max(len(value) for value, _ in pairs.values())
        for name, (value, source) in pairs.items():
            yield from item(name, f"{value:{longest}}   {source}", width, hanging=longest + 3)
        yield from item("first", _moment(each.first_local_at, each.first_at), width)
        yield from item("last", _moment(each.last_local_at, each.last_at), width)
    for doubt in each.doubts:
        yield from item("in doubt", _doubt(doubt), width, "doubtful")


def _moment(local: str, utc: str | None) -> str:
    return local if utc is None or utc == local else f"{local}  ({utc} UTC)"


def _doubt(doubt: Doubt) -> str:
    count = "" if doubt.lines is None else f"{counted(doubt.lines, 'line')} "
    where = "" if doubt.line_no is None else f" (from line {doubt.line_no:,} on)"
    return f"{count}{doubt.text}{where}"


def _reading(each: Explanation, width: int) -> Iterator[Line]:
    size = "" if each.bytes is None else counted(each.bytes, "byte")
    if each.encoding is None:
        if size:
            yield from item("size", size, width)
    else:
        yield from item("text", f"{ENCODINGS.get(each.encoding, each.encoding)}, {size}", width)
    for remark in each.remarks:
        yield from item("note", remark, width, "doubtful")
    if each.format is None:
        return
    parts = " + ".join(f"{each.counts[name]:,} {name}" for name in COUNTED if each.counts[name] or name == "parsed")
    yield from item("lines", f"{each.counts['lines']:,} = {parts}", width)
    per_table = ", ".join(f"{count:,} {name}" for name, count in each.table_rows.items())
    yield from item("rows", f"{each.counts['rows']:,}{f': {per_table}' if per_table else ''}", width)


def _rejected_lines(each: Explanation, width: int) -> Iterator[Line]:
    count = each.counts["rejected"]
    if not count:
        return
    head = counted(count, "line") + (f", the first {len(each.rejected)} are:" if count > len(each.rejected) else ":")
    yield from item("rejected", head, width, "doubtful")
    for line in each.rejected:
        yield indented(f"line {line.line_no:,}: {line.reason}")
        yield quoted(None, line.text, width)


def _others(each: Explanation, width: int) -> Iterator[Line]:
    """Where every other format refused the file, by line."""
    by_line: dict[tuple[int, str | None], list[str]] = defaultdict(list)
    for name, refusal in each.refusals.items():
        by_line[refusal.line_no, refusal.text].append(f"{name}: {refusal.reason}")
    label = "other formats" if each.format else "formats tried"
    for (line_no, text), reasons in sorted(by_line.items(), key=lambda item: item[0][0]):
        yield from item(label, f"refused at line {line_no:,}", width, "quiet")
        label = ""
        if text is not None:
            yield quoted(line_no, text, width)
        for reason in sorted(reasons):
            yield from item("", reason, width, "quiet", hanging=2)
    if each.not_tried:
        yield from item(
            label, f"not asked, as its name and a signature fit: {', '.join(each.not_tried)}", width, "quiet"
        )
