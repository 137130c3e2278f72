"""Proofs of fixes, a line each: `evidence/fixes/<Kit>.jsonl`, and those of the workspace."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from codemod.base.changeset import ChangeSet
from codemod.base.errors import UsageError
from codemod.base.files.shared_file import bad_name, held, put_aside
from codemod.base.files.workspace import Workspace
from codemod.base.json_form import IF_THERE
from codemod.base.reason import Reason, Refusal
from codemod.base.terminal.doing import note
from codemod.code.tree import Tree
from codemod.judging.evidence.line_files import LineFiles
from codemod.judging.evidence.rows import bad_names
from codemod.judging.verdict import Verdict
from codemod.kits.paddles import major, measured

FOLDER = "fixes"
# A fix has to hold on each.
PADDLES = measured()
_DIGITS = 16


class Dynamic(str, Enum):
    """What a fix does to dynamic training."""

    EQUAL = "equal"  # to the bit
    MENDED = "mended"  # it did not run before, and does now
    DIFFERS = "differs"
    FAILS = "fails"  # after the fix
    UNKNOWN = "unknown"  # it reached a limit before or after the fix, or ran neither time


@dataclass(frozen=True, slots=True)
class TrainedProof:
    """What the kit's own trainer made of a fix in `steps` steps of its own config.

    `modes` holds the verdict of each static mode with the fix and the kit's hook, against dynamic
    training with both; `dynamic` compares that with dynamic training of the tree as it is. `why`
    is as in `FixProof`.
    """

    dynamic: Dynamic
    modes: dict[str, Verdict]
    steps: int
    reason: str = ""
    left: dict[str, str] = field(default_factory=dict)
    date: str = ""
    why: Reason | None = field(default=None, metadata=IF_THERE)


@dataclass(frozen=True, slots=True)
class FixProof:
    """What a probe found of one config on one Paddle, in the tree as it is and in the mended one.

    `fixes` are hazards with their places (`D-77 file.py:12`). `ground` is a digest of all files
    that the model reaches and of those that the fixes change, as they become. `before` and
    `after` hold the verdict of each static mode. `reason` says why `dynamic` is not `equal`, `left`
    by mode why it does not pass after the fix; `why` is `reason` as a code, which older proofs
    lack. `trained` is there where the kit's own trainer ran
    too. `agree` are the legs (outputs in `train()` and `eval()`, of two batches, weights and state
    of Adam) that are equal to the bit; `unexecuted` the rewritten statements, as FILE:LINE, that
    nothing executed.
    """

    kit: str
    config: str
    paddle: str
    fixes: tuple[str, ...]
    ground: str
    dynamic: Dynamic
    before: dict[str, Verdict]
    after: dict[str, Verdict]
    lines_added: int
    lines_removed: int
    steps: int
    reason: str = ""
    left: dict[str, str] = field(default_factory=dict)
    also: tuple[str, ...] = ()
    model: str = ""
    attempt: dict[str, Any] = field(default_factory=dict)
    adapter: int = 0
    recorder: str = ""
    revision: str | None = None
    date: str = ""
    trained: TrainedProof | None = field(default=None, metadata=IF_THERE)
    agree: tuple[str, ...] = field(default=(), metadata=IF_THERE)
    unexecuted: tuple[str, ...] = field(default=(), metadata=IF_THERE)
    why: Reason | None = field(default=None, metadata=IF_THERE)

    @property
    def place(self) -> tuple[str, str, str]:
        """What it speaks of: a newer proof of one place takes the older one's."""
        return (self.config, self.paddle, self.ground)

    @property
    def stands(self) -> bool:
        """Whether it counts: what is equal has to be so in its outputs too, not in training alone.

        Proofs made before there were legs have none.
        """
        return self.dynamic is not Dynamic.EQUAL or bool(self.agree)

    @property
    def harmful(self) -> bool:
        """Whether a run, of the probe or of the kit's trainer, showed another dynamic training."""
        trained = self.trained is not None and self.trained.dynamic is Dynamic.DIFFERS
        return trained or self.dynamic in (Dynamic.DIFFERS, Dynamic.FAILS)

    @property
    def gains(self) -> tuple[str, ...]:
        """The modes that pass after the fix and did not before."""
        return tuple(m for m, v in self.after.items() if v.passed and not self._passed(m))

    @property
    def losses(self) -> tuple[str, ...]:
        """The modes that passed before the fix and do not after it."""
        return tuple(m for m, v in self.after.items() if not v.passed and self._passed(m))

    def _passed(self, mode: str) -> bool:
        return mode in self.before and self.before[mode].passed


def counting(proofs: Mapping[str, FixProof]) -> dict[str, FixProof]:
    """The proof that counts on each Paddle; one on which nothing is known is left out.

    Where a Paddle has none of its own, that of the nearest older one of its major counts: a new
    release takes away nothing that was proved before it.
    """
    found: dict[str, FixProof] = {}
    for paddle in PADDLES:
        older = [proof for known, proof in found.items() if major(known) == major(paddle)]
        for proof in (proofs.get(paddle), *older[-1:]):
            if proof is not None:
                found.setdefault(paddle, proof)
    return found


