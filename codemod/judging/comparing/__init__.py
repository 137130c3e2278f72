"""Two records side by side: where they differ, and what class of difference it is."""
