"""The small study that tests of ingests change, and ingests without relations."""

from tests.support.ingest_study import study, without_views

__all__ = ["study", "without_views"]
