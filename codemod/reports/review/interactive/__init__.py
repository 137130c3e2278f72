"""Accept or reject a plan hook by hook and hunk by hunk, with the letters of `git add -p`."""

from codemod.reports.review.interactive.decisions import decisions_file
from codemod.reports.review.interactive.session import Outcome, ask_hooks
from codemod.reports.review.interactive.state import Reviewable

__all__ = ["Outcome", "Reviewable", "ask_hooks", "decisions_file"]
