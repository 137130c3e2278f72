"""Measurements: speed beside the tool's anchors, and replay on real revisions."""
