"""The command line. Importing this costs click alone: each command is loaded when it is run.

>>> from codemod.cli.quiet import split
>>> split(["diff", "--quiet", "PaddleSeg"])
(['diff', 'PaddleSeg'], True)
"""

from codemod.cli.main import main

__all__ = ["main"]
