"""`haledger compare`: two configurations, of one store or of two."""
