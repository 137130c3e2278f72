"""Name the hazard that explains a verdict, and its place in the kit's source.

`signs.yaml` says which clue leads to which hazard; here only the clues are gathered. Names and
remedies are those of the catalogue of hazards.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from codemod.base.files.data_folder import table_beside
from codemod.judging import captured, thresholds
from codemod.judging.blame import failed_with_switch_off
from codemod.judging.comparing.compare import compare
from codemod.judging.comparing.comparison import Comparison
from codemod.judging.kit_source import (
    Place,
    attribute_place,
    draw_place,
    in_kit,
    kit_classes,
    line_text,
    made_at,
    owner_of,
    shown,
)
from codemod.judging.verdict import ROUNDS, Explanation, FirstDifference, Judgement, Verdict
from codemod.training.inject.parity_recorder.graphs.outputs import COPIED_OUTPUTS
from codemod.training.record import Record


@dataclass(frozen=True, slots=True)
class Cure:
    """A flag, of Paddle or of the recorder, that takes a known cause away.

    `paddle` is how the versions begin that have the cause.
    """

    flag: str
    value: int
    paddle: str = ""


# By the comparison's field for the static run that is made with it.
CURES = {
    "in_order": Cure("FLAGS_new_executor_sequential_run", 1),
    "out_of_place": Cure("FLAGS_pir_apply_inplace_pass", 0),
    "copied": Cure(COPIED_OUTPUTS, 1, paddle="2"),
}
_FRAME = re.compile(r'File "([^"]+)", line (\d+)')


@dataclass(frozen=True, slots=True)
class _Clue:
    """Texts that signs are held against, and the place they lead to."""

    texts: dict[str, str]
    place: Place | None = field(default=None)


def hazard_behind(case: Comparison, judgement: Judgement, root: Path | None) -> Explanation | None:
    """The hazard behind a verdict; None for a pass, or where nothing is known to explain it.

    `root` is the kit's folder: only places within it are named.
    """
    return _named(case, judgement, root, _clues(case, judgement, root))


def cured_by(case: Comparison, judgement: Judgement) -> Explanation | None:
    """The hazard without which a further run agrees; None where none was made or none does."""
    first = judgement.first
    return _named(case, judgement, None, _cures(case, first, None, CURES)) if first else None


def _named(
    case: Comparison, judgement: Judgement, root: Path | None, clues: Iterable[_Clue]
) -> Explanation | None:
    from codemod.hazards.catalog import TEXTS

    start = case.static.start
    common = {
        "mode": case.mode,
        "paddle": str(start.get("paddle", "")),
        "verdict": judgement.verdict.value,
    }
    for clue in clues:
        texts = {**common, **clue.texts, "code": line_text(clue.place)}
        for sign in _table()["signs"]:
            if _fits(sign, texts):
                name, remedy = TEXTS[sign["hazard"]]
                place = clue.place if clue.place and in_kit(clue.place.file, root) else None
                where = (shown(place.file, root), place.line) if place else (None, None)
                return Explanation(sign["hazard"], name, remedy, *where)
    return None


def _table() -> dict[str, Any]:
    table: dict[str, Any] = table_beside(__file__, "signs.yaml")
    return table


def _fits(sign: dict[str, str], texts: dict[str, str]) -> bool:
    for key, pattern in sign.items():
        if key == "hazard":
            continue
        text = texts.get(key)
        if text is None:
            return False
        if not (text.startswith(pattern) if key == "paddle" else re.search(pattern, text)):
            return False
    return True


def _clues(case: Comparison, judgement: Judgement, root: Path | None) -> Iterator[_Clue]:
    static = case.static
    if judgement.verdict.failed:
        yield _error_clue(static, root)
    elif judgement.verdict.differs and judgement.first is not None:
        first = judgement.first
        yield from _cures(case, first, root, ("in_order", "out_of_place"))
        clue = _class_clue(case, first, root)
        if _may_be_a_break(case, first, clue):
            yield from (one for one in _break_clues(static, root) if one.place is not None)
        # Without the break that ends a graph, its outputs are none: the break goes first.
        yield from _cures(case, first, root, ("copied",))
        yield clue
    elif judgement.verdict is Verdict.NOT_STATIC:
        yield from _break_clues(static, root)
        yield _Clue(_hook_texts(static), hook_place(static))
    elif judgement.verdict is Verdict.PASS_PARTIAL:
        yield from _break_clues(static, root)


def _cures(
    case: Comparison, first: FirstDifference, root: Path | None, cures: Iterable[str]
) -> Iterator[_Clue]:
    """Which of these took the difference away when it was tried."""
    for cure in cures:
        if _cured(case.dynamic, getattr(case, cure), first):
            # The order of operators is of no line.
            place = None if cure == "in_order" else made_at(case.dynamic, first.name, root)
            yield _Clue({"cure": cure.replace("_", "-")}, place)


def cures_of(case: Comparison, judgement: Judgement) -> tuple[str, ...]:
    """The runs without a known cause that may end a difference, where it is one in value alone."""
    first, paddle = judgement.first, str(case.dynamic.start.get("paddle", ""))
    if not judgement.verdict.differs or first is None or first.kind not in ROUNDS:
        return ()
    return tuple(name for name, cure in CURES.items() if paddle.startswith(cure.paddle))


def _cured(dynamic: Record, without: Record | None, first: FirstDifference) -> bool:
    """Whether the run without a known cause agrees with dynamic training up to there."""
    if without is None:
        return False
    near = [s for s in compare(dynamic, without) if s.number <= first.step]
    marks = [diff for step in near for diff in (*step.grads, *step.buffers)]
    named = [diff for diff in marks if diff.name == first.name]
    return (
        any((step.opt, step.number) == (first.opt, first.step) for step in near)
        and all(step.loss_rel <= thresholds.LOSS_ROUNDOFF for step in near)
        and all(step.grad_rel <= thresholds.OWN_ROUNDOFF for step in near)
        and all(diff.distance <= thresholds.OWN_ROUNDOFF * diff.norm for diff in named)
    )


def _may_be_a_break(case: Comparison, first: FirstDifference, clue: _Clue) -> bool:
    """Whether a graph break can lose such a gradient there; none explains another loss."""
    paddle = str(case.static.start.get("paddle", ""))
    texts = {"paddle": paddle, "mode": case.mode, "class": clue.texts["class"]}
    return first.name != "loss" and _fits(_table()["lost_at_breaks"], texts)


def hook_place(record: Record) -> Place | None:
    """Where the kit called to_static."""
    if not record.hooks:
        return None
    return Place(str(record.hooks[0].get("file", "")), int(record.hooks[0].get("line", 0)))


def _hook_texts(record: Record) -> dict[str, str]:
    passes = [name for hook in record.hooks for name in hook.get("build_strategy") or ()]
    return {
        "target": ",".join(str(hook.get("target", "")) for hook in record.hooks),
        "strategy": ",".join(passes),
        "copies": "some" if _has_copies(record) else "none",
        "module": ",".join(_class_files(record)),
        "calls": "some" if record.count("hooked_calls") or not record.hooks else "none",
    }


def _class_files(record: Record) -> list[str]:
    """The files that define the hooked layers' classes."""
    targets = {hook.get("target") for hook in record.hooks}
    classes = [one for line in record.layers for one in line["classes"]]
    return [file for name, file in classes if name in targets]


