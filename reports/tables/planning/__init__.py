"""Tables for who plans HADR."""
