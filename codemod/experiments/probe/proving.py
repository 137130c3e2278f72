"""Proving a fix: the kit's tree and a copy with the fix are probed; records and legs compared."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from codemod.base import given
from codemod.base.changeset import ChangeSet
from codemod.base.files.workspace import Workspace
from codemod.base.patch.apply import changed_copy
from codemod.base.reason import Reason
from codemod.base.terminal.doing import doing
from codemod.engine.rewrite.rewritten import rewritten_lines, unexecuted
from codemod.experiments.probe.models import Model, only_model
from codemod.experiments.probe.probe_job import scratch_folder
from codemod.experiments.probe.probing import STEPS, Probed, Prober
from codemod.experiments.probe.request import ProbeRequest
from codemod.experiments.probe.server import Equipment, Server, equipment_of
from codemod.judging.comparing.same_training import first_deviation
from codemod.judging.evidence.fix_proofs import FOLDER, Dynamic, FixProof, by_ends
from codemod.judging.evidence.result_files import now
from codemod.judging.evidence.rows import short_reason, short_said
from codemod.training.runner import recorder_version


@dataclass(frozen=True, slots=True)
class ProofObligation:
    """What is to be proved: these fixes, of this config, change the tree like this.

    `ground` is as in `FixProof`; `alone` is the change that each of several fixes makes by itself.
    """

    config: str
    fixes: tuple[str, ...]
    change: ChangeSet
    ground: str
    alone: tuple[tuple[str, ChangeSet], ...] = ()


@dataclass(frozen=True, slots=True)
class _Side:
    """What one tree gives: Paddle's version, the adapter's, the model, its probe, its legs."""

    paddle: str
    adapter: int
    model: Model
    probed: Probed
    legs: LegOutcomes


def prove(claim: ProofObligation, asked: ProbeRequest, workspace: Workspace) -> FixProof:
    """Probe the config in the tree as it is and in a copy with the change.

    Of `asked`, the configs, the count and the jobs are not looked at.

    Raises:
        UsageError: the kit cannot be probed, or the config names no model.
    """
    source = claim.change.source
    kit = source.name
    equipment = equipment_of(kit, workspace, asked.paddle, asked.python, asked.adapter)
    base = workspace.make(FOLDER, kit)
    with scratch_folder(base) as scratch:
        lines = rewritten_lines(claim.change)
        copy = changed_copy(claim.change, scratch / "tree")
        made_of = (equipment, claim.config, asked)
        before = _side(source.root, scratch / "before", *made_of, None, {})
        # The same inputs, also where those on which it failed before are not the first that run.
        ran = before.probed.dynamic.outcome == "ok"
        same = before.probed.part.attempt if ran else None
        after = _side(copy, scratch / "after", *made_of, same, lines)
        agree, apart = compared(before.legs, after.legs) if ran else ((), None)
        apart = apart or (_alone(claim, before, scratch, equipment) if ran else None)
    dynamic, why = _dynamic(before.probed, after.probed)
    if apart and dynamic is Dynamic.EQUAL:
        dynamic, why = Dynamic.DIFFERS, apart
    edits, modes = claim.change.edits, after.probed.modes
    return FixProof(
        kit=kit,
        config=claim.config,
        paddle=after.paddle,
        fixes=claim.fixes,
        ground=claim.ground,
        dynamic=dynamic,
        reason=short_reason(str(why or "")),
        why=short_said([why])[0] if why else None,
        left={m: short_reason(f.reason) for m, f in modes.items() if not f.verdict.passed},
        before={mode: found.verdict for mode, found in before.probed.modes.items()},
        after={mode: found.verdict for mode, found in modes.items()},
        lines_added=sum(edit.lines_added for edit in edits),
        lines_removed=sum(edit.lines_removed for edit in edits),
        steps=STEPS,
        also=after.model.also,
        model=after.model.name,
        attempt=after.probed.part.attempt,
        adapter=after.adapter,
        recorder=recorder_version()[:16],
        revision=source.revision,
        date=now(),
        agree=agree,
        unexecuted=unexecuted(claim.change, after.legs.executed, after.legs.partly),
    )


def _alone(
    claim: ProofObligation, before: _Side, scratch: Path, equipment: Equipment
) -> Reason | None:
    """Which fix changes what a leg gives when it is made alone; None where none does."""
    for number, (name, change) in enumerate(claim.alone):
        folder = scratch / f"alone{number}"
        copy = changed_copy(change, folder / "tree")
        with Server(equipment, copy, folder / "server.log") as server:
            server.start()
            given = run_legs(server, copy, before.model, before.probed.part.attempt, {})
        if apart := compared(before.legs, given)[1]:
            return Reason.of("experiments.fix-alone", fix=name, why=apart)
    return None


def _side(
    root: Path,
    scratch: Path,
    equipment: Equipment,
    config: str,
    asked: ProbeRequest,
    attempt: dict[str, Any] | None,
    lines: Mapping[str, Collection[int]],
) -> _Side:
    """What the tree at `root` gives; which of `lines` are executed is watched.

    With an `attempt`, the model is fed as that says and in no other way.
    """
    with Server(equipment, root, scratch / "server.log") as server:
        ready = server.start()
        model = only_model(server, config)
        if attempt is not None:
            model = replace(model, attempts=(attempt,))
        # What a fix has to heal is looked at on the config's own pictures, and so is the fix.
        probed = Prober(server, asked.limits).probe(model, own_size=True)
        fed = probed.part.attempt
        legs = run_legs(server, root, model, fed, lines) if fed else LegOutcomes()
        return _Side(ready.paddle, ready.adapter, model, probed, legs)


def _dynamic(before: Probed, after: Probed) -> tuple[Dynamic, Reason | None]:
    """What became of dynamic training, and why it is not equal."""
    if ended := by_ends(before.dynamic.outcome, after.dynamic.outcome):
        return ended, after.why if before.dynamic.outcome == "ok" else before.why
    if before.part.attempt != after.part.attempt:
        return Dynamic.DIFFERS, Reason.of("experiments.other-inputs")
    found = first_deviation(before.reference, after.reference)
    return (Dynamic.EQUAL if found is None else Dynamic.DIFFERS), found


# By their names in proofs on record.
_TOLD = {
    "train() outputs": Reason.of("experiments.leg-train"),
    "train() outputs of a longer batch": Reason.of("experiments.leg-train-longer"),
    "eval() outputs": Reason.of("experiments.leg-eval"),
    "eval() outputs of a longer batch": Reason.of("experiments.leg-eval-longer"),
    "weights and optimizer's state of Adam": Reason.of("experiments.leg-adam"),
}
LEGS = tuple(_TOLD)
_LIMIT_S = 600.0


@dataclass(frozen=True, slots=True)
class LegOutcomes:
    """What each leg gave, and the lines that were executed meanwhile, as (path in the tree, line).

    `partly` are lines of which an instruction was not, such as one side of a condition. A leg that
    could not be run gave `error`: the class of its error, or None where its process ended.
    """

    given: dict[str, Any] = field(default_factory=dict)
    executed: frozenset[tuple[str, int]] = frozenset()
    partly: frozenset[tuple[str, int]] = frozenset()

    @property
    def ran(self) -> tuple[str, ...]:
        """The legs that ran."""
        return tuple(name for name, gave in self.given.items() if not _failed(gave))


def _failed(gave: Any) -> bool:
    return isinstance(gave, dict) and "error" in gave


def run_legs(
    server: Server,
    root: Path,
    model: Model,
    attempt: dict[str, Any],
    lines: Mapping[str, Collection[int]],
) -> LegOutcomes:
    """Run the legs in the tree at `root`, watching which of these lines of its files are executed.

    Only functions that hold one are watched: in a watched one `locals()` is made anew at each line,
    which is another thing for a model that keeps it.
    """
    watched = {str(root / path): path for path in lines}
    wanted = {str(root / path): sorted(some) for path, some in lines.items()}
    asked = {"config": model.config, "attempt": attempt, "watched": wanted}
    gave: dict[str, Any] = {}
    seen: dict[str, set[tuple[str, int, str]]] = {"executed": set(), "done": set(), "left": set()}
    for number, leg in enumerate(LEGS):
        doing(f"{model.name} ({model.config}): {leg}")
        # A process each: some kits build a net but once in one.
        out = server.ask("leg", f"leg{number}.json", _LIMIT_S, leg=leg, **asked).out
        content = given.content(out)
        if content is None:
            gave[leg] = {"error": None}
            continue
        with given.believed(out):
            gave[leg] = content["gave"]
            for kind, places in seen.items():
                told = content[kind]
                places |= {(watched[path], int(line), str(name)) for path, line, name in told}
    executed = frozenset((path, line) for path, line, _ in seen["executed"])
    partly = frozenset((path, line) for path, line, _ in seen["left"] - seen["done"])
    return LegOutcomes(gave, executed, partly & executed)


def compared(before: LegOutcomes, after: LegOutcomes) -> tuple[tuple[str, ...], Reason | None]:
    """The legs that agree, and the first that does not, None where all do.

    A leg that could not be run before the change says nothing.
    """
    agree: list[str] = []
    for name in before.ran:
        gave: Any = after.given.get(name)
        if gave != before.given[name]:
            if not _failed(gave):
                return tuple(agree), Reason.of("experiments.leg-differs", leg=_TOLD[name])
            error = gave["error"] or Reason.of("experiments.leg-ended")
            return tuple(agree), Reason.of("experiments.leg-fails", leg=_TOLD[name], error=error)
        agree.append(name)
    return tuple(agree), None
