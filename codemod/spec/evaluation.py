"""How a kit's trainer is made to evaluate soon: `data/evaluation.yaml`."""

from __future__ import annotations

import dataclasses
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


def evaluation(kit: str) -> Evaluation:
    """The options of a kit; for a kit that the file does not name, none and a reason."""
    import yaml

    raw: dict[str, Any] = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    if kit not in raw:
        return Evaluation(why_not=f"no option is known that makes {kit} evaluate soon")
    found = raw[kit]
    return Evaluation(
        tuple(found.get("set", ())),
        tuple(found.get("args", ())),
        found.get("why_not", ""),
        found.get("shape_key", ""),
    )
