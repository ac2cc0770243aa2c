"""Simulated failover tests: two studies written as log files, and the truth behind them.

Everything is integer arithmetic in microseconds over `random.Random(seed)`, so that any machine writes the same bytes.
"""
