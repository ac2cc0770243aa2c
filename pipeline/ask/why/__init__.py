"""Why runs were slow or failed: what their logs say and those of the other runs do not."""
