"""What a generator is given: where samples go, how many there are to be, and what draws them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from codemod.training.samples.pictures import Box, Picture, colour_of


@dataclass(slots=True)
class Samples:
    """The samples that are to be made: `count` of them in `folder`, pictures `size` pixels wide.

    Names of files are relative to the folder; the folders on the way are made. `random` draws the
    same for the same seed on every machine.
    """

    folder: Path
    count: int
    size: int
    seed: int
    random: Random = field(init=False)

    def __post_init__(self) -> None:
        self.random = Random(self.seed)  # noqa: S311 - sample data is not a secret

    def again(self, folder: str = "") -> Samples:
        """The same once more, in a folder below: what it draws is the same, too."""
        return replace(self, folder=self.folder / folder)

    def write(self, name: str, content: bytes | str) -> None:
        """Write a file."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)

    def write_lines(self, name: str, lines: Iterable[str]) -> None:
        """Write a text of these lines."""
        self.write(name, "".join(f"{line}\n" for line in lines))

    def write_lists(
        self, lines: Sequence[str], train: str = "train.txt", val: str = "val.txt", least: int = 1
    ) -> None:
        """Write the list to train with, and an eighth of it, at least so many, to validate with."""
        self.write_lines(train, lines)
        self.write_lines(val, lines[: max(least, self.count // 8)])

    def save(self, number: int, picture: Picture, *folders: str) -> str:
        """Write a picture under its number into folders, else into images/; its name in the first.

        Five digits: `images/00007.png`.
        """
        names = [f"{folder}/{number:05d}.png" for folder in folders or ("images",)]
        content = picture.png()
        for name in names:
            self.write(name, content)
        return names[0]

    def parts(self, number: int, train: str = "train", val: str = "val") -> tuple[str, ...]:
        """Where a sample belongs by its number: an eighth of them is to validate with, too."""
        return (train, val) if number < max(1, self.count // 8) else (train,)

    def length(self, shortest: int) -> int:
        """Half to all of `size`, at least `shortest`."""
        return self.random.randint(max(shortest, self.size // 2), self.size)

    def digits(self, length: int) -> str:
        """A text of so many digits."""
        return "".join(self.random.choices("0123456789", k=length))

    def noise(self, low: int = 60) -> Picture:
        """A square picture of noise, values from 0 to `low`."""
        return Picture.noise(self.random, self.size, self.size, low)

    def box(self) -> Box:
        """A box of a quarter to half of a square picture."""
        size, draw = self.size, self.random.randint
        width, height = draw(size // 4, size // 2), draw(size // 4, size // 2)
        left, top = draw(0, size - width), draw(0, size - height)
        return left, top, left + width, top + height

    def boxed(self, label: int) -> Picture:
        """A square picture of noise with a box in the colour of `label`."""
        picture = self.noise()
        picture.box(*self.box(), colour_of(label))
        return picture
