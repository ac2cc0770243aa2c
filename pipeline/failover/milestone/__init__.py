"""Milestones and phases of a run in seconds after its fault."""
