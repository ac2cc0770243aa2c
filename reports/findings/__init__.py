"""Sentences: highlights, recommendations, prose of the study."""
