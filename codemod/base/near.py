"""The names that a mistyped one is near to."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def did_you_mean(asked: str, known: Iterable[str], otherwise: str) -> str:
    """`Did you mean a or b?` in any case, at most three; `otherwise` where nothing is near.

    What stands behind a slash is a name as well: for `X-01` every `Kit/X-01` is named.
    """
    key = asked.lower()
    by_key = {name.lower(): name for name in known}
    short = [name for name in by_key if name.rpartition("/")[2] == key]
    near = short or difflib.get_close_matches(key, by_key, n=3, cutoff=0.5)
    return f"Did you mean {' or '.join(by_key[name] for name in near)}?" if near else otherwise
