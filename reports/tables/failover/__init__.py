"""Tables of failovers and take-overs."""
