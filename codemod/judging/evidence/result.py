"""A result: what a parity run or a probe found of one config on one Paddle.

Both are one type, `Result`: what they share stands in it, the rest in its part `parity` or
`probe`. docs/results.md describes every field as it stands in the file.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from enum import Enum
from typing import Any

# Not for checking alone: the fields' types are the schema of the file.
from codemod.base.reason import Reason, spoken
from codemod.judging.verdict import Explanation, FirstDifference, Verdict

DARK = "-dark"
"""What the names of pictures for dark pages end in, before their suffix."""


# Outcomes of a leg that are the hook's.
BAD_LEGS = ("differs", "fails", "crash")
_SHOWN, _PROBED = {"shown": True}, {"probed": True}


@dataclass(frozen=True, slots=True)
class ModeResult:
    """One static mode. What was not measured is None.

    The differences from dynamic training are the largest over all steps that both runs made:
    `loss_max_abs` in the loss's own unit, `loss_max_rel` by the loss, `grad_max_rel` by the global
    gradient norm; `noise_floor` is `grad_max_rel` of two dynamic runs. `compile_s` is in seconds,
    `step_ms` in milliseconds (the median), `memory_mb` in MB (the peak). `step_ms_range` holds the
    quartiles of the steps' times, `speedup_range` the least and the most that follow from both.

    `phase`, `message`, `traceback`, `status` and `log` describe a probe's run that did not pass;
    `confirmed` is False where a probe saw it on smaller inputs than the config's own alone.
    `legs` are the verdicts of what followed the last step: eval, export, read.
    `said` are the sentences of `reason` as codes, `advice` is `hint` as one: older results lack
    them. Metadata say which fields every reader is shown, and which a probe can tell: of so few
    steps, the first of which compiles, it has no times.
    """

    verdict: Verdict
    reason: str = ""
    steps: int | None = field(default=None, metadata=_SHOWN | _PROBED)
    loss_max_abs: float | None = field(default=None, metadata=_SHOWN)
    loss_max_rel: float | None = field(default=None, metadata=_SHOWN | _PROBED)
    grad_max_rel: float | None = field(default=None, metadata=_SHOWN | _PROBED)
    noise_floor: float | None = field(default=None, metadata=_SHOWN | _PROBED)
    programs: int | None = field(default=None, metadata=_SHOWN | _PROBED)
    graph_breaks: int | None = field(default=None, metadata=_SHOWN | _PROBED)
    compile_s: float | None = field(default=None, metadata=_SHOWN)
    step_ms: float | None = field(default=None, metadata=_SHOWN)
    step_ms_range: tuple[float, ...] | None = None
    speedup: float | None = field(default=None, metadata=_SHOWN)
    speedup_range: tuple[float, ...] | None = None
    graphs_a_step: float | None = field(default=None, metadata=_PROBED)
    operators: int | None = field(default=None, metadata=_PROBED)
    retraces: int | None = None
    late_retraces: int | None = None
    amp: str | None = None
    memory_mb: float | None = None
    rule: str = field(default="", metadata=_PROBED)
    hint: str = field(default="", metadata=_PROBED)
    first: FirstDifference | None = field(default=None, metadata=_PROBED)
    hazard: Explanation | None = field(default=None, metadata=_PROBED)
    hooks: tuple[dict[str, Any], ...] = ()
    break_reasons: tuple[str, ...] = field(default=(), metadata=_PROBED)
    inputs: tuple[dict[str, Any], ...] = ()
    recorder_faults: tuple[str, ...] = ()
    phase: str | None = None
    message: str = ""
    traceback: str = ""
    status: int = 0
    log: str = ""
    confirmed: bool = True
    said: tuple[Reason, ...] = ()
    advice: Reason | None = None
    legs: dict[str, str] = field(default_factory=dict)

    @property
    def speaks_for_itself(self) -> bool:
        """Whether the verdict alone says it all: a plain pass, in the precision asked for."""
        return self.verdict is Verdict.PASS and not self.bad_legs and self.amp != "not-real"

    @property
    def bad_legs(self) -> tuple[str, ...]:
        """What the hook breaks after the steps, whatever the steps say."""
        return tuple(name for name, outcome in self.legs.items() if outcome in BAD_LEGS)

    @property
    def sentences(self) -> tuple[Reason, ...]:
        """What is said of it: codes where it has them, else its words as they are."""
        return self.said or ((Reason.said(self.reason),) if self.reason else ())

    def saying(self, *said: Reason) -> ModeResult:
        """The same with other sentences."""
        return replace(self, said=said, reason=spoken(said))


def _marked(mark: str) -> tuple[str, ...]:
    return tuple(one.name for one in fields(ModeResult) if one.metadata.get(mark))


FIGURES = _marked("shown")
"""The figures of a mode that every reader is shown, in this order."""
PROBE_MODE = ("verdict", "reason", "said", *_marked("probed"))
"""What a probe's mode holds."""


