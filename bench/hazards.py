"""Hazards against truth: of the models that fail, how many were flagged, and the reverse.

usage: python -m bench.hazards --kits DIR [--workspace DIR] [--misses N] [--each ID ...]

Truth is what the base of evidence holds, and a workspace's stores: parity results (`results/`) and
probes (`probes/`), read as they are. A model counts as flagged in a mode on a Paddle when one of
its hazards is wrong or raises there; SOT's breaks are held against `break` and `eager` hazards
apart.
`--kits` is a folder with a checkout a kit, of the revision that the results are of. `--each` tells
how often each of some hazards alone was right, by mode and Paddle.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from codemod.audit.reach import trainable
from codemod.code.tree import Tree
from codemod.hazards import Effect, Mode, ModelHazards, scan_kit
from codemod.hazards.hazard import SEVERE
from codemod.hazards.reach.index import Class
from codemod.hazards.scan import Scanner
from codemod.judging.evidence.base import files as base_files
from codemod.judging.evidence.base import read_file
from codemod.judging.evidence.result_files import PARITY_FOLDER, PROBE_FOLDER, read_results
from codemod.judging.verdict import Verdict
from codemod.kits.catalogue import find_kit
from codemod.kits.config_rule import Configs, config_rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.judging.evidence.result import Result

SPLITS = (Effect.EAGER, Effect.BREAK)


@dataclass(frozen=True, slots=True)
class Truth:
    """What one run said of a config in a mode; `hooked` where the kit's own hook stood in it."""

    kit: str
    config: str
    paddle: str
    mode: Mode
    verdict: Verdict
    reason: str
    breaks: int
    reasons: tuple[str, ...]
    model: str
    hooked: bool


def truths(workspace: Path | None) -> Iterator[Truth]:
    """Every verdict that says something of the model; parity's over a probe's.

    The base's come first, so that those of the workspace count more.
    """
    kept: dict[tuple[str, str, str, Mode], Truth] = {}
    for kind in ("probe", "parity"):
        for result in _results(kind, workspace):
            for truth in _of(result):
                kept[truth.kit, truth.config, truth.paddle, truth.mode] = truth
    yield from kept.values()


def _results(kind: str, workspace: Path | None) -> Iterator[Result]:
    for file in base_files():
        yield from (row.to_result() for row in read_file(file).rows if row.kind == kind)
    if workspace is not None:
        store = PROBE_FOLDER if kind == "probe" else PARITY_FOLDER
        yield from (one.result for one in read_results(workspace / store).results)


def _of(result: Result) -> Iterator[Truth]:
    for mode in Mode:
        found = result.modes.get(mode.value)
        if found and (found.verdict.passed or is_failure(found.verdict)):
            yield Truth(
                result.kit,
                result.config,
                result.paddle,
                mode,
                found.verdict,
                found.reason,
                found.graph_breaks or 0,
                found.break_reasons,
                result.probe.model if result.probe else "",
                result.probe is None,
            )


def is_failure(verdict: Verdict) -> bool:
    """Whether a hazard should have warned: other numbers, an error, a crash."""
    return verdict.differs or verdict in (Verdict.FAILS, Verdict.CRASH)


def scanned(kits: Path, known: list[Truth]) -> dict[tuple[str, str], ModelHazards]:
    """The hazards of every config of the kits that the results are about."""
    found: dict[tuple[str, str], ModelHazards] = {}
    for name in sorted({truth.kit for truth in known}):
        kit = find_kit(name)
        rule = config_rule(kit) if kit else None
        tree = Tree(kits / name)
        if kit is None or rule is None or not tree.root.is_dir():
            continue
        configs = dict(trainable(kit, rule, tree, Configs(tree, rule.base)))
        found.update(((name, m.config), m) for m in scan_kit(tree, rule, configs))
        classes = {(t.config, t.model) for t in known if t.kit == name and t.config not in configs}
        found.update(((name, m.config), m) for m in of_classes(tree, sorted(classes)))
    return found


def paired(
    known: list[Truth], models: dict[tuple[str, str], ModelHazards]
) -> list[tuple[Truth, ModelHazards]]:
    """Each run with the hazards of its config, less those that the kit's hook sees to in it."""
    rules = {
        kit.name: config_rule(kit) for name in {t.kit for t in known} if (kit := find_kit(name))
    }
    settled = {name: frozenset(rule.settled) for name, rule in rules.items() if rule}
    found = []
    for truth in known:
        model = models.get((truth.kit, truth.config))
        if model is not None:
            gone = settled.get(truth.kit, frozenset()) if truth.hooked else frozenset()
            left = tuple(one for one in model.found if one.id not in gone)
            found.append((truth, replace(model, found=left)))
    return found


def of_classes(tree: Tree, classes: list[tuple[str, str]]) -> Iterator[ModelHazards]:
    """The hazards of classes that a probe built from their file, where a kit has no configs."""
    scanner = Scanner(tree)
    for file, name in classes:
        net = scanner.index.defined(file, name) if file.endswith(".py") else None
        if isinstance(net, Class):
            units = scanner.units([net])
            hazards = scanner.collect(units, frozenset())
            yield ModelHazards(file, (f"{file}:{name}",), hazards)


