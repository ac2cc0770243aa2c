"""One failover: its nodes and sources as lanes, its phases, every log line."""
