"""A job or a call that gave no result, as a value."""

from typing import Generic, TypeVar

from parsers.dataclass import dataclass

Job = TypeVar("Job")


@dataclass(frozen=True, slots=True)
class Failure(Generic[Job]):
    """A job that gave no result, and why in words."""

    job: Job
    reason: str
