"""What people read: the dry run, the pull request's text, the survey."""
