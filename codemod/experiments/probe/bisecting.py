"""Since which release a config's probe shows what it shows: the releases between are bisected."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from codemod.base.changeset import Source
from codemod.base.files.workspace import Workspace
from codemod.base.terminal.doing import note
from codemod.experiments.probe.probe_job import OnProbe, probe_kit
from codemod.experiments.probe.request import ProbeOutcome, ProbeRequest
from codemod.judging.evidence.result import Result
from codemod.judging.since import ReleaseChange, changes, undecided
from codemod.judging.verdict import Verdict
from codemod.kits.paddles import paddles
from codemod.training.runner import STATIC_MODES

# By config and release.
_Results = Mapping[str, Mapping[str, Result]]


@dataclass(frozen=True, slots=True)
class Bisected:
    """All probes that were made, and what changed of each config: the mode, and where."""

    outcome: ProbeOutcome
    changed: tuple[tuple[str, str, ReleaseChange], ...]


def bisect_kit(
    source: Source, asked: ProbeRequest, workspace: Workspace, told: OnProbe | None = None
) -> Bisected:
    """Probe the oldest and the newest release that the tool knows, then those between changes.

    Raises UsageError for a kit without an adapter, or a config that names no model.
    """
    releases = [row.version for row in paddles().releases]
    outcomes: list[ProbeOutcome] = []

    def probe(release: str, configs: Sequence[str]) -> tuple[Result, ...]:
        note(f"Paddle {release}: {', '.join(configs)}")
        one = replace(asked, paddle=release, configs=tuple(configs))
        outcomes.append(probe_kit(source, one, workspace, told))
        return outcomes[-1].results

    found = bisected(probe, asked.configs, releases)
    whole = ProbeOutcome(
        tuple(result for by_release in found.values() for result in by_release.values()),
        {config: why for one in outcomes for config, why in one.unread.items()},
        sum(one.fresh for one in outcomes),
        {config: why for one in outcomes for config, why in one.lost.items()},
    )
    changed = tuple(
        (config, mode, change)
        for config, by_release in sorted(found.items())
        for mode in STATIC_MODES
        for change in changes(_verdicts(by_release, mode), releases)
    )
    return Bisected(whole, changed)


def bisected(
    probe: Callable[[str, Sequence[str]], Sequence[Result]],
    configs: Sequence[str],
    releases: Sequence[str],
) -> _Results:
    """Results by config and release, until each change lies between two neighbours that tell.

    `probe(release, configs)` gives a result for each config, or a glob's.
    """
    found: dict[str, dict[str, Result]] = defaultdict(dict)
    tried: dict[str, set[str]] = defaultdict(set)
    wanted: dict[str, Sequence[str]] = dict.fromkeys((releases[0], releases[-1]), configs)
    while wanted:
        for release, asked in wanted.items():
            results = probe(release, asked)
            for result in results:
                found[result.config][release] = result
            # One may be lost on its way: it is not asked for again.
            for config in {*asked, *(result.config for result in results)}:
                tried[config].add(release)
        wanted = _next(found, tried, releases)
    return found


def _next(
    found: _Results, tried: Mapping[str, set[str]], releases: Sequence[str]
) -> dict[str, Sequence[str]]:
    """Which configs to probe next on which release: for the first mode that needs it."""
    wanted: dict[str, list[str]] = defaultdict(list)
    for config, by_release in found.items():
        needed = (
            undecided(_verdicts(by_release, mode), releases, tried[config]) for mode in STATIC_MODES
        )
        first = next((release for release in needed if release), None)
        if first is not None:
            wanted[first].append(config)
    return {release: tuple(configs) for release, configs in wanted.items()}


def _verdicts(by_release: Mapping[str, Result], mode: str) -> dict[str, Verdict]:
    return {
        release: result.modes[mode].verdict
        for release, result in by_release.items()
        if mode in result.modes
    }
