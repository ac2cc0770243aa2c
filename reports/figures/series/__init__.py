"""Figures of values over time."""
