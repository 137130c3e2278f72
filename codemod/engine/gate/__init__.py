"""The gate of a hook, and the switch that opens it."""
