"""One log format a file: numbered lines in, typed rows out. Knows no database, no clock, no file system."""
