"""What came of a run: how far its recovery came, and the verdict."""
