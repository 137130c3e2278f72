"""Where a kit's TIPC files hold the chain that trains a model statically.

TIPC is the kits' own test suite: each chain is a text file of `key:value` lines, read by a shell
script in the folder above. The script takes `to_static_train:VALUE` from a section of its own, or
from one fixed line; both count only lines that are not empty.
"""

from __future__ import annotations

import re

PARSER = "test_train_inference_python.sh"
CONFIG = "train_infer_python.txt"
KEY = "to_static_train"
SECTION = "to_static_train_benchmark_params"
_FIXED = re.compile(r'to_static_key=\$\(func_parser_key "\$\{lines\[(\d+)\]\}"\)')


def fixed_line(parser: str) -> int | None:
    """The 0-based number of the fixed line, among lines that are not empty; None for no such form.

    `parser` is the text of the shell script.
    """
    found = _FIXED.search(parser)
    return int(found.group(1)) if found else None


def ends_with_options(command: str, words: tuple[str, ...]) -> bool:
    """Whether a command ends with one of `words` and nothing but `key=value` behind it."""
    rest = command.split()
    while rest and "=" in rest[-1][1:]:
        rest.pop()
    return len(rest) > 1 and rest[-1] in words
