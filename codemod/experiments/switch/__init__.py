"""Whether a config's switch reaches its hook, found by running the kit's own option code."""
