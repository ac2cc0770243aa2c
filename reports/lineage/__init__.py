"""From a printed number to the runs behind it."""
