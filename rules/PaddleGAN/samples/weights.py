"""What stands in a download's cache: files of weights, so that nothing is fetched.

They are small, for they hold no numbers. A state without entries leaves a net at what it starts
from, and that comes from the run's seed. Where a net wants all its numbers, the file names the
generator and the seed that give them.
"""

from __future__ import annotations

import math
import pickle
import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

# The kit keeps what it fetches in ~/.cache/ppgan, or where Paddle keeps weights: a recipe sets HOME
# to the folder of this name.
HOME = "home"
_CACHE = ".cache/ppgan"
PADDLES_CACHE = ".cache/paddle/hapi/weights"
_SIDE = 3
# Widths of VGG-19's convolutions, block by block.
_VGG = ((64,) * 2, (128,) * 2, (256,) * 4, (512,) * 4, (512,) * 4)


def empty_state(folder: Path, name: str, parts: tuple[str, ...] = (), cache: str = _CACHE) -> None:
    """A file of Paddle's without weights; with `parts`, a mapping of such states."""
    state: dict[str, dict[str, object]] = {part: {} for part in parts}
    _put(folder, name, pickle.dumps(state, protocol=2), cache)


def vgg_without_head(folder: Path, name: str, seed: int) -> None:
    """NumPy's file of a mapping: `convBLOCK_NUMBER` to filters [3, 3, in, out] and biases [out].

    It is written as a program of pickle's: each entry is a call of NumPy's generator.
    """
    program, ahead = ["(d"], 3
    for block, widths in enumerate(_VGG, 1):
        for number, width in enumerate(widths, 1):
            deviation = math.sqrt(2 / (_SIDE * _SIDE * ahead))
            filters = _drawn(seed, deviation, (_SIDE, _SIDE, ahead, width))
            biases = _drawn(seed, 0.0, (width,))
            program.append(f"S'conv{block}_{number}'\n(l{filters}a{biases}as")
            ahead, seed = width, seed + 1
    # An array without dimensions around the mapping: what `item()` gives back.
    whole = "cnumpy\narray\n(" + "".join(program) + "tR."
    header = "{'descr': '|O', 'fortran_order': False, 'shape': (), }"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    start = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode("ascii")
    _put(folder, name, start + whole.encode("ascii"))


def _drawn(seed: int, deviation: float, sides: tuple[int, ...]) -> str:
    """`RandomState(seed).normal(0, deviation, sides)` in float32, as a program of pickle's."""
    shape = "(" + "".join(f"I{side}\n" for side in sides) + "t"
    generator = f"cnumpy.random\nRandomState\n(I{seed}\ntR"
    numbers = f"{_attribute(generator, 'normal')}(F0.0\nF{deviation!r}\n{shape}tR"
    return f"{_attribute(numbers, 'astype')}(S'float32'\ntR"


def _attribute(owner: str, name: str) -> str:
    return f"c__builtin__\ngetattr\n({owner}S'{name}'\ntR"


def _put(folder: Path, name: str, content: bytes, cache: str = _CACHE) -> None:
    place = folder / HOME / cache / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content)
