"""Tables of replication: resynchronisations, HADR."""
