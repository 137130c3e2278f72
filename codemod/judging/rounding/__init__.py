"""Whether rounding alone accounts for a difference, by the control runs."""
