"""From a folder of logs to the DuckDB store: ingest, run model, views."""
