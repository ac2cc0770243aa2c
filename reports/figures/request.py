"""What study.toml asks of a figure of one of the built-in kinds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reports.naming import Naming
from reports.study.view import Configuration, StudyView

Normalised = tuple[bool, str | None]
"""Whether means are put to that of a reference, and of which configuration; None: of each one's own."""

PLAIN: Normalised = (False, None)


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
        """An option that lists texts; empty where it is not given."""
        value = self.options.get(option)
        return [str(each) for each in value] if isinstance(value, list) else []

    def normalised(self) -> Normalised:
        """The option of this name: true, or the configuration whose mean is 1."""
        value = self.options.get("normalised")
        return value is True or isinstance(value, str), value if isinstance(value, str) else None

    def number(self, option: str) -> float | None:
        """An option that is a number."""
        value = self.options.get(option)
        return float(value) if isinstance(value, int | float) else None
