"""SQL that people or programs send to a store, read-only and within limits."""
