"""From a folder to a store, and what is kept of a file from one ingest to the next."""
