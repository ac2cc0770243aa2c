"""Sentences: the answer card, recommendations, prose of the study."""
