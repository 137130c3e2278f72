"""Which files a spec goes into: the hook's call, or the config that the kit's hook reads."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from codemod.base.changeset import ChangeSet, Edit, EditKind, EditOrigin, FileChange, Source
from codemod.base.errors import UsageError
from codemod.base.patch.hunks import counts, hunks_of
from codemod.base.reason import Reason
from codemod.experiments.spec.derive import FATAL
from codemod.experiments.spec.nodes import Tensor, describe, tensors
from codemod.experiments.spec.render import SpecSource
from codemod.experiments.spec.spec_result import SpecResult, within
from codemod.experiments.spec.table import with_row
from codemod.experiments.spec.write import Specs, with_spec

# One kit's hook takes the shape of the picture from here; everything else is in its table.
_KEY = "d2s_train_image_shape"
# Smaller sizes are numbers of channels or coordinates, which no recipe changes.
_SMALL = 5


def change_set(
    tree: Source, config: str, results: tuple[SpecResult, ...], shrunk: tuple[str, ...] = ()
) -> ChangeSet:
    """What `--write` would do. `shrunk` are the options that gave the run sizes of its own.

    Raises:
        UsageError: the spec would raise in evaluation, would change nothing, stands in a table
            of the kit's, or has sizes that the kit's own run has not.
    """
    for result in results:
        _worth(result)
        _sizes(result, shrunk)
    in_config = _in_config(tree.root, config, results)
    if in_config is None:
        for result in results:
            _own(result)
    files = in_config or _in_table(tree.root, config, results)
    files = files or call_changes(tree.root, results, replace=False)
    kind = EditKind.CONFIG if in_config else EditKind.HOOK
    changes: list[FileChange] = []
    edits: list[Edit] = []
    for path, new in files.items():
        change = FileChange(path, (tree.root / path).read_bytes(), new)
        if change.old != new:
            added, removed = counts(hunks_of(change))
            changes.append(change)
            why = Reason.of("experiments.observed-spec")
            edits.append(Edit(path, kind, added, removed, (), why, EditOrigin(why)))
    return ChangeSet(tree, edits=tuple(edits), changes=tuple(changes))


def _worth(result: SpecResult) -> None:
    if not result.derived.fits:
        notes = [note for note in result.derived.notes if note.kind in FATAL]
        reasons = "; ".join(f"{note.path} {note.what}" for note in notes)
        raise UsageError(
            f"No spec fits all calls of {result.layer.cls}: {reasons}.", "Leave the spec out."
        )
    if not result.derived.varies:
        raise UsageError(
            f"Nothing varies in what {result.layer.cls} is fed: a spec would have no effect."
        )


def _own(result: SpecResult) -> None:
    hook = result.hook
    if hook is not None and hook.spec is not None and not any(d.fault for d in result.differences):
        raise UsageError(
            f"The kit's own spec fits what {result.layer.cls} is fed: nothing to write."
        )


def _sizes(result: SpecResult, shrunk: tuple[str, ...]) -> None:
    """Refuse a spec with a size that an option set which shrank the run, or a part of it."""
    numbers = {int(found) for option in shrunk for found in re.findall(r"\d+", option)}
    known = {number >> halved for number in numbers for halved in range(7)} - set(range(_SMALL))
    for tensor in tensors(result.derived.spec):
        suspect = [size for size in tensor.shape if size in known]
        if suspect:
            raise UsageError(
                f"{result.layer.cls} is fed {describe(tensor)}, and {suspect[0]} may be a size of"
                f" this run alone, which {shrunk[0].partition('=')[0]} made smaller.",
                "Give the kit's own values with -O, or the sizes of this run with --as-run.",
            )


def call_changes(
    root: Path, results: Iterable[SpecResult], *, replace: bool, spec: bool = True
) -> dict[str, bytes]:
    """Files with the derived specs in every hook; with `replace` in place of the kit's own.

    Without `spec` the hooks hand over none at all.

    Raises:
        UsageError: a result has no hook in the tree, no spec fits its training, or a hook has one
            that is not to be replaced.
    """
    by_call: dict[tuple[str, int], Specs] = {}
    shared: set[tuple[str, int]] = set()
    for result in results:
        if result.hook is None:
            raise UsageError(f"The tree has no hook for {result.layer.cls}.", "Apply one first.")
        if not result.derived.fits_training:
            raise UsageError(f"No spec fits the training calls of {result.layer.cls}.")
        file = within(result.hook.file, root)
        if Path(file).is_absolute():
            raise UsageError(f"The hook of {result.layer.cls} is outside the tree: {file}.")
        place = (file, result.hook.line)
        by_call.setdefault(place, {})[result.layer.cls] = result.derived.spec
        # A trainer that stands elsewhere than the net hooks the kit's other nets as well.
        if Path(within(result.layer.file, root)).parent != Path(file).parent:
            shared.add(place)
    files: dict[str, bytes] = {}
    # From the last line up: the lines above keep their numbers.
    for (file, line), specs in sorted(by_call.items(), key=lambda item: -item[0][1]):
        code = files.get(file) or (root / file).read_bytes()
        files[file] = with_spec(
            code, line, specs if spec else {}, replace=replace, shared=(file, line) in shared
        )
    return files


def _in_config(root: Path, config: str, results: tuple[SpecResult, ...]) -> dict[str, bytes] | None:
    """The config with the shape, where the kit's hook reads it from there and the rest is right."""
    if len(results) != 1 or results[0].hook is None:
        return None
    (result,) = results
    hook = results[0].hook
    if _KEY not in Path(hook.file).read_text(encoding="utf-8", errors="replace"):
        return None
    if hook.spec is None:
        raise UsageError(
            f"The hook in {within(hook.file, root)} has its own table of specs by model, which"
            " lacks this one; its call without a spec serves all models that the table lacks.",
            f"Enter the model there, with {SpecSource().line(result.derived.spec)}.",
        )
    first = result.derived.names[0]
    wrong = [d for d in result.differences if d.fault and d.kind != "dtype" and d.path != first]
    if wrong:
        raise UsageError(
            f"The kit's table for this model is wrong at {within(wrong[0].file, root)}:"
            f"{wrong[0].line} ({wrong[0].path}: {wrong[0].kit}, fed {wrong[0].fed}).",
            "Fix that line; a change of the config alone does not help.",
        )
    picture = result.derived.spec[0]
    if not isinstance(picture, Tensor):
        return None
    sizes = ", ".join("-1" if size is None else str(size) for size in picture.shape[1:])
    return {config: _with_key((root / config).read_bytes(), f"[{sizes}]", config)}


