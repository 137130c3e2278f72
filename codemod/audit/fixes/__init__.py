"""Fixes: rewrites of model code that take a hazard away and leave dynamic training as it is."""
