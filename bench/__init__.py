"""How fast haledger is, measured beside the tools that one would use without it; see docs/benchmarks.md."""