def by_ends(before: str | None, after: str | None) -> Dynamic | None:
    """What two dynamic runs that ended so say of a fix; None where both are to be compared."""
    if not {"ok", "fails", "crash"}.issuperset((before, after)):
        return Dynamic.UNKNOWN
    if before == "ok":
        return None if after == "ok" else Dynamic.FAILS
    # What does not run without the fix either is no harm of the fix.
    return Dynamic.MENDED if after == "ok" else Dynamic.UNKNOWN


def judged(proofs: Mapping[str, FixProof]) -> Refusal | None:
    """Why a fix with these proofs, one a Paddle, is not offered; None where it is.

    The law: on each Paddle, by the proof that counts there, dynamic training is equal to the bit,
    or it raised before and there are no numbers that could change; no static mode is lost, and one
    passes that did not; each rewritten statement was executed. Where the kit's own trainer ran as
    well, it has to agree.
    """
    known = counting(proofs)
    for paddle in PADDLES:
        proof = known.get(paddle)
        if proof is None:
            return Refusal(Reason.of("evidence.unproved", paddle=paddle))
        said = proof.why or proof.reason
        if proof.dynamic is Dynamic.DIFFERS:
            return Refusal(Reason.of("evidence.differs", paddle=paddle, said=said))
        if proof.dynamic is Dynamic.FAILS:
            return Refusal(Reason.of("evidence.fails-after", paddle=paddle, said=said))
        if proof.dynamic is Dynamic.UNKNOWN:
            return Refusal(Reason.of("evidence.nothing-compared", paddle=paddle, said=said))
        if proof.unexecuted:
            places = proof.unexecuted
            return Refusal(Reason.of("evidence.unexecuted", places=places, paddle=paddle))
        if proof.losses:
            return Refusal(Reason.of("evidence.passed-before", modes=proof.losses, paddle=paddle))
    chosen = list(known.values())
    if not any(proof.gains for proof in chosen):
        return Refusal(Reason.of("evidence.none-passes"))
    return _trained(chosen)


def harmful_fixes(proofs: Iterable[FixProof]) -> dict[str, str]:
    """The fixes of proofs that show harm, each with a config of such a proof."""
    return {name: proof.config for proof in proofs if proof.harmful for name in proof.fixes}


def _trained(proofs: list[FixProof]) -> Refusal | None:
    """What the kit's own trainer says against them, where it ran."""
    ran = [(proof, proof.trained) for proof in proofs if proof.trained is not None]
    for proof, trained in ran:
        if trained.dynamic not in (Dynamic.EQUAL, Dynamic.MENDED):
            paddle, said = proof.paddle, trained.why or trained.reason
            return Refusal(Reason.of("evidence.trainer-differs", paddle=paddle, said=said))
    gained = [(proof, trained) for proof, trained in ran if proof.gains]
    if gained and not any(
        verdict.passed
        for proof, trained in gained
        for mode, verdict in trained.modes.items()
        if mode in proof.gains
    ):
        return Refusal(Reason.of("evidence.none-passes-in-trainer"))
    return None


def ground_of(tree: Tree, files: Iterable[str], change: ChangeSet) -> str:
    """A digest of the files that a model reaches, and of those that change as they become."""
    becomes = {one.path: one.new for one in change.changes}
    found = hashlib.sha256()
    for path in sorted({*files, *becomes}):
        for data in (tree.read(path), becomes.get(path, b"")):
            found.update(f"{path}\0{len(data)}\0".encode())
            found.update(data)
    return found.hexdigest()[:_DIGITS]


PROOFS = LineFiles(
    FOLDER,
    "proof",
    FixProof,
    lambda proof: bad_names(proof.kit, (proof.config, *proof.also), (proof.model,)),
)


def keep_proof(workspace: Workspace, proof: FixProof) -> None:
    """Add a proof to the workspace's own; a damaged file of these is put aside and named.

    Raises:
        UsageError: the kit's name cannot be that of a file.
        EnvironmentFault: the file cannot be read or written.
    """
    if fault := bad_name(proof.kit):
        raise UsageError(f"A proof cannot be kept: {fault}.")
    file = workspace.make(FOLDER) / f"{proof.kit}.jsonl"
    with held(file):
        known = PROOFS.read_file(file)
        if known.damaged:
            place = next(iter(known.damaged))
            note(f"{place} cannot be read; the file is kept as {put_aside(file).name}.")
        PROOFS.write(file, [*known.rows, proof])


def proofs_on(proofs: Iterable[FixProof], config: str, ground: str) -> dict[str, FixProof]:
    """The proofs of one config on one ground that stand, by Paddle.

    `also` counts as the config itself.
    """
    return {
        proof.paddle: proof
        for proof in proofs
        if proof.stands and proof.ground == ground and config in (proof.config, *proof.also)
    }