def flags(model: ModelHazards, truth: Truth, effects: tuple[Effect, ...]) -> list[str]:
    """The hazards of a model with one of the effects in a run's mode and Paddle."""
    return sorted({f.id for f in model.found if f.effect(truth.mode, truth.paddle) in effects})


def warnings(model: ModelHazards, truth: Truth) -> list[str]:
    """The hazards for which the survey warns: those that most models with them show."""
    known = [f for f in model.found if not f.is_doubtful(truth.mode, truth.paddle)]
    return sorted({f.id for f in known if f.effect(truth.mode, truth.paddle) in SEVERE})


def tell(title: str, rows: list[tuple[bool, bool]]) -> None:
    """Recall and precision of (flagged, true) pairs."""
    counts = Counter(rows)
    hit, miss, false = counts[True, True], counts[False, True], counts[True, False]
    recall = f"{hit}/{hit + miss}"
    precision = f"{hit}/{hit + false}"
    print(f"{title:34} runs {len(rows):4}  recall {recall:>8}  precision {precision:>8}")


def main() -> None:
    """Print the two figures by mode and Paddle, the misses and the false alarms."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--workspace", type=Path, help="results beside those of the base")
    parser.add_argument("--kits", type=Path, required=True)
    parser.add_argument("--misses", type=int, default=20, help="how many lines of each list")
    parser.add_argument("--each", nargs="*", default=[], metavar="ID", help="hazards by themselves")
    given = parser.parse_args()
    known = list(truths(given.workspace))
    models = scanned(given.kits, known)
    pairs = paired(known, models)
    print(f"{len(pairs)} of {len(known)} verdicts are of configs that the kits hold")
    for key in sorted({(t.mode.value, t.paddle) for t, _ in pairs}):
        some = [(t, m) for t, m in pairs if (t.mode.value, t.paddle) == key]
        title = f"{key[0]} {key[1]}"
        failing = [(bool(flags(m, t, SEVERE)), is_failure(t.verdict)) for t, m in some]
        tell(f"fails, {title}", failing)
        if key[0] == Mode.SOT.value:
            ran = [(t, m) for t, m in some if t.verdict.passed]
            split = [(bool(flags(m, t, SPLITS)), is_split(t)) for t, m in ran]
            tell(f"breaks, {title}", split)
    tell("fails, all", [(bool(flags(m, t, SEVERE)), is_failure(t.verdict)) for t, m in pairs])
    warned = [(bool(warnings(m, t)), is_failure(t.verdict)) for t, m in pairs]
    tell("shown as a warning, all", warned)
    for hazard in given.each:
        alone(hazard, pairs)
    misses = [(t, m) for t, m in pairs if is_failure(t.verdict) and not flags(m, t, SEVERE)]
    alarms = [(t, m) for t, m in pairs if t.verdict.passed and flags(m, t, SEVERE)]
    unseen = [
        (t, m)
        for t, m in pairs
        if t.mode is Mode.SOT and is_split(t) and not flags(m, t, (*SPLITS, *SEVERE))
    ]
    listed("misses", misses, given.misses)
    listed("false alarms", alarms, given.misses)
    listed("breaks without a hazard", unseen, given.misses)


def alone(hazard: str, pairs: list[tuple[Truth, ModelHazards]]) -> None:
    """Of the runs that a hazard flags: how many failed, and the passes where nothing else does."""
    for mode, paddle in sorted({(t.mode.value, t.paddle) for t, _ in pairs}):
        of = [(t, m) for t, m in pairs if (t.mode.value, t.paddle) == (mode, paddle)]
        flagged = [(t, flags(m, t, SEVERE)) for t, m in of if hazard in flags(m, t, SEVERE)]
        if not flagged:
            continue
        right = sum(is_failure(t.verdict) for t, _ in flagged)
        only = [t for t, ids in flagged if ids == [hazard]]
        hit = sum(is_failure(t.verdict) for t in only)
        kits = sorted({t.kit for t, _ in flagged})
        print(
            f"{hazard} {mode} {paddle}: {right} of {len(flagged)} runs fail; where it is the only "
            f"one {hit} of {len(only)}; {', '.join(kits)}"
        )
        for truth in [t for t, _ in flagged if t.verdict.passed][:8]:
            print(f"    passes: {truth.kit} {truth.config}")


def is_split(truth: Truth) -> bool:
    """Whether SOT ran the model in parts, or part of it dynamically."""
    return truth.verdict is Verdict.PASS_PARTIAL or truth.breaks > 0


def listed(title: str, rows: list[tuple[Truth, ModelHazards]], most: int) -> None:
    """One line a run: where, verdict, the hazards that were flagged, the reason."""
    print(f"\n{title}: {len(rows)}")
    for truth, model in rows[:most]:
        ids = ", ".join(flags(model, truth, SEVERE)) or "-"
        why = truth.reason if is_failure(truth.verdict) else "; ".join(truth.reasons[:2])
        print(
            f"  {truth.kit} {truth.config} {truth.mode.value} {truth.paddle}: "
            f"{truth.verdict} [{ids}] {why[:160]}"
        )


if __name__ == "__main__":
    main()
