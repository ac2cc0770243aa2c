"""What study.toml asks of a figure of one of the built-in kinds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reports.study_view import Configuration, StudyView
from reports.tables.model import Naming


@dataclass(frozen=True, slots=True)
class Request:
    """A figure of some configurations. `owner` names it in messages; `sql` is its own statement, or empty."""

    study: StudyView
    members: Sequence[Configuration]
    naming: Naming
    options: Mapping[str, object]
    owner: str
    sql: str = ""

    def text(self, option: str) -> str | None:
        """An option as text."""
        value = self.options.get(option)
        return None if value is None else str(value)

    def texts(self, option: str) -> list[str]:
        """An option that lists texts; empty where it is not stated."""
        value = self.options.get(option)
        return [str(each) for each in value] if isinstance(value, list) else []

    def number(self, option: str) -> float | None:
        """An option that is a number."""
        value = self.options.get(option)
        return float(value) if isinstance(value, int | float) else None
