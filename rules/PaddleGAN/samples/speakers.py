"""Clips of faces with what they say: clips/NAME/0.jpg and on, audio.wav; filelists/ names them.

home/ stands for the user's: there lie weights that the kit would fetch.
"""

from __future__ import annotations

import array
import math
import wave

from codemod.training.samples.making import Samples
from codemod.training.samples.pictures import colour_of

from .weights import PADDLES_CACHE, empty_state

FRAMES, A_SECOND = 20, 25
RATE = 16000  # of the sound, numbers a second
# Longer than the frames, for a frame goes with what is heard after it, too.
SECONDS = 2


def generate(samples: Samples) -> None:
    """A face is a box, and its mouth one that is as high as the tone then is loud."""
    random, size = samples.random, samples.size
    names = [f"clips/{index:05d}" for index in range(samples.count)]
    for index, name in enumerate(names):
        tone, beat = random.randint(200, 800), random.randint(1, 4)
        for number in range(FRAMES):
            frame = samples.noise()
            frame.box(size // 4, size // 8, 3 * size // 4, 7 * size // 8, colour_of(index))
            high = round(_loudness(number / A_SECOND, beat) * size / 8)
            middle = 3 * size // 4
            frame.box(3 * size // 8, middle - high, 5 * size // 8, middle + high, b"\0\0\0")
            # Readers go by the content, not by the name's ending.
            samples.write(f"{name}/{number}.jpg", frame.png())
        heard = (at / RATE for at in range(SECONDS * RATE))
        values = array.array(
            "h",
            (
                round(16000 * _loudness(at, beat) * math.sin(2 * math.pi * tone * at))
                + random.randint(-99, 99)
                for at in heard
            ),
        )
        with wave.open(str(samples.folder / name / "audio.wav"), "wb") as sound:
            sound.setparams((1, 2, RATE, 0, "NONE", ""))
            sound.writeframes(values.tobytes())
    for part in ("train", "val"):
        samples.write_lines(f"filelists/{part}.txt", names)
    empty_state(samples, "syncnet.pdparams", cache=PADDLES_CACHE)


def _loudness(at: float, beat: int) -> float:
    """From 0 to 1, `beat` times a second."""
    return (1 + math.sin(2 * math.pi * beat * at)) / 2
