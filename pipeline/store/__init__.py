"""The DuckDB file and its public relations."""
