"""Benchmarks, workloads and probes of clients: what their programs print, as measurements."""
