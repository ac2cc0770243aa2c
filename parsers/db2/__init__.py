"""DB2: its diagnostic log, its monitors, its configuration."""
