"""Configurations of clusters, databases and machines: named values."""
