"""Damaged files of every format: none may make recognition or parsing raise; see docs/benchmarks.md."""
