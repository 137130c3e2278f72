"""From a program that fails in a static mode to a short one that fails for the same reason."""
