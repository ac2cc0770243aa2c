"""Syslog and what carries messages like it: heads of lines, records, repeats."""
