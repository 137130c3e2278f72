"""Quick probes: build a model from its config, train it a few steps in each mode, compare."""
