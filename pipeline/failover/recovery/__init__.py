"""The steps of a recovery: the lines that can show them, and the best one of each."""
