"""One module a command; each is loaded when it is run."""
