"""From the records of two runs to a verdict, with what explains it."""
