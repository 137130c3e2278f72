"""From the records of two runs to a verdict, with what explains it.

>>> from codemod.judging.verdict import Verdict
>>> [verdict.value for verdict in Verdict if verdict.passed]
['pass', 'pass-tolerance', 'pass-partial']
"""
