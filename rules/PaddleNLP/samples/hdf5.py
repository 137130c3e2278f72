"""A file of HDF5 with tables of 32-bit integers side by side, without that library."""

from __future__ import annotations

import array
import struct
from collections.abc import Mapping
from dataclasses import dataclass

# So many names fit into a node of a group, and so many nodes into its tree.
_NAMES, _NODES = 8, 32
_NOWHERE = b"\xff" * 8
_SUPERBLOCK, _TREE, _NODE = 96, 24 + 16 * _NODES + 8, 8 + 40 * _NAMES
_SPACE, _TYPE, _LAYOUT, _GROUP = 1, 3, 8, 17


@dataclass(frozen=True, slots=True)
class Table:
    """Numbers by rows, with the length of each dimension."""

    shape: tuple[int, ...]
    numbers: list[int]


def hdf5(tables: Mapping[str, Table]) -> bytes:
    """The tables by name, eight at most, in the form that every release of the library reads.

    Behind the superblock come the group (its header, tree, node and names), then of each table its
    header and its numbers.
    """
    listed = sorted(tables)
    names = b"\0" * 8
    places = []
    for name in listed:
        places.append(len(names))
        names += _padded(name.encode() + b"\0")
    group = _header((_GROUP, b"\0" * 16))
    tree = _SUPERBLOCK + len(group)
    node = tree + _TREE
    heap = node + _NODE
    start = heap + 32 + len(names)
    entries, behind = b"", b""
    for name, place in zip(listed, places, strict=True):
        table = tables[name]
        at = start + len(behind)
        entries += struct.pack("<QQ24x", place, at)
        numbers = _padded(array.array("i", table.numbers).tobytes())
        size = 4 * len(table.numbers)
        behind += _header_of(table, at + len(_header_of(table, 0, size)), size) + numbers
    both = struct.pack("<QQ", tree, heap)
    ahead = b"TREE" + struct.pack("<BBH", 0, 0, 1) + 2 * _NOWHERE
    ahead += struct.pack("<QQQ", 0, node, places[-1])
    symbols = (b"SNOD" + struct.pack("<BxH", 1, len(listed)) + entries).ljust(_NODE, b"\0")
    # The 1 says that the names leave no room.
    held = b"HEAP" + struct.pack("<B3xQQQ", 0, len(names), 1, heap + 32) + names
    length = start + len(behind)
    root = struct.pack("<QQI4x", 0, _SUPERBLOCK, 1) + both
    first = b"\x89HDF\r\n\x1a\n" + struct.pack("<5xBBx", 8, 8)
    first += struct.pack("<HHI", _NAMES // 2, _NODES // 2, 0) + struct.pack("<Q", 0) + _NOWHERE
    first += struct.pack("<Q", length) + _NOWHERE + root
    whole = (first, _header((_GROUP, both)), ahead.ljust(_TREE, b"\0"), symbols, held, behind)
    return b"".join(whole)


def _header_of(table: Table, place: int, size: int) -> bytes:
    """What a table is: its dimensions, signed numbers of 32 bits, and where they are."""
    space = struct.pack("<BBB5x", 1, len(table.shape), 0) + struct.pack(
        f"<{len(table.shape)}Q", *table.shape
    )
    kind = b"\x10\x08\0\0" + struct.pack("<IHH", 4, 0, 32)
    layout = struct.pack("<BBQQ", 3, 1, place, size)
    return _header((_SPACE, space), (_TYPE, kind), (_LAYOUT, layout))


def _header(*messages: tuple[int, bytes]) -> bytes:
    """An object's header: each message with its kind and its size, padded to eight bytes."""
    packed = b""
    for kind, content in messages:
        padded = _padded(content)
        packed += struct.pack("<HHB3x", kind, len(padded), 0) + padded
    return struct.pack("<BxHII4x", 1, len(messages), 1, len(packed)) + packed


def _padded(content: bytes) -> bytes:
    return content + b"\0" * (-len(content) % 8)
