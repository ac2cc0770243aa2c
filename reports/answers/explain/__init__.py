"""What `haledger explain` says, as lines for people: a study at a glance, a file in full."""
