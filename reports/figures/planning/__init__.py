"""Figures for who plans HADR."""
