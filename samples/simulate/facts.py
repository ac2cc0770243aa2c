"""What was true in a simulated test, beside its logs and never among them: numbers, and how finely logs tell them."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fact:
    """A number of a run, or with `run` empty of a configuration. A reader of the logs gets it to within `tolerance`."""

    configuration: str
    run: str
    quantity: str
    unit: str
    value: float
    tolerance: float

    @property
    def row(self) -> str:
        """As a line of the truth file."""
        where = f"{self.configuration},{self.run},{self.quantity},{self.unit}"
        return f"{where},{round(self.value, 6)!r},{self.tolerance!r}"


HEAD = "configuration,run,quantity,unit,value,tolerance"


def facts_file(facts: Iterable[Fact]) -> str:
    """The truth as comma-separated text."""
    return "".join(f"{line}\n" for line in (HEAD, *(each.row for each in facts)))
