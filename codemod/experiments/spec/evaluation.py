"""How a kit's trainer is made to evaluate soon: `rules/<Kit>/evaluation.yaml`."""

from __future__ import annotations

import dataclasses

from codemod.base.files.yaml_file import read_yaml
from codemod.base.schema import read_cases
from codemod.kits.folder import EVALUATION, kit_file
from codemod.training.recipes import Recipe


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
    """The options of a kit, a case whose `configs` globs match over the kit's own, key by key.

    For a kit or a config that has none there is a reason.

    Raises:
        UsageError: the kit's file is broken, with file and line.
    """
    file = kit_file(kit, EVALUATION)
    found = read_cases(Evaluation, read_yaml(file), config) if file else None
    if found is None:
        return Evaluation(why_not=f"no option is known that makes {kit} evaluate soon")
    made = Evaluation(**found)
    return Evaluation(why_not=made.why_not, shape_key=made.shape_key) if made.why_not else made
