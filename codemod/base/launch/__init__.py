"""Starting processes: the one place where it is done, and the box that a kit's code runs in."""
