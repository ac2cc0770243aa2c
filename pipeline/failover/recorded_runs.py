"""What study.toml records of runs."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from pipeline.study.declared_places import FOUND, RECORDED


class RecordedRun(NamedTuple):
    """What study.toml says of a run."""

    configuration: str
    run: str | None
    true_fault_at: datetime | None
    exclude: str | None
    fault: str | None


class Recorded:
    """What study.toml says of runs, by their names and numbers: `3` and `run03` are one run."""

    def __init__(self, entries: Iterable[RecordedRun]) -> None:
        self._by_name: dict[str | int, list[RecordedRun]] = defaultdict(list)
        for each in entries:
            if each.run is None:  # study.toml names none: it means no run
                continue
            self._by_name[each.run].append(each)
            if number := RECORDED.fullmatch(each.run):
                self._by_name[int(number[1])].append(each)

    def entries(self, run: str) -> list[RecordedRun]:
        """The entries that mean a run."""
        number = FOUND.fullmatch(run)
        return [*self._by_name.get(run, []), *(self._by_name.get(int(number[1]), []) if number else [])]

    def reason(self, run: str) -> str | None:
        """Why a run is left out."""
        return max((each.exclude for each in self.entries(run) if each.exclude), default=None)

    def true_fault_at(self, run: str) -> datetime | None:
        """When its fault was."""
        known = (each.true_fault_at for each in self.entries(run) if each.true_fault_at is not None)
        return max(known, default=None)

    def fault(self, run: str) -> str | None:
        """What kind of fault it had."""
        return max((each.fault for each in self.entries(run) if each.fault), default=None)
