"""Logs of cluster managers and of PostgreSQL."""
