"""Tables of what clients went through."""
