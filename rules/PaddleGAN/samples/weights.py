"""What stands in a download's cache: files of weights, so that nothing is fetched.

They are small, for they hold no numbers. A state without entries leaves a net at what it starts
from, and that comes from the run's seed. Where a net wants all its numbers, the file names the
generator and the seed that give them.
"""

from __future__ import annotations

import math
import pickle

from codemod.training.samples.making import Samples
from codemod.training.samples.npy import npy_file

# The kit keeps what it fetches in ~/.cache/ppgan, or where Paddle keeps weights: a recipe sets HOME
# to the folder of this name.
HOME = "home"
_CACHE = ".cache/ppgan"
PADDLES_CACHE = ".cache/paddle/hapi/weights"
_SIDE = 3
# Widths of VGG-19's convolutions, block by block.
_VGG = ((64,) * 2, (128,) * 2, (256,) * 4, (512,) * 4, (512,) * 4)


def empty_state(
    samples: Samples, name: str, parts: tuple[str, ...] = (), cache: str = _CACHE
) -> None:
    """A file of Paddle's without weights; with `parts`, a mapping of such states."""
    state: dict[str, dict[str, object]] = {part: {} for part in parts}
    samples.write(f"{HOME}/{cache}/{name}", pickle.dumps(state, protocol=2))


def vgg_without_head(samples: Samples, name: str) -> None:
    """NumPy's file of a mapping: `convBLOCK_NUMBER` to filters [3, 3, in, out] and biases [out].

    It is written as a program of pickle's: each entry is a call of NumPy's generator.
    """
    program, ahead, seed = ["(d"], 3, samples.seed
    for block, widths in enumerate(_VGG, 1):
        for number, width in enumerate(widths, 1):
            deviation = math.sqrt(2 / (_SIDE * _SIDE * ahead))
            filters = _drawn(seed, deviation, (_SIDE, _SIDE, ahead, width))
            biases = _drawn(seed, 0.0, (width,))
            program.append(f"S'conv{block}_{number}'\n(l{filters}a{biases}as")
            ahead, seed = width, seed + 1
    # An array without dimensions around the mapping: what `item()` gives back.
    whole = "cnumpy\narray\n(" + "".join(program) + "tR."
    samples.write(f"{HOME}/{_CACHE}/{name}", npy_file(whole.encode("ascii"), "()", "|O"))


def _drawn(seed: int, deviation: float, sides: tuple[int, ...]) -> str:
    """`RandomState(seed).normal(0, deviation, sides)` in float32, as a program of pickle's."""
    shape = "(" + "".join(f"I{side}\n" for side in sides) + "t"
    generator = f"cnumpy.random\nRandomState\n(I{seed}\ntR"
    numbers = f"{_attribute(generator, 'normal')}(F0.0\nF{deviation!r}\n{shape}tR"
    return f"{_attribute(numbers, 'astype')}(S'float32'\ntR"


def _attribute(owner: str, name: str) -> str:
    return f"c__builtin__\ngetattr\n({owner}S'{name}'\ntR"
