"""Tables of what was tested, and of what was read."""
