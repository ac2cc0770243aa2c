"""`haledger explain`: what an ingest decides for each file, and why."""
