"""Where a hook stands, and the lines that it is."""
