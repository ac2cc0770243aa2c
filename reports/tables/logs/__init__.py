"""Tables of what the logs themselves tell: errors, changes of state, and lines about losses that made no incident."""