def _has_copies(record: Record) -> bool:
    """Whether a hooked layer has a twin: layers of one class are numbered in their names."""
    roots = {name.split(".")[0] for line in record.layers for name in line["layers"]}
    return any(f"{hook.get('target', '')}#1" in roots for hook in record.hooks)


def failed_at(case: Comparison, judgement: Judgement, root: Path | None) -> str | None:
    """The kit's deepest line ("file:line") in the traceback of a run that failed."""
    if failed_with_switch_off(judgement.said):
        own = _own_frames(case.dynamic, root)
    else:
        own = _own_frames(case.static, root) if judgement.verdict.failed else []
    return f"{shown(own[-1].file, root)}:{own[-1].line}" if own else None


def _own_frames(record: Record, root: Path | None) -> list[Place]:
    message, trace = str(record.end.get("message", "")), str(record.end.get("traceback", ""))
    # The message of transformed code holds the frames of the kit's own source, the deepest last.
    frames = [*_FRAME.findall(trace), *_FRAME.findall(message)]
    return [Place(file, int(line)) for file, line in frames if in_kit(file, root)]


def _error_clue(record: Record, root: Path | None) -> _Clue:
    own = _own_frames(record, root)
    texts = _hook_texts(record)
    wrapped = re.search(r"DataParallel|Parallel|Group", texts["target"])
    if not wrapped:
        del texts["target"]
    place = hook_place(record) if wrapped else own[-1] if own else hook_place(record)
    said = _said(str(record.end.get("message", "")))
    return _Clue({"error": f"{record.end.get('error', '')}: {said}", **texts}, place)


