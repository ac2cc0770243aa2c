"""Veritas Cluster Server: its logs and its configuration."""
