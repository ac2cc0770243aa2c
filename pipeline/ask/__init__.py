"""Questions to a study or a store: one folder for each command that answers one."""
