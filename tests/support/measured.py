"""Lines as a parser of measurements takes them, and what it made of them in short."""

from parsers.format import Parsed, Verdict


def values(parsed: Parsed, *columns: str) -> list[tuple[object, ...]]:
    """Rows of measurement_value: metric and value, or the columns asked for."""
    return _rows(parsed, "measurement_value", columns)


def points(parsed: Parsed, *columns: str) -> list[tuple[object, ...]]:
    """Rows of measurement_point: metric and value, or the columns asked for."""
    return _rows(parsed, "measurement_point", columns)


def verdicts(parsed: Parsed) -> str:
    """A letter a line: P parsed, c continuation, i ignored, blank, R rejected."""
    letters = {
        Verdict.PARSED: "P",
        Verdict.CONTINUATION: "c",
        Verdict.IGNORED: "i",
        Verdict.BLANK: " ",
        Verdict.REJECTED: "R",
    }
    return "".join(letters[Verdict(each)] for each in parsed.lines["verdict"])


def _rows(parsed: Parsed, table: str, columns: tuple[str, ...]) -> list[tuple[object, ...]]:
    frame = parsed.tables.get(table)
    return [] if frame is None else frame.select(columns or ("metric", "value")).rows()
