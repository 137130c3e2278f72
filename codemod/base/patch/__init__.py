"""A change set as a patch, applied to a tree, and reverted to the byte."""
