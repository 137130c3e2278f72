"""Operations on one file: what a plan consists of before any byte is written.

Paths and indices are those of the file as it is, whatever else is inserted.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from codemod.base.changeset import EditKind
from codemod.base.reason import Reason
from codemod.code.module import Path


@dataclass(frozen=True)
class Insert:
    """Lines of code put before statement `index` of block `field` of the statement at `owner`.

    `code` is indented by four spaces a level, relative to the block; it takes on the file's
    own indentation and line ends.
    """

    owner: Path
    field: str
    index: int
    code: str

    @classmethod
    def beside(cls, path: Path, code: str, *, behind: bool = False) -> Insert:
        """Lines before the statement at a path, or behind it."""
        *owner, (field, index) = path
        return cls(tuple(owner), field, index + behind, code)


@dataclass(frozen=True)
class AddParameter:
    """A last parameter `name=default` for the function at `owner`, annotated where asked."""

    owner: Path
    name: str
    default: str
    annotation: str = ""


@dataclass(frozen=True)
class AddToDocstring:
    """A line of text put before line `index` (from 0) of the docstring at `owner`."""

    owner: Path
    index: int
    text: str


@dataclass(frozen=True)
class AddArgument:
    """A keyword argument for the call of `callee` in the statement at `owner`.

    It goes before the last keyword, where that has a line of its own: order among keywords
    means nothing, and no line of the kit's is touched.
    """

    owner: Path
    callee: str
    name: str
    value: str


@dataclass(frozen=True)
class Replace:
    """Other code (or none) for the statement at `owner`; whoever asks for it must say why."""

    owner: Path
    code: str


@dataclass(frozen=True)
class Move:
    """The statement at `owner`, comment lines and all, put before statement `index` of a block.

    The block is `field` of the statement at `into`. Both places are those of the file as it is.
    """

    owner: Path
    into: Path
    field: str
    index: int


@dataclass(frozen=True)
class AddElements:
    """Last elements (source text) for the list or tuple that the statement at `owner` assigns."""

    owner: Path
    elements: tuple[str, ...]


@dataclass(frozen=True)
class Rename:
    """Expression `old` read as `new` in the statement at `owner`: in its header, if it has one."""

    owner: Path
    old: str
    new: str


@dataclass(frozen=True)
class Extract:
    """Statements `start` to `stop` of the method at `owner` become the method `name` behind it.

    It takes `arguments` and gives back `results`, all local names; without results it returns
    what the whole method returned, and `stop` is its end. `comment` stands above it.
    """

    owner: Path
    start: int
    stop: int
    name: str
    arguments: tuple[str, ...]
    results: tuple[str, ...]
    comment: str


Action = (
    Insert
    | AddParameter
    | AddToDocstring
    | AddArgument
    | AddElements
    | Replace
    | Move
    | Rename
    | Extract
)


@dataclass(frozen=True)
class Op:
    """One action on one file, and what it is for. `reason` is needed where lines go.

    `says`, `fix`, `idles` and `mends` are what a rule says of it, as an `EditOrigin` has them.
    """

    file: str
    kind: EditKind
    action: Action
    reason: Reason | None = None
    says: Reason | None = None
    fix: Reason | None = None
    idles: tuple[str, ...] = ()
    mends: bool = field(default=False, compare=False)


class CannotRewriteError(Exception):
    """Why a file is left untouched."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(str(reason))
        self.reason = reason
