"""`haledger verify`: a store against its counts, its files and a fresh ingest."""
