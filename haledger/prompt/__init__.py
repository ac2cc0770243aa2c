"""The interactive prompt of `haledger sql`: its loop, what it suggests, and its dot commands."""
