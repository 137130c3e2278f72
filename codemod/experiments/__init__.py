"""The kit's own code is run, and what it does is compared: parity, probe, spec, switch."""
