"""What fails or differs in the base of evidence, before and after the fixes on record.

The table in `docs/measured/fixes.md`; `--write` updates it. Why what is left is left stands in
`failing.yaml` beside this file.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from bench.fixes import PAGE, filled_block
from codemod.audit.fixes.declared import with_kit
from codemod.judging.evidence.base import files, read_file
from codemod.judging.evidence.fix_proofs import PADDLES, PROOFS, FixProof, judged
from codemod.judging.verdict import Verdict
from codemod.training.environment.devices import is_of_several

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.judging.evidence.rows import EvidenceRow

MODES = ("ast", "sot")
REASONS = Path(__file__).with_suffix(".yaml")
# A probe that could not build or feed a model says nothing of it; one that ran into an error in
# forward or backward does.
_STOPPED = ("mode: forward: ", "mode: backward: ")


@dataclass(frozen=True, slots=True)
class Failing:
    """A config (or file of model code) of which a mode fails or differs on one Paddle.

    `before` is by mode. `proof` is the one of an offered fix; `why` says what keeps the rest.
    `stopped` is what ended the probe in dynamic mode; empty where a static mode was judged.
    """

    kit: str
    config: str
    paddle: str
    before: dict[str, Verdict]
    proof: FixProof | None
    why: str
    stopped: str = ""

    @property
    def is_judged(self) -> bool:
        """Whether a static mode was run, before the fix or with it."""
        return not self.stopped or self.proof is not None

    @property
    def after(self) -> dict[str, Verdict]:
        """The verdicts with the fix; those without where there is none."""
        return {**self.before, **(self.proof.after if self.proof else {})}


def failing() -> Iterator[Failing]:
    """Every config with a verdict on record that is neither a pass nor silent."""
    for file in files():
        rows: dict[tuple[str, str], dict[str, EvidenceRow]] = defaultdict(dict)
        for row in sorted(read_file(file).rows, key=_weight):
            rows[row.config, row.paddle][row.mode] = row
        proofs = offered(file.stem)
        for (config, paddle), modes in sorted(rows.items()):
            if any(_is_bad(row) for row in modes.values()):
                before = {mode: row.verdict for mode, row in sorted(modes.items())}
                proof = proofs.get((config, paddle))
                why = reason_of(file.stem, config, paddle)
                yield Failing(file.stem, config, paddle, before, proof, why, _stopped(modes))


def _stopped(modes: dict[str, EvidenceRow]) -> str:
    """Why no mode ran; empty if one did."""
    silent = [row.reason for row in modes.values() if row.verdict is Verdict.NOT_RUN]
    return silent[0].partition("dynamic mode: ")[2] if len(silent) == len(modes) else ""


def _weight(row: EvidenceRow) -> int:
    """What replaces what, as in the survey: parity a probe, both one of several processes.

    What could not be run replaces nothing that was.
    """
    if row.verdict is Verdict.NOT_RUN:
        return -1
    several = is_of_several(row.device)
    return 0 if several and not row.verdict.differs else 1 + (row.kind == "parity")


def _is_bad(row: EvidenceRow) -> bool:
    if row.verdict is Verdict.NOT_RUN:
        return any(word in row.reason for word in _STOPPED) and "timeout" not in row.reason
    return not row.verdict.passed


def offered(kit: str) -> dict[tuple[str, str], FixProof]:
    """The proofs of offered fixes by config and Paddle."""
    groups: dict[tuple[str, str], dict[str, FixProof]] = defaultdict(dict)
    for proof in PROOFS.read(kit):
        groups[proof.config, proof.ground][proof.paddle] = proof
    return {
        (config, paddle): proof
        for group in groups.values()
        if judged(group) is None
        for paddle, proof in group.items()
        for config in (proof.config, *proof.also)
    }


@cache
def _reasons() -> dict[str, dict[str, str]]:
    stated: dict[str, dict[str, str]] = yaml.safe_load(REASONS.read_text(encoding="utf-8"))
    return stated


def reason_of(kit: str, config: str, paddle: str) -> str:
    """The first reason whose glob names the config, or the config on this Paddle; else nothing."""
    for glob, why in _reasons().get(kit, {}).items():
        path, _, only = glob.partition(" ")
        if fnmatchcase(config, path) and only in ("", paddle):
            return with_kit(kit, why)
    return ""


# What is left of a config that `failing.yaml` does not name.
UNKNOWN = "not reduced yet"
_SILENT_HEAD = """\
| kit, config | Paddle | what stopped it |
|---|---|---|
"""
_HEAD = """\
| kit, config | Paddle | AST | SOT | dynamic training | lines | what is left |
|---|---|---|---|---|---|---|
"""


def table(found: list[Failing]) -> str:
    """A line for each config and Paddle, those that a fix helps first, and the sums.

    What stopped in dynamic mode is no failure of a static mode: it stands apart and uncounted.
    """
    counted = [one for one in found if one.is_judged]
    ordered = sorted(counted, key=lambda one: (one.proof is None, one.kit, one.config, one.paddle))
    lines = sums(counted) + "\n" + _HEAD + "".join(_line(one) for one in ordered)
    return lines + _silent([one for one in found if not one.is_judged])


def _silent(found: list[Failing]) -> str:
    """How many probes stopped in dynamic mode, by kit, and a line for each."""
    if not found:
        return ""
    counts = Counter(one.kit for one in found)
    by_kit = ", ".join(f"{kit} {count}" for kit, count in sorted(counts.items()))
    ordered = sorted(found, key=lambda one: (one.kit, one.config, one.paddle))
    return (
        f"\nThe probes of {len(found)} more ({by_kit}) stopped in dynamic mode, in forward or\n"
        "backward, before a static mode was tried. They say nothing of one, and are not counted\n"
        "above:\n\n" + _SILENT_HEAD + "".join(_silent_line(one) for one in ordered)
    )


def _silent_line(one: Failing) -> str:
    why = one.why or one.stopped.replace("|", "\\|")
    return f"| {one.kit}, `{one.config}` | {one.paddle} | {why} |\n"


def _line(one: Failing) -> str:
    proof = one.proof
    left = [mode for mode in MODES if mode in one.after and not one.after[mode].passed]
    cells = [
        f"{one.kit}, `{one.config}`",
        one.paddle,
        *(_modes(one, mode) for mode in MODES),
        f"{proof.dynamic.value}, by probe" if proof else "",
        f"+{proof.lines_added} -{proof.lines_removed}" if proof else "",
        (one.why or UNKNOWN) if left else "",
    ]
    return f"| {' | '.join(cells)} |\n"


def _modes(one: Failing, mode: str) -> str:
    before, after = one.before.get(mode), one.after.get(mode)
    same = before is after or after is None
    return str(before or "") if same else f"{before} → {after}"


def sums(found: list[Failing]) -> str:
    """How many configs fail or differ in each mode and in both, before and after."""
    counts: Counter[tuple[str, str]] = Counter()
    for one in found:
        for state, verdicts in (("before", one.before), ("after", one.after)):
            bad = [mode for mode, verdict in verdicts.items() if not verdict.passed]
            counts.update((f"{one.paddle} {mode}", state) for mode in bad)
            counts[f"{one.paddle} both", state] += len(bad) == len(verdicts)
    lines = ["| Paddle | what fails or differs | before | after |", "|---|---|---|---|"]
    for paddle in PADDLES:
        for key, words in (("ast", "AST"), ("sot", "SOT"), ("both", "every mode")):
            pair = [str(counts[f"{paddle} {key}", state]) for state in ("before", "after")]
            lines.append(f"| {paddle} | {words} | {' | '.join(pair)} |")
    return "\n".join(lines) + "\n"


def filled(text: str) -> str:
    """The page with its table as the evidence is."""
    return filled_block(text, "failing", table(list(failing())))


def main() -> int:
    """Print the table, or write it into the page."""
    if "--write" in sys.argv[1:]:
        PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        sys.stdout.write(table(list(failing())))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
