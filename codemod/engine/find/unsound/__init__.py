"""Where a hook would be wrong anywhere: a trainer with such a statement is left alone."""
