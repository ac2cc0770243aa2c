"""Time: year and zone of every file, clocks that were set, doubts about both."""
