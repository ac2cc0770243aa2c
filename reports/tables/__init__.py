"""Tables: what they hold, and how they are written out."""
