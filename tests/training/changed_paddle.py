"""A Paddle that claims what it is not: the text of a module that changes it as it is imported."""

from __future__ import annotations

import textwrap

_WATCH = """
import importlib.util
import os
import sys


class Watch:
    def find_spec(self, name, path=None, target=None):
        if name != "paddle":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        run = spec.loader.exec_module

        def exec_module(module):
            run(module)
            change(module)

        spec.loader.exec_module = exec_module
        return spec


sys.meta_path.insert(0, Watch())


def change(paddle):
"""


def changed_paddle(statements: str) -> str:
    """The module; `statements` are run with `paddle`, `os` and `sys` after Paddle's own import."""
    return _WATCH + textwrap.indent(textwrap.dedent(statements), "    ")
