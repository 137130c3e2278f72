"""The audit: which configs reach a hook, and what is wrong with the hooks that are there."""
