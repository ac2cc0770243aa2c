"""What a worker of a cluster imports: it finds the application as the command does, and answers for it."""

from haledger import find_application

find_application()


def program() -> str:
    """Names the program by all that decides what rows files and relations have."""
    import duckdb
    import polars as pl

    from pipeline.store.fingerprint import program_key
    from pipeline.version import RELEASE

    return f"haledger {RELEASE} ({program_key()[:12]}, Polars {pl.__version__}, DuckDB {duckdb.__version__})"


def hello(study: str) -> bytes:
    """What this worker says of itself, and whether it sees a study."""
    from pipeline.cluster import seen
    from pipeline.discovery.address import look_at

    return seen(program(), lambda: look_at(study))


def work(expected: str, content: bytes, in_subprocess: bool) -> bytes:  # noqa: FBT001  as Dask passes it
    """Run a job that was sent to the program of this name."""
    from pipeline.cluster import answer

    return answer(program(), expected, content, in_subprocess=in_subprocess)
