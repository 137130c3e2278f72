"""From observed calls to one spec that fits all of them, or the reason why there is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from codemod.base.reason import Field, Reason
from codemod.experiments.spec.nodes import (
    Constant,
    Dictionary,
    Node,
    Opaque,
    Sequence,
    Tensor,
    describe,
    holds_tensor,
    tensors,
)
from codemod.experiments.spec.observed import Call

_Seen = TypeVar("_Seen")
_THERE, _MISSING = Reason.of("experiments.spec-there"), Reason.of("experiments.spec-missing")
# The notes after which no spec fits: what varies is structure, which a spec fixes.
FATAL = ("structure", "length", "rank", "keywords", "middle", "class")


@dataclass(frozen=True, slots=True)
class Note:
    """Something to know of one argument; `path` is like `data[1]` or `inputs["image"]`."""

    kind: str
    path: str
    what: Reason

    def to_json(self) -> dict[str, object]:
        """The note as one JSON object: `text` is what is said behind the path."""
        text = self.what.text()
        return {"kind": self.kind, "path": self.path, "text": text, **self.what.to_json()}


@dataclass(frozen=True, slots=True)
class Derived:
    """The spec of one layer, by the positions of `forward`, and what was noticed.

    `spec` fits training and evaluation when `fits` is true; when only `fits_training` is, it is
    the spec of the training calls. `retraces` names what makes AST trace again with this spec.
    """

    spec: tuple[Node, ...]
    names: tuple[str, ...]
    fits: bool
    fits_training: bool
    notes: tuple[Note, ...]

    @property
    def retraces(self) -> tuple[Note, ...]:
        """The notes on what costs one more program for each new value."""
        return tuple(note for note in self.notes if note.kind == "retrace")

    @property
    def varies(self) -> bool:
        """Whether any dim is None: without one a spec changes nothing."""
        return any(None in tensor.shape for tensor in tensors(self.spec))


def derive(calls: Iterable[Call]) -> Derived:
    """One spec over all calls; falls back to training's where evaluation is fed otherwise."""
    seen = tuple(calls)
    whole = _Merge(seen).run()
    if whole.fits or all(call.training for call in seen):
        return whole
    alone = _Merge(tuple(call for call in seen if call.training)).run()
    if not alone.fits:
        return whole
    told = {(note.kind, note.path) for note in alone.notes}
    more = tuple(note for note in whole.notes if (note.kind, note.path) not in told)
    return Derived(alone.spec, alone.names, False, True, (*alone.notes, *more))


def _batch(call: Call) -> int | None:
    """The batch size: what most first dims of the call's tensors are."""
    firsts = Counter(t.shape[0] for t in tensors(n for _, n in call.arguments) if t.shape)
    return firsts.most_common(1)[0][0] if firsts else None


