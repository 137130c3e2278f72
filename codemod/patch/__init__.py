"""A change set as a patch, put into a tree, and taken out again to the byte."""
