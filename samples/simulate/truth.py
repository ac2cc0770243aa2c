"""What really happened, beside the logs and never among them: for testing what is read from the logs."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from samples.simulate.physics import Run, wall
from samples.simulate.scenarios import SECOND, Scenario


@dataclass(frozen=True, slots=True)
class Truth:
    """One milestone of one run. Times are the survivor's clock, which is right; the lost node's is not."""

    configuration: str
    run: str
    milestone: str
    elapsed_us: int
    fault_at_utc: int
    printed: str

    @property
    def row(self) -> str:
        """As a line of the truth file."""
        seconds = f"{self.elapsed_us // SECOND}.{self.elapsed_us % SECOND:06d}"
        fault = f"{wall(self.fault_at_utc):%Y-%m-%dT%H:%M:%S.%f}Z"
        return f"{self.configuration},{self.run},{self.milestone},{seconds},{fault},{self.printed}"


HEAD = "configuration,run,milestone,elapsed_s,fault_at_utc,printed_stamp"


def truth_of(
    scenario: Scenario, run: Run, utc_offset_min: int, printed: Callable[[str, int], str], name: str | None = None
) -> list[Truth]:
    """The truth about a run's milestones, in the order of the configuration's columns."""
    fault_at_utc = run.fault_at - utc_offset_min * 60 * SECOND
    return [
        Truth(
            configuration=scenario.name,
            run=name or f"run{run.number:02d}",
            milestone=milestone,
            elapsed_us=run.elapsed[milestone],
            fault_at_utc=fault_at_utc,
            printed=printed(milestone, run.at(milestone)),
        )
        for milestone in scenario.targets_s
    ]


def truth_file(rows: Iterable[Truth]) -> str:
    """The truth as comma-separated text."""
    return "".join(f"{line}\n" for line in (HEAD, *(each.row for each in rows)))
