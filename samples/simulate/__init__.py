"""Simulated studies of throughput, written as log files, and the truth behind them.

Numbers come from `random.Random(seed)` by sums, products and square roots, so that any machine writes the same bytes.
"""