def _said(message: str) -> str:
    """The error itself, without the frames and the source that Paddle prints before it."""
    lines = message.splitlines()
    named = [
        n for n, line in enumerate(lines) if re.match(r"\s*\(?[\w.]*(Error|Exception)\b", line)
    ]
    kept = lines[named[-1] :] if named else [line for line in lines if not _FRAME.search(line)]
    return "\n".join(line for line in kept if not _FRAME.search(line))


def _break_clues(record: Record, root: Path | None) -> Iterator[_Clue]:
    for item in record.breaks:
        place = captured.break_place(item)
        known = place is not None and in_kit(place[0], root)
        yield _Clue(
            {"break": str(item.get("reason", ""))}, Place(*place) if place and known else None
        )


def _class_clue(case: Comparison, first: FirstDifference, root: Path | None) -> _Clue:
    static = case.static
    texts = {"class": first.kind, "strategy": _hook_texts(static)["strategy"]}
    if first.kind == "missing" and _was_sparse(case, first):
        texts["class"] = "missing-sparse"
    if first.kind == "frozen-state":
        return _state_clue(case, first, texts, root)
    if first.kind == "frozen-randomness":
        draws = (draw_place(file, name) for name, file in kit_classes(case.dynamic, root))
        return _Clue(texts, next((place for place in draws if place is not None), None))
    owner = owner_of(case.dynamic, first.name.rpartition(".")[0])
    texts["layer"] = owner.name if owner is not None else ""
    if texts["strategy"] or first.name == "loss":
        return _Clue(texts, hook_place(static) if texts["strategy"] else None)
    return _Clue(texts, made_at(case.dynamic, first.name, root))


def _was_sparse(case: Comparison, first: FirstDifference) -> bool:
    return any(
        step.grads[first.name].kind == "s"
        for step in case.dynamic.steps
        if (step.opt, step.number) == (first.opt, first.step) and first.name in step.grads
    )


def _state_clue(
    case: Comparison, first: FirstDifference, texts: dict[str, str], root: Path | None
) -> _Clue:
    """The first attribute that the two runs saw differently, near the first difference."""
    names = [
        name
        for step in case.distances
        if step.number <= first.step + 1
        for name, _, _ in step.state
        if name not in case.noisy_state
    ]
    if not names:
        return _Clue(texts)
    path, _, attribute = names[0].rpartition(".")
    owner = owner_of(case.dynamic, path)
    texts["attribute"] = names[0]
    if owner is None:
        return _Clue(texts)
    texts["owner"] = owner.file
    place = None
    if in_kit(owner.file, root):
        place = attribute_place(owner.file, owner.name, attribute)
        texts["scope"] = place.scope if place is not None else ""
    return _Clue(texts, place or made_at(case.dynamic, path, root))
