"""How a kit is launched for parity: `rules/<Kit>/recipe.yaml`."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from codemod.base.errors import UsageError
from codemod.base.files.yaml_file import read_yaml
from codemod.base.schema import read_cases, read_fields
from codemod.kits.folder import RECIPE, kit_file, kits_with
from codemod.kits.paddles import measured

_PLACE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Recipe:
    """One kit's recipe, with the case of one config laid over it.

    `argv` is the kit's training command without the interpreter; `set` are options of the kit's own
    `key=value` form, handed over with `flag`: before each ("each"), before the first ("once"), or
    not at all ("bare"). `unset` names keys of these and options of `args` that are left out.
    `gate_*` is what switches the hook on. Texts may hold {config}, {data}, {out}, {device} (cpu or
    gpu), {use_gpu} (True or False), {seed}, {steps}, {root}. `overlay` is the text of a config that
    is laid over the kit's where no option reaches into that; it is written to a file, named
    {overlay}.
    {launcher} is the kit's own launch.py in `rules/`.
    `optimizers` are base classes of the kit's optimizers, `module:Class`, that do not derive from
    Paddle's: their `step` ends a step, their parameters are in `param_groups`. `together_*` are
    added where several processes train together, `cpu_args` where no GPU is used. `why_not` says
    why a config cannot be trained, which no run tells; texts in Chinese take `why_not_zh`.
    """

    argv: tuple[str, ...]
    cwd: str = "."
    flag: str = "-o"
    style: Literal["each", "once", "bare"] = "each"
    set: tuple[str, ...] = ()
    args: tuple[str, ...] = ()
    gate_set: tuple[str, ...] = ()
    gate_args: tuple[str, ...] = ()
    env: dict[str, str] = field(default_factory=dict)
    python: str = "3.10"
    paddle: str = field(default_factory=lambda: measured()[0])
    requirements: tuple[str, ...] = ()
    more_requirements: tuple[str, ...] = ()
    data: str = ""
    count: int = 64
    size: int = 64
    limit_s: int = 900
    why_not: str = ""
    why_not_zh: str = ""
    overlay: str = ""
    optimizers: tuple[str, ...] = ()
    together_set: tuple[str, ...] = ()
    together_args: tuple[str, ...] = ()
    cpu_args: tuple[str, ...] = ()
    unset: tuple[str, ...] = ()


# What may change while a run stays the same.
_NOT_OF_A_RUN = ("more_requirements", "limit_s", "why_not", "why_not_zh")
# Left out where empty, so that results from before these fields existed still count.
_LATER = ("optimizers", "together_set", "together_args", "cpu_args", "unset")


def run_text(recipe: Recipe) -> str:
    """All of a recipe that makes a run what it is, for its identity."""
    names = (item.name for item in dataclasses.fields(recipe) if item.name not in _NOT_OF_A_RUN)
    pairs = [(name, getattr(recipe, name)) for name in names]
    return repr([(name, value) for name, value in pairs if value or name not in _LATER])


def known_kits() -> tuple[str, ...]:
    """The kits that have a recipe, by name."""
    return kits_with(RECIPE)


def read_recipe(kit: str, config: str, file: Path | None = None) -> Recipe:
    """The recipe of `kit` for `config`, or the one in `file`.

    A case whose `configs` globs match is laid over the rest: its options are added, so that a case
    can state just what it changes; all else is replaced.

    Raises:
        UsageError: there is none, or the file is faulty, with file and line.
    """
    source = file or kit_file(kit, RECIPE)
    if source is None:
        raise UsageError(
            f"There is no recipe to launch {kit}.",
            f"Known: {', '.join(known_kits())}. Or pass one with --launch FILE.",
        )
    value = read_yaml(source)
    fields = read_cases(Recipe, value, config, adds=("set", "args", "requirements", "env")) or {}
    if "argv" not in fields:
        raise value.fault("lacks argv", "Name the training command in `argv`.")
    return Recipe(**fields)


def sample_kinds(kit: str) -> dict[str, tuple[int, int]]:
    """The kinds of sample data that a kit's recipe names, the kit's own first: count and size.

    Raises:
        UsageError: the recipe is faulty, with file and line.
    """
    source = kit_file(kit, RECIPE)
    if source is None:
        return {}
    value = read_yaml(source)
    aside = frozenset({"cases", "configs"})
    whole = read_fields(Recipe, value, aside)
    listed = dict(value.items()).get("cases")
    stated = [read_fields(Recipe, case, aside) for case in (listed.entries() if listed else ())]
    found: dict[str, tuple[int, int]] = {}
    for fields in (whole, *stated):
        if kind := fields.get("data"):
            made = Recipe(**{**whole, "argv": (), **fields})
            found.setdefault(kind, (made.count, made.size))
    return found


def fill(texts: tuple[str, ...], values: Mapping[str, str]) -> tuple[str, ...]:
    """The texts with their placeholders filled; an unknown one raises UsageError."""

    def put(match: re.Match[str]) -> str:
        if match.group(1) not in values:
            raise UsageError(f"The recipe has the unknown placeholder {match.group(0)}.")
        return values[match.group(1)]

    return tuple(_PLACE.sub(put, text) for text in texts)


def options(recipe: Recipe, pairs: tuple[str, ...]) -> tuple[str, ...]:
    """`key=value` pairs as the kit's command line wants them."""
    if not pairs or recipe.style == "bare":
        return pairs
    if recipe.style == "once":
        return (recipe.flag, *pairs)
    return tuple(word for pair in pairs for word in (recipe.flag, pair))


def _without(words: tuple[str, ...], options: tuple[str, ...]) -> Iterator[str]:
    """The words without these options and what follows each up to the next option."""
    left_out = False
    for word in words:
        left_out = word in options if word.startswith("--") else left_out
        if not left_out:
            yield word


def command_line(
    recipe: Recipe,
    gate: bool,
    user: tuple[str, ...],
    values: Mapping[str, str],
    together: bool = False,
) -> tuple[str, ...]:
    """The kit's training command with the gate off or on; the user's options come last.

    `together` says that several processes will run it.
    """
    several = recipe.together_set if together else ()
    stated = (pair for pair in recipe.set if pair.partition("=")[0] not in recipe.unset)
    pairs = (*stated, *several, *(recipe.gate_set if gate else ()))
    words = (
        *recipe.argv,
        *_without(recipe.args, recipe.unset),
        *(recipe.cpu_args if values.get("device") == "cpu" else ()),
        *(recipe.together_args if together else ()),
        *(recipe.gate_args if gate else ()),
    )
    return (*fill(words, values), *options(recipe, (*fill(pairs, values), *user)))
