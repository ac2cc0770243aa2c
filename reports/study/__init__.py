"""What a report knows of a study: its store and the values that several parts of the report read."""
