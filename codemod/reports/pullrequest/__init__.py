"""The branch of a pull request: its commits, its documents, its text."""
