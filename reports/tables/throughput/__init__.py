"""Tables of throughput and response times."""
