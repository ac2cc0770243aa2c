"""Variations of studies that change no number: the same failover must come out of them, or be doubted aloud."""
