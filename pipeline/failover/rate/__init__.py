"""What an event does to a rate of work."""