class _Merge:
    """Lays the calls over each other."""

    def __init__(self, calls: tuple[Call, ...]) -> None:
        self._calls = calls
        self._training = tuple(call.training for call in calls)
        self._batches = tuple(_batch(call) for call in calls)
        self._notes: list[Note] = []

    def run(self) -> Derived:
        """The merged spec; arguments behind the last tensor are left out, as Paddle allows."""
        self._keywords()
        names = tuple(name for name, _ in self._calls[0].arguments) if self._calls else ()
        merged: list[Node] = []
        for position, name in enumerate(names):
            values = [call.arguments[position][1] for call in self._calls]
            merged.append(self._node(name, values))
        last = max((i for i, node in enumerate(merged) if holds_tensor(node)), default=-1)
        for node, name in zip(merged[:last], names, strict=False):
            if isinstance(node, Opaque):
                self._note("middle", name, Reason.of("experiments.spec-middle", what=node.cls))
        fits = not any(note.kind in FATAL for note in self._notes)
        training = fits and any(self._training)
        return Derived(
            tuple(merged[: last + 1]), names[: last + 1], fits, training, tuple(self._notes)
        )

    def _note(self, kind: str, path: str, what: Reason) -> None:
        self._notes.append(Note(kind, path, what))

    def _keywords(self) -> None:
        rest = tuple(sorted({name for call in self._calls for name in call.rest}))
        if rest:
            self._note("keywords", "forward", Reason.of("experiments.spec-keywords", names=rest))

    def _node(self, path: str, values: list[Node]) -> Node:
        kinds = {type(value) for value in values}
        if len(kinds) > 1:
            shown = self._by_phase(map(_form, values))
            self._note("structure", path, Reason.of("experiments.spec-is", seen=shown))
            return Opaque("several forms")
        merge: dict[type[Node], Callable[[str, list[Any]], Node]] = {
            Tensor: self._tensor,
            Sequence: self._sequence,
            Dictionary: self._mapping,
            Constant: self._constant,
            Opaque: self._object,
        }
        return merge[kinds.pop()](path, values)

    def _object(self, path: str, values: list[Opaque]) -> Node:
        what = describe(values[0])
        self._note("object", path, Reason.of("experiments.spec-object", what=what))
        return values[0]

    def _phases(self, seen: Iterable[_Seen]) -> tuple[list[_Seen], list[_Seen]]:
        """What was seen in training, and in evaluation, of what was seen in each call."""
        pairs = list(zip(seen, self._training, strict=True))
        return [one for one, train in pairs if train], [one for one, train in pairs if not train]

    def _by_phase(self, shown: Iterable[str | Reason]) -> Field:
        """`a in training, b in evaluation`, or all of them where training itself varies."""
        seen = list(shown)
        train, others = self._phases(seen)
        if len(set(train)) == 1 and len(set(others)) == 1:
            return Reason.of("experiments.spec-phases", train=train[0], others=others[0])
        return tuple(dict.fromkeys(seen))[:4]

    def _tensor(self, path: str, values: list[Tensor]) -> Node:
        ranks = {len(value.shape) for value in values}
        if len(ranks) > 1:
            shown = self._by_phase(map(describe, values))
            self._note("rank", path, Reason.of("experiments.spec-is", seen=shown))
            return Opaque("tensor of several ranks")
        dtypes = Counter(value.dtype for value in values)
        if len(dtypes) > 1:
            shown = self._by_phase(value.dtype for value in values)
            self._note("dtype", path, Reason.of("experiments.spec-dtypes", seen=shown))
        if len(set(self._phases(value.gradient for value in values)[0])) > 1:
            self._note("gradient", path, Reason.of("experiments.spec-gradients"))
        sizes = ([value.shape[axis] for value in values] for axis in range(ranks.pop()))
        dims = [self._dim(axis, each) for axis, each in enumerate(sizes)]
        dtype = dtypes.most_common(1)[0][0]
        return Tensor(tuple(size for size, _ in dims), dtype, tuple(why for _, why in dims))

    def _dim(self, axis: int, sizes: list[int | None]) -> tuple[int | None, Reason]:
        """The dim, None where it may vary, with the reason."""
        if axis == 0 and tuple(sizes) == self._batches:
            return None, Reason.of("experiments.dim-batch")
        train, others = map(set, self._phases(sizes))
        if len(train) > 1:
            return None, Reason.of("experiments.dim-varies", sizes=_some(train))
        if len(train | others) > 1:
            seen = _some(others)
            return None, Reason.of("experiments.dim-evaluation", sizes=seen, train=_some(train))
        return sizes[0], Reason.of("experiments.dim-fixed")

    def _sequence(self, path: str, values: list[Sequence]) -> Node:
        lengths = {len(value.items) for value in values}
        classes = {value.cls for value in values}
        if len(classes) > 1 or not classes <= {"list", "tuple"}:
            shown = tuple(sorted(classes))
            self._note("class", path, Reason.of("experiments.spec-classes", classes=shown))
        if len(lengths) > 1:
            items_of = (Reason.of("experiments.spec-items", count=len(v.items)) for v in values)
            seen = self._by_phase(items_of)
            if not any(holds_tensor(value) for value in values):
                train = self._phases(len(v.items) for v in values)[0]
                kind = "retrace" if len(set(train)) > 1 else "phase"
                self._note(kind, path, Reason.of("experiments.spec-contents", seen=seen))
                return Opaque("list without tensors")
            self._note("length", path, Reason.of("experiments.spec-length", seen=seen))
            return Opaque("list of varying length")
        items = [
            self._node(f"{path}[{index}]", [value.items[index] for value in values])
            for index in range(lengths.pop())
        ]
        last = max((i for i, item in enumerate(items) if holds_tensor(item)), default=-1)
        for index, item in enumerate(items[:last]):
            if isinstance(item, Opaque) and not self._told(f"{path}[{index}]"):
                what = Reason.of("experiments.spec-middle", what=item.cls)
                self._note("middle", f"{path}[{index}]", what)
        return Sequence(tuple(items[: last + 1]), values[0].cls)

    def _told(self, path: str) -> bool:
        return any(note.kind in FATAL and note.path.startswith(path) for note in self._notes)

    def _mapping(self, path: str, values: list[Dictionary]) -> Node:
        classes = {value.cls for value in values}
        if classes != {"dict"}:
            shown = tuple(sorted(classes))
            self._note("class", path, Reason.of("experiments.spec-mappings", classes=shown))
        names = list(dict.fromkeys(key for value in values for key in value.items))
        items: dict[str, Node] = {}
        for name in names:
            place = f'{path}["{name}"]'
            there = [name in value.items for value in values]
            if not all(there):
                seen = self._by_phase(_THERE if one else _MISSING for one in there)
                fed = [value.items[name] for value in values if name in value.items]
                kind = "structure" if any(holds_tensor(node) for node in fed) else "phase"
                self._note(kind, place, Reason.of("experiments.spec-is", seen=seen))
                continue
            node = self._node(place, [value.items[name] for value in values])
            # A key that the spec does not name reaches the net as it is.
            if holds_tensor(node):
                items[name] = node
        return Dictionary(items, values[0].cls)

    def _constant(self, path: str, values: list[Constant]) -> Node:
        pairs = [(type(one.value), one.value) for one in values]
        if len(set(pairs)) == 1:
            return values[0]
        train = dict.fromkeys(self._phases(pairs)[0])
        if len(train) > 1:
            shown = tuple(repr(value) for _, value in [*train][:4])
            calls = sum(self._training)
            what = Reason.of("experiments.spec-values", count=len(train), calls=calls, values=shown)
            self._note("retrace", path, what)
        else:
            seen = self._by_phase(repr(value.value) for value in values)
            self._note("phase", path, Reason.of("experiments.spec-is", seen=seen))
        return Opaque("value that varies")


def _form(node: Node) -> str | Reason:
    """A short name of the form alone, the same for tensors of all shapes."""
    return Reason.of("experiments.spec-tensor") if isinstance(node, Tensor) else describe(node)


def _some(sizes: set[int | None]) -> str:
    shown = sorted(size for size in sizes if size is not None)
    return ", ".join(str(size) for size in shown[:5]) + (", ..." if len(shown) > 5 else "")
