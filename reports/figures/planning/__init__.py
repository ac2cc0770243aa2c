"""Figures that help to plan HADR."""
