"""One `codemod spec` from start to end, without its printing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from codemod.base.errors import UsageError
from codemod.base.files.workspace import Workspace
from codemod.experiments.spec.check import Check, check
from codemod.experiments.spec.observe import Observation, kit_specs, observe
from codemod.experiments.spec.spec_result import SpecResult, results
from codemod.training.preparation import Prepared
from codemod.training.runner import OnStep

# Options of a launch recipe that make pictures, clips or lists smaller than the config's.
_SIZES = re.compile(
    r"(?<!batch_)size|shape|scale|crop|transform|pipeline|seg_len|num_seg|max_len", re.I
)


@dataclass(frozen=True, slots=True)
class SpecOutcome:
    """What was observed, derived, and checked where that was asked for.

    `shrunk` are the recipe's options that may have changed sizes: a fixed dim holds with them.
    """

    seen: Observation
    results: tuple[SpecResult, ...]
    check: Check | None
    shrunk: tuple[str, ...] = ()
    unchecked: str = ""

    @property
    def exit_code(self) -> int:
        """1 where the kit's own spec is wrong or the check did not pass."""
        wrong = any(difference.fault for r in self.results for difference in r.differences)
        failed = self.check is not None and not self.check.passed
        return int(wrong or failed or bool(self.unchecked))

    def to_json(self, ready: Prepared) -> dict[str, Any]:
        """The object that `spec --json` prints, but for what was written."""
        return {
            "kit": ready.identity.kit,
            "config": ready.spec.config,
            "paddle": ready.build.version,
            "gate": self.seen.gate,
            "evaluated": not self.seen.no_eval,
            "no_evaluation": self.seen.no_eval or None,
            "smaller_batch": self.seen.cut,
            "layers": [result.to_json(ready.source.root) for result in self.results],
            "check": self.check.to_json() if self.check else None,
            "shrunk_by": [option.partition("=")[0] for option in self.shrunk],
            "unchecked": self.unchecked or None,
        }


def run(
    ready: Prepared,
    workspace: Workspace,
    batches: int,
    checks: bool,
    progress: OnStep | None = None,
) -> SpecOutcome:
    """Observe, derive, compare; with `checks` train with the spec as well.

    Raises:
        UsageError: the recipe says why the config cannot be trained here.
    """
    if ready.recipe.why_not:
        raise UsageError(f"{ready.spec.config} cannot be trained here: {ready.recipe.why_not}")
    seen = kit_specs(ready, workspace, observe(ready, workspace, batches, progress))
    told = {pair.partition("=")[0] for pair in ready.spec.options}
    shrunk = tuple(
        option
        for option in ready.recipe.set
        if _SIZES.search(option) and option.partition("=")[0] not in told
    )
    found = results(seen, shrunk=bool(shrunk))
    if not checks:
        return SpecOutcome(seen, found, None, shrunk)
    try:
        tried = check(ready, found, workspace, batches, seen.cut, progress)
    except UsageError as error:
        return SpecOutcome(seen, found, None, shrunk, str(error))
    return SpecOutcome(seen, found, tried, shrunk)
