"""From views to tables, figures, pages. Reads the store, never a log."""