def _in_table(root: Path, config: str, results: tuple[SpecResult, ...]) -> dict[str, bytes] | None:
    """The hook's file with a row for the config, where the kit has a table of specs by config."""
    hook = results[0].hook if len(results) == 1 else None
    if hook is None or hook.spec is not None or Path(within(hook.file, root)).is_absolute():
        return None
    names = {path.stem for path in root.rglob(f"*{Path(config).suffix}")}
    file, key = within(hook.file, root), Path(config).stem
    code = (root / file).read_bytes()
    new = with_row(code, hook.line, key, results[0].derived.spec, names.__contains__)
    return None if new is None else {file: new}


def _with_key(data: bytes, value: str, config: str) -> bytes:
    """The YAML text with the key in its `Global` block; nothing else is touched."""
    text = data.decode("utf-8")
    block = re.search(r"^Global:[^\n]*\n((?:(?:[ \t#][^\n]*)?\n)*)", text, re.M)
    if block is None:
        raise UsageError(f"{config} has no Global block.")
    old = re.search(rf"^([ \t]+){_KEY}:[ \t]*(\[[^\]\n]*\])", block.group(0), re.M)
    if old is not None:
        start = block.start() + old.start(2)
        return (text[:start] + value + text[block.start() + old.end(2) :]).encode()
    if _KEY in block.group(0):
        raise UsageError(f"{config} writes {_KEY} over several lines.", f"Set it to {value}.")
    lines = block.group(0).rstrip("\n \t")
    indent = re.search(r"\n([ \t]+)\S", lines)
    at = block.start() + len(lines)
    return f"{text[:at]}\n{indent.group(1) if indent else '  '}{_KEY}: {value}{text[at:]}".encode()
