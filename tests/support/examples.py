"""How many examples of a property are tried, where one example costs much (an ingest, a compressed file)."""

from hypothesis import HealthCheck, settings

COSTLY = settings(
    max_examples=max(3, settings().max_examples // 4),  # of the profile: see tests/conftest.py
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)

BATCHED = settings(
    COSTLY,
    max_examples=max(3, settings().max_examples // 12),  # each of some five files, which a call parses together
)
