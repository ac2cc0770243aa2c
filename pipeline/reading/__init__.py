"""From bytes to rows: lines, formats, parsed chunks, duplicates."""
