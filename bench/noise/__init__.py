"""How often the tests of noise give an alarm: `python -m bench.noise`; see docs/decisions/0020."""
