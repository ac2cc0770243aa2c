"""A cluster that is this process: jobs and results are pickled, as if they went to a worker."""

import pickle
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")


def _sent(content: Result) -> Result:
    found: Result = pickle.loads(pickle.dumps(content))  # noqa: S301  of this process
    return found


class ClusterHere:
    """Runs each job at once; `counts` has how many there were of each function."""

    label = ""
    program = "here"
    most_beside = 1

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def run_parallel(
        self, function: Callable[[Job], Result], jobs: Iterable[Job], size: Callable[[Job], int]
    ) -> Iterator[Result]:
        """The function's result for each job."""
        for job in jobs:
            assert size(job) >= 0
            self.counts[function.__name__] += 1
            yield _sent(function(_sent(job)))

    def on_each(self, function: Callable[[Job], Result], job: Job) -> Mapping[str, Result]:
        """What each worker answers: this process."""
        return {"here": function(job)}
