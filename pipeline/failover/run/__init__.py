"""Runs, the doubts about them, and the clocks that were set meanwhile."""
