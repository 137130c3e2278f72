"""The audit: which configs reach a hook, and what is wrong with the hooks that are there.

>>> from codemod.audit.kinds import matching
>>> sorted(matching(["tipc-no-co*"]))
['tipc-no-code', 'tipc-no-config']
"""
