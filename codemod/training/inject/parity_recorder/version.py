"""The recorder's version: raised on purpose, when what it measures changes."""

# A test holds the records of frozen nets to it: raise it when they change, and only then.
VERSION = 3
