"""Failovers as they happened: lanes of nodes and sources, phases, log lines; as data, a trace and a chart."""
