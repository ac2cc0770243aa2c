"""Where each file belongs: its configuration, run and node."""
