"""Figures as scenes in units of the data, laid out at a width, and written as SVG or as a picture of dots."""
