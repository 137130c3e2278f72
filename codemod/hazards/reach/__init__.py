"""The functions that a model's forward can reach, and what the values in them are."""
