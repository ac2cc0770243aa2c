"""Figures: scenes built from views, and the pictures drawn from them."""
