"""A config's text with one key set, as a user would edit the file: no other line changes."""

from __future__ import annotations

import json
import re
from typing import Any


def with_key(text: str, path: str, key: str, value: Any) -> str:
    """The text of a YAML or JSON config with the dotted `key` set; at most two levels deep."""
    if path.endswith(".json"):
        content = json.loads(text)
        content[key] = value
        return json.dumps(content)
    block, _, name = key.rpartition(".")
    line = "{}: {}".format(name, value)
    lines = text.splitlines()
    if not block:
        kept = [one for one in lines if not re.match(r"{}\s*:".format(re.escape(name)), one)]
        return "\n".join([*kept, line, ""])
    start = next(
        (n for n, one in enumerate(lines) if re.match(block + r"\s*:\s*(#.*)?$", one)), None
    )
    if start is None:
        return "\n".join([*lines, block + ":", "  " + line, ""])
    stop = start + 1
    while stop < len(lines) and (not lines[stop].strip() or lines[stop][0] in " #\t"):
        stop += 1
    inner = [
        one for one in lines[start + 1 : stop] if one.strip() and not one.strip().startswith("#")
    ]
    indent = inner[0][: len(inner[0]) - len(inner[0].lstrip())] if inner else "  "
    own = re.compile(r"{}{}\s*:".format(indent, re.escape(name)))
    kept = [one for one in lines[start + 1 : stop] if not own.match(one)]
    return "\n".join([*lines[: start + 1], indent + line, *kept, *lines[stop:], ""])
