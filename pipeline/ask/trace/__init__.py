"""`haledger trace`: a number back to its runs and lines."""
