"""How time and memory of parsers grow with what they read: `python -m bench.growth`; see docs/benchmarks.md."""
