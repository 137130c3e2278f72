"""The digest that each line of the base carries: a line that was changed by hand is seen."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

from codemod.base.files.shared_file import lines_of, read_bytes

KEY = "digest"
_DIGITS = 16
_LONE = re.compile("[\ud800-\udfff]")


def text_of(content: Any) -> str:
    """A value as the one JSON text that it has in the base, which UTF-8 can hold."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return _LONE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def digest_of(content: Any) -> str:
    """A digest of a value that JSON can hold."""
    text = text_of(content).encode("utf-8")
    return hashlib.sha256(text).hexdigest()[:_DIGITS]


def with_digest(content: dict[str, Any]) -> str:
    """The content as one line, with its digest."""
    return text_of({**content, KEY: digest_of(content)})


def checked(content: dict[str, Any]) -> dict[str, Any]:
    """The content of a line without its digest; a line of before there were any has none.

    Raises:
        ValueError: the digest is of another content.
    """
    rest = dict(content)
    told = rest.pop(KEY, None)
    if told not in (None, digest_of(rest)):
        raise ValueError("its digest is of another content: it was changed, or cut and mended")
    return rest


def without_digest(file: Path) -> list[str]:
    """A finding for each line that carries no digest, as before there were any."""
    return [
        f"{file}:{line.number}: it has no digest; `codemod evidence prune` writes it anew."
        for line in lines_of(read_bytes(file) or b"")
        if f'"{KEY}":"' not in line.text
    ]
