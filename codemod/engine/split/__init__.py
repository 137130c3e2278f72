"""What of a model's forward may become a program where the whole may not."""
