"""How a kit is launched for parity: the declarative recipes of `data/recipes`."""

from __future__ import annotations

import dataclasses
import fnmatch
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codemod.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

RECIPES = Path(__file__).parent / "data" / "recipes"

_PLACE = re.compile(r"\{(\w+)\}")
_LISTS = (
    "argv",
    "set",
    "args",
    "gate_set",
    "gate_args",
    "requirements",
    "more_requirements",
    "configs",
)
_TEXTS = ("cwd", "flag", "style", "python", "paddle", "data", "why_not", "overlay")
_NUMBERS = ("count", "size", "limit_s")
_KNOWN = {*_LISTS, *_TEXTS, *_NUMBERS, "env", "cases"}


@dataclass(frozen=True, slots=True)
class Recipe:
    """One kit's recipe, with the case of one config laid over it.

    `argv` is the kit's training command without the interpreter; `set` are options of the kit's own
    `key=value` form, handed over with `flag`: before each ("each"), before the first ("once"), or
    not at all ("bare"). `gate_*` is what switches the hook on. Texts may hold {config}, {data},
    {out}, {device}, {seed}, {steps}, {root}. `overlay` is the text of a config that is laid over
    the kit's where no option reaches into that; it is written to a file, named {overlay}.
    """

    argv: tuple[str, ...]
    cwd: str = "."
    flag: str = "-o"
    style: str = "each"
    set: tuple[str, ...] = ()
    args: tuple[str, ...] = ()
    gate_set: tuple[str, ...] = ()
    gate_args: tuple[str, ...] = ()
    env: dict[str, str] = field(default_factory=dict)
    python: str = "3.10"
    paddle: str = "2.6.2"
    requirements: tuple[str, ...] = ()
    more_requirements: tuple[str, ...] = ()
    data: str = ""
    count: int = 64
    size: int = 64
    limit_s: int = 900
    why_not: str = ""
    overlay: str = ""


# What may change without the runs being others.
_NOT_OF_A_RUN = ("more_requirements", "limit_s", "why_not")


def run_text(recipe: Recipe) -> str:
    """All of a recipe that makes a run what it is, for its identity."""
    names = (item.name for item in dataclasses.fields(recipe) if item.name not in _NOT_OF_A_RUN)
    return repr([(name, getattr(recipe, name)) for name in names])


def known_kits() -> tuple[str, ...]:
    """The kits that have a recipe, by name."""
    return tuple(sorted(file.stem for file in RECIPES.glob("*.yaml")))


def _texts(value: object, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(
        isinstance(item, (str, int, float)) for item in value
    ):
        raise UsageError(f"{where} must be a list of texts.")
    return tuple(str(item) for item in value)


def _checked(raw: object, where: str) -> dict[str, Any]:
    if not isinstance(raw, dict):
        raise UsageError(f"{where} must be a mapping.")
    unknown = sorted(set(raw) - _KNOWN)
    if unknown:
        raise UsageError(f"{where} has the unknown key {unknown[0]!r}.")
    fields: dict[str, Any] = {}
    for key, value in raw.items():
        if key in _LISTS:
            fields[key] = _texts(value, f"{where}.{key}")
        elif key == "env":
            fields[key] = {str(name): str(text) for name, text in dict(value).items()}
        elif key in _NUMBERS:
            fields[key] = int(value)
        elif key == "cases":
            fields[key] = value
        else:
            fields[key] = str(value)
    return fields


def read_recipe(kit: str, config: str, file: Path | None = None) -> Recipe:
    """The recipe of `kit` for `config`; a case whose `configs` globs match adds to its lists.

    Raises UsageError if there is none, or the file is faulty.
    """
    import yaml

    source = file or RECIPES / f"{kit}.yaml"
    if file is None and not source.is_file():
        raise UsageError(
            f"There is no recipe to launch {kit}.",
            f"Known: {', '.join(known_kits())}. Or hand one over with --launch FILE.",
        )
    try:
        whole = yaml.safe_load(source.read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError) as error:
        raise UsageError(f"{source} cannot be read: {error}") from error
    fields = _checked(whole, source.name)
    for number, raw in enumerate(fields.pop("cases", [])):
        case = _checked(raw, f"{source.name}: cases[{number}]")
        globs = case.pop("configs", ())
        if any(fnmatch.fnmatch(config, glob) for glob in globs):
            fields = _laid_over(fields, case)
    if "argv" not in fields:
        raise UsageError(f"{source.name} names no argv.")
    return Recipe(**fields)


def _laid_over(fields: dict[str, Any], case: dict[str, Any]) -> dict[str, Any]:
    """Options add up, so that a case can say just what it changes; all else is replaced."""
    merged = {**fields, **case}
    for key in ("set", "args", "requirements"):
        if key in case:
            merged[key] = (*fields.get(key, ()), *case[key])
    if "env" in case:
        merged["env"] = {**fields.get("env", {}), **case["env"]}
    return merged


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


def command_line(
    recipe: Recipe, gate: bool, user: tuple[str, ...], values: Mapping[str, str]
) -> tuple[str, ...]:
    """The kit's training command with the gate off or on; the user's options come last."""
    pairs = (*recipe.set, *(recipe.gate_set if gate else ()))
    words = (
        *recipe.argv,
        *recipe.args,
        *(recipe.gate_args if gate else ()),
    )
    return (*fill(words, values), *options(recipe, (*fill(pairs, values), *user)))
