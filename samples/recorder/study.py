"""What a study of the recorder states: its machines, its configurations, and how its leader is lost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from samples.recorder.bed import Machine, Moments

POWER, KILL, CUT, ORDER = "power off", "kill", "network cut", "planned switchover"
PLAN = (POWER, POWER, KILL, POWER, ORDER, POWER, CUT, POWER, KILL, POWER, POWER, POWER)
"""What is done in run 1, 2, ... of each configuration: ten crashes and more, five of the study of other kinds."""

Knobs = Mapping[str, str]


class Stack(Protocol):
    """How one stack is started, asked and hurt. Machines are given by name."""

    def start(self, machines: Mapping[str, Machine], knobs: Knobs) -> None:
        """Start all programs on machines that have booted."""

    def is_ready(self, machines: Mapping[str, Machine]) -> bool:
        """Whether the service runs on its first leader with all others in attendance."""

    def leader(self, machines: Mapping[str, Machine]) -> str:
        """Name of the machine that leads."""

    def kill(self, machine: Machine) -> Moments:
        """Kill the programs by which the machine leads, and leave the machine running."""

    def switch_over(self, machines: Mapping[str, Machine]) -> Moments:
        """Hand the lead over in order."""

    def probe(self, machines: Mapping[str, Machine]) -> Sequence[str]:
        """Arguments of the client's probe."""


@dataclass(frozen=True)
class Study:
    """One study: its stack, and what differs between its configurations."""

    name: str
    stack: Stack
    nodes: Sequence[str]
    configurations: Mapping[str, Knobs]
    tools: Sequence[str]
    private: Sequence[str]
    logs: Sequence[str]
    client_logs: Sequence[str] = ()
    others: Sequence[str] = ()
    plan: Sequence[str] = PLAN
    calm_s: float = 8
    tail_s: float = 6
    outage_limit_s: float = 180
