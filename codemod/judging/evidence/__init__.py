"""What was measured: results of parity runs and probes, written and read in one place."""
