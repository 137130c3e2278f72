"""Changes to a git repository: commits, branches, pushes.

Nothing here touches a work tree, HEAD or the user's index, and no hook of the repository
is run.
"""
