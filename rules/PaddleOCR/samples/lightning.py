"""Key-value files as LMDB keeps them, `data.mdb`, written without LMDB.

Pages of 4,096 bytes: two that describe the file, one that lists all keys in order, and for each
value as many as it needs. So the keys have to fit one page: about a hundred of sixteen bytes.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping

PAGE = 4096
HEADER = 16  # of each page: its number, its kind, and what is free in it
MAGIC, FORMAT = 0xBEEFC0DE, 1
LEAF, OVERFLOW, META = 0x02, 0x04, 0x08
NOWHERE = 0xFFFFFFFFFFFFFFFF
NUMBERED = 0x08  # the keys of the list of free pages are numbers
ELSEWHERE = 0x01  # an entry's value is on pages of its own


def lmdb(entries: Mapping[str, bytes]) -> bytes:
    """The `data.mdb` of a database with these entries, as LMDB opens it.

    Raises:
        ValueError: the keys do not fit one page.
    """
    values, nodes = [], []
    following = 3
    for key, value in sorted((key.encode(), value) for key, value in entries.items()):
        pages = -(-(HEADER + len(value)) // PAGE)
        head = struct.pack("<QHHI", following, 0, OVERFLOW, pages)
        values.append((head + value).ljust(pages * PAGE, b"\0"))
        size = struct.pack("<HHHH", len(value) & 0xFFFF, len(value) >> 16, ELSEWHERE, len(key))
        node = size + key + struct.pack("<Q", following)
        nodes.append(node + b"\0" * (len(node) % 2))
        following += pages
    overflown = following - 3
    free = struct.pack("<IHHQQQQQ", PAGE, NUMBERED, 0, 0, 0, 0, 0, NOWHERE)
    main = struct.pack("<IHHQQQQQ", 0, 0, 1, 0, 1, overflown, len(nodes), 2)
    described = b""
    for number in range(2):
        head = struct.pack("<QHHHH", number, 0, META, 0, 0)
        meta = struct.pack("<IIQQ", MAGIC, FORMAT, 0, following * PAGE) + free + main
        meta += struct.pack("<QQ", following - 1, number)
        described += (head + meta).ljust(PAGE, b"\0")
    return described + _leaf(nodes) + b"".join(values)


def _leaf(nodes: list[bytes]) -> bytes:
    """Page 2: where each entry lies, in the order of the keys; the entries from the end of it."""
    places, at = [], PAGE
    for node in nodes:
        at -= len(node)
        places.append(at)
    lower = HEADER + 2 * len(nodes)
    if lower > at:
        raise ValueError(f"{len(nodes)} keys do not fit a page")
    head = struct.pack(f"<QHHHH{len(places)}H", 2, 0, LEAF, lower, at, *places)
    return head + b"\0" * (at - lower) + b"".join(reversed(nodes))
