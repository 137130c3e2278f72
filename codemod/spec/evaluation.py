"""How a kit's trainer is made to evaluate soon: `data/evaluation.yaml`."""

from __future__ import annotations

import dataclasses
import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from codemod.parity.recipes import Recipe

_FILE = Path(__file__).parent / "data" / "evaluation.yaml"


@dataclasses.dataclass(frozen=True, slots=True)
class Evaluation:
    """Options behind the recipe's; `why_not` is set where an evaluation cannot be seen.

    `shape_key` is the option by which the kit's hook is told the picture's shape.
    """

    set: tuple[str, ...] = ()
    args: tuple[str, ...] = ()
    why_not: str = ""
    shape_key: str = ""

    def over(self, recipe: Recipe) -> Recipe:
        """The recipe with these options."""
        return dataclasses.replace(
            recipe, set=(*recipe.set, *self.set), args=(*recipe.args, *self.args)
        )


def evaluation(kit: str, config: str) -> Evaluation:
    """The options of a kit, a case whose `configs` globs match over the kit's own.

    For a kit or a config that the file does not name there are none, and a reason.
    """
    import yaml

    raw: dict[str, Any] = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    found = dict(raw.get(kit, {}))
    for case in found.pop("cases", ()):
        if any(fnmatch.fnmatch(config, glob) for glob in case["configs"]):
            found |= case
    if not found:
        return Evaluation(why_not=f"no option is known that makes {kit} evaluate soon")
    key, why_not = found.get("shape_key", ""), found.get("why_not", "")
    if why_not:
        return Evaluation(why_not=why_not, shape_key=key)
    return Evaluation(tuple(found.get("set", ())), tuple(found.get("args", ())), shape_key=key)
