"""A job or a call that gave no result, as a value."""

from dataclasses import dataclass
from typing import Generic, TypeVar

Job = TypeVar("Job")


@dataclass(frozen=True, slots=True)
class Failure(Generic[Job]):
    """A job that gave no result, and why in words."""

    job: Job
    reason: str
