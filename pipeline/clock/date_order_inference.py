"""What other files say about the order of dates that a file leaves open (12/11/09 in reports of iostat).

Each other log of the run whose days are known supports the order in which most of the reports lie on its days, a day
more or less; where none does, for that in which they lie between its first and its last line. The logs of the node are
heard first, then all of the run; logs that contradict each other resolve nothing. Where no log speaks, reports of the
node, in this run or another, or of the run, whose order is known were printed in the same locale.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from pipeline.reading.date_order import DateOrder, best, near
from pipeline.reading.stamps import StampFacts, Stamps

UNHEARD = {"half_day", "assumed"}
"""Sources that reports of the node or the run overrule."""

A_DAY = timedelta(days=1)
Group = tuple[str | None, ...]


def in_resolved_order(files: Sequence[StampFacts]) -> list[StampFacts]:
    """The files, with `stamps` as they are in the order that all evidence supports, and that `date_order`."""
    orders = {each.path: each.dates.order for each in files if each.dates}
    open_files = {each.path: each for each in files if each.path in orders and orders[each.path].rivals}
    if open_files:
        logs = _grouped((each for each in files if each.path not in open_files), _logs_of)
        for each in open_files.values():
            orders[each.path] = _by_logs(each, orders[each.path], logs)
        known = {path for path, order in orders.items() if order.source not in UNHEARD}
        reports = _grouped((each for each in files if each.path in known), _reports_of)
        for each in open_files.values():
            if each.path not in known:
                orders[each.path] = _by_reports(each, orders, reports)
    return [_read_in(each, orders[each.path]) if each.path in orders else each for each in files]


def _read_in(file: StampFacts, order: DateOrder) -> StampFacts:
    others = _others(file)
    return replace(file, stamps=others.get(order.name, file.stamps), date_order=order)


def _others(file: StampFacts) -> dict[str, Stamps]:
    """The stamps of the file in each order but the one it was read in."""
    return {name: Stamps.from_json(text) for name, text in file.dates.stamps.items()} if file.dates else {}


def _logs_of(file: StampFacts) -> list[Group]:
    """Of whose logs it is, from the nearest relatives to the farthest."""
    run = (file.configuration, file.run)
    return [(*run, file.node.lower()), run] if file.node else [run]


def _reports_of(file: StampFacts) -> list[Group]:
    """Of whose reports it is, likewise."""
    own = _logs_of(file)
    return [own[0], (own[0][-1],), own[1]] if file.node else own


def _grouped(
    files: Iterable[StampFacts], groups_of: Callable[[StampFacts], list[Group]]
) -> Mapping[Group, list[StampFacts]]:
    found: dict[Group, list[StampFacts]] = defaultdict(list)
    for each in files:
        for group in groups_of(each):
            found[group].append(each)
    return found


# --- logs ------------------------------------------------------------------------------------------------------------


def _by_logs(file: StampFacts, own: DateOrder, logs: Mapping[Group, list[StampFacts]]) -> DateOrder:
    """The order that the logs of the node, else of the run, support with one voice."""
    days = {own.name: _days(file.stamps)} | {name: _days(stamps) for name, stamps in _others(file).items()}
    voices: list[tuple[str, str]] = []
    for group in _logs_of(file):
        witnesses = [_Witness.of(each) for each in logs.get(group, [])]
        for score in (_Witness.lines_on, _Witness.spans):
            said = [(best({name: score(each, on) for name, on in days.items()}), each.path) for each in witnesses]
            voices = [(name, path) for name, path in said if name is not None]
            if voices:
                break
        if len({name for name, _ in voices}) == 1:
            return DateOrder(voices[0][0], "logs", witnesses=tuple(path for _, path in voices))
    return replace(own, witnesses=tuple(path for _, path in voices))


def _days(stamps: Stamps | None) -> set[date]:
    return {day.first.date() for day in stamps.days} if stamps else set()


@dataclass(frozen=True, slots=True)
class _Witness:
    """A log whose days are known; those of lines without a year, `bare` and in `turns` of a year, only by the day."""

    path: str
    dated: frozenset[date]
    bare: frozenset[tuple[int, int]]
    turns: tuple[tuple[int, date], tuple[int, date]] | None

    @classmethod
    def of(cls, file: StampFacts) -> "_Witness":
        days = [(day.year_no or 0, day.first.date()) for day in file.bare_days()]
        return cls(
            path=file.path,
            dated=frozenset(day.first.date() for day in file.dated_days()),
            bare=frozenset((day.month, day.day) for _, day in days),
            turns=(min(days), max(days)) if days else None,
        )

    def lines_on(self, days: Iterable[date]) -> int:
        """On how many days it has lines, a day more or less."""
        return sum(
            bool(near([day], self.dated))
            or any(((day + step * A_DAY).month, (day + step * A_DAY).day) in self.bare for step in (-1, 0, 1))
            for day in days
        )

    def spans(self, days: Iterable[date]) -> int:
        """How many days are between its first line and its last."""
        return sum(self._spans(day) for day in days)

    def _spans(self, day: date) -> bool:
        if self.dated and min(self.dated) <= day <= max(self.dated):
            return True
        if self.turns is None:
            return False
        (begin, first), (end, last) = self.turns
        return any(
            (base + begin, first.month, first.day)
            <= (day.year, day.month, day.day)
            <= (base + end, last.month, last.day)
            for base in range(day.year - end, day.year - begin + 1)
        )


# --- reports ---------------------------------------------------------------------------------------------------------


def _by_reports(
    file: StampFacts, orders: Mapping[str, DateOrder], reports: Mapping[Group, list[StampFacts]]
) -> DateOrder:
    """The order of the nearest reports, where they have the same."""
    own = orders[file.path]
    for group in _reports_of(file):
        same = [each.path for each in reports.get(group, [])]
        names = {orders[path].name for path in same}
        if len(names) == 1 and names <= {own.name, *own.rivals}:
            return DateOrder(names.pop(), "reports", witnesses=tuple(same))
    return own