@dataclass(frozen=True, slots=True)
class DynamicResult:
    """The reference run: how it ended, its speed, and whether a second one was made.

    `outcome` is None where nothing was run. `step_ms` is the median of a step in milliseconds
    without the recorder's own time, which is `recorder_ms`. `reason`, `tried` and `traceback` are
    a probe's: why the run, and each attempt before it, did not serve.
    """

    outcome: str | None = None
    steps: int | None = None
    step_ms: float | None = None
    recorder_ms: float | None = None
    memory_mb: float | None = None
    step_ms_range: tuple[float, ...] | None = None
    repeated: bool = False
    environment: dict[str, Any] = field(default_factory=dict)
    inputs: tuple[dict[str, Any], ...] = ()
    reason: str = ""
    tried: tuple[str, ...] = ()
    traceback: str = ""


@dataclass(frozen=True, slots=True)
class Curve:
    """One mode's losses, and its distance from dynamic training, a value a step.

    The values are those of the first optimizer; None is not a number.
    """

    loss: tuple[float | None, ...] = ()
    loss_difference: tuple[float | None, ...] = ()
    grad_difference: tuple[float | None, ...] = ()


@dataclass(frozen=True, slots=True)
class FurthestGradient:
    """A parameter whose gradient differs; `relative` is the largest distance by its own norm.

    `updated` is False where no run ever changed the parameter, None where that is not known.
    """

    name: str
    kind: str = field(metadata={"key": "class"})
    first_step: int
    relative: float | None = None
    updated: bool | None = None


@dataclass(frozen=True, slots=True)
class GradientSummary:
    """`compared` parameters had a gradient in a step that was compared, in dynamic or static mode.

    `equal` of them agree to the bit in every such step.
    """

    compared: int = 0
    equal: int = 0
    furthest: tuple[FurthestGradient, ...] = ()


class Grade(str, Enum):
    """How much of the kit's own training was run, the most first."""

    TRAINER = "trainer"  # the kit's own trainer, by its own command
    STEP = "step"  # its own training step, with all nets and optimizers, on a made batch
    NET = "net"  # the net alone


