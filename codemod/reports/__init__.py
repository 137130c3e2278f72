"""What people read: the dry run, the pull request's text, the survey.

>>> from codemod.reports.pullrequest.markdown import code, plural
>>> plural("hook", 2), code("a`b")
('hooks', '``a`b``')
"""
