"""The part of `check --exec` that runs inside the kit's environment."""