@dataclass(frozen=True, slots=True)
class ParityPart:
    """What a parity run says beside its modes.

    `hook` is the checksum of the kit's files with a hook. `changed` are the kit's files that differ
    from its revision; `hooked` says that one of them has a hook. `options` are the user's; `runs`
    are the command lines of the two trainings, `records` the folder of their records. `timings` is
    "shared" where runs went side by side: times mean nothing then. `request` is a digest of what
    was asked for; `hooks` are digests of the files that were read and name `to_static`; `reads` is
    what the runs imported, opened, listed, or looked for and did not find in the checkout, the
    samples and the kit's rules, as `codemod.training.reads` has it. `ran` has, by mode and path,
    the lines that a run executed of the files of `hooks` and `changed`: a digest and the numbers.
    """

    steps: int = 0
    hook: str | None = None
    changed: tuple[str, ...] = ()
    hooked: bool = False
    options: tuple[str, ...] = ()
    gradients: dict[str, GradientSummary] = field(default_factory=dict)
    curves: dict[str, Curve] = field(default_factory=dict)
    command: str = ""
    runs: tuple[str, ...] = ()
    records: str = ""
    pictures: tuple[str, ...] = ()
    interrupted: bool = False
    timings: str = "own"
    report: str = ""
    request: str = ""
    hooks: dict[str, str] = field(default_factory=dict)
    reads: dict[str, str] = field(default_factory=dict)
    ran: dict[str, dict[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ProbePart:
    """What a probe says beside its modes.

    `also` are other configs of the same architecture and arguments; `attempt` is what was built
    and fed. `limit_s` is the processor time that a dynamic run may take, `memory_gb` the memory
    that a run may take (None: all), `seconds` what the whole probe took on the clock. `parameters`
    counts the numbers that are trained. `grade` says what was run; `own_loss` is False for a
    placeholder in the place of the kit's loss, None where a result of before does not say it.
    `nets` has, for each net of a kit's own step, how many of its parameters and buffers the steps
    changed, and how many there are. `reads` is as in `ParityPart`, without the kit's rules.
    """

    also: tuple[str, ...] = ()
    model: str = ""
    family: str = ""
    adapter: int = 0
    note: str = ""
    limit_s: float = 0.0
    memory_gb: float | None = None
    built: bool = False
    seconds: float = 0.0
    attempt: dict[str, Any] = field(default_factory=dict)
    parameters: int = 0
    inputs: tuple[dict[str, Any], ...] = ()
    grade: Grade = Grade.NET
    own_loss: bool | None = None
    nets: dict[str, Any] = field(default_factory=dict)
    reads: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """One config on one Paddle; exactly one of `parity` and `probe` is there.

    `modes` has the static modes by name. `edited` has, of the files of the checkout that were read
    and are not as `revision` has them, what was read: a digest, "" for a file that was not there;
    None where it is not known, as of results of before it was kept. `date` is when it was measured
    (UTC, ISO 8601) and `recorder` the recorder's version; results of before have None.
    """

    kit: str
    config: str
    paddle: str
    modes: dict[str, ModeResult]
    dynamic: DynamicResult = field(default_factory=DynamicResult)
    revision: str | None = None
    device: str | None = None
    parity: ParityPart | None = None
    probe: ProbePart | None = None
    edited: dict[str, str] | None = None
    date: str | None = None
    recorder: str | None = None

    @property
    def kind(self) -> str:
        """`parity` or `probe`."""
        return "probe" if self.probe is not None else "parity"

    @property
    def interrupted(self) -> bool:
        """Whether a parity run was broken off: it says nothing then of what it did not reach."""
        return self.parity is not None and self.parity.interrupted

    @property
    def configs(self) -> tuple[str, ...]:
        """All configs that it covers, the one that was run first."""
        return (self.config, *(self.probe.also if self.probe else ()))

    @property
    def verdicts(self) -> frozenset[Verdict]:
        """The verdicts of all its modes."""
        return frozenset(mode.verdict for mode in self.modes.values())

    @property
    def passed(self) -> bool:
        """Whether every mode passes."""
        return all(mode.verdict.passed for mode in self.modes.values())


RAN = ("parity", "step", "probe", "placeholder")
"""By what was trained, the most telling first."""


def source_of(result: Result) -> str:
    """One of `RAN`: a probe of a net alone is told by whose loss it used."""
    if result.probe is None:
        return "parity"
    if result.probe.grade is Grade.STEP:
        return "step"
    return "probe" if has_own_loss(result.probe) else "placeholder"


def has_own_loss(probe: ProbePart) -> bool:
    """Whether the kit's own loss was used; results of before say it by their attempt alone."""
    if probe.own_loss is not None:
        return probe.own_loss
    return probe.attempt.get("loss") in ("kit", "step")
