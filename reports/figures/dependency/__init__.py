"""Drawings of what needs what in a cluster."""
