"""Figures of measurements over runs."""
