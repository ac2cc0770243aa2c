"""Which losses are incidents, and why others are not."""
