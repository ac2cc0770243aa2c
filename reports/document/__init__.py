"""The report: what is in it and in which order, as HTML and PDF."""
