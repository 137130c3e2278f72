"""What of the checkout a run looked at, and which of its lines it executed."""
