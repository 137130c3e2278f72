"""The supervisor of a box, a process of its own: it contains, watches and ends what it started."""
