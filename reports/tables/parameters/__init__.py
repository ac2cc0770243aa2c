"""Tables of configuration parameters."""
