"""Figures of failovers, as the cluster and as its clients saw them."""
