"""Logs of programs that haledger has no format for: stamps, severities and records of their lines."""
