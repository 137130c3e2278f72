"""The options that several commands share."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from codemod.base.errors import UsageError
from codemod.base.files.workspace import Workspace
from codemod.base.messages import LANGUAGES, Language
from codemod.base.terminal.spoken import LANGUAGE
from codemod.cli import completion

Decorated = TypeVar("Decorated", bound="Callable[..., Any]")


def _target(context: click.Context, _option: click.Parameter, value: str | None) -> str:
    """The target, or the checkout that the command is run in."""
    if value is not None:
        return value
    if context.resilient_parsing:
        return ""
    from codemod.work.planning import here

    return here()


target = click.argument(
    "target", metavar="[TARGET]", required=False, callback=_target, shell_complete=completion.kits
)
optional_target = click.argument(
    "target", metavar="[TARGET]", required=False, shell_complete=completion.kits
)
targets = click.argument("targets", metavar="[TARGET]...", nargs=-1, shell_complete=completion.kits)
everything = click.option("--all", "everything", is_flag=True, help="All kits in kits.yaml.")


def place(
    names: str, what: str, metavar: str | None = None, *, folder: bool = True, file: bool = True
) -> Callable[[Decorated], Decorated]:
    """An option that takes a path, of a `folder` or `file` if it is there; `what` is its help."""
    kind = click.Path(path_type=Path, dir_okay=folder, file_okay=file)
    return click.option(*names.split(), type=kind, metavar=metavar, help=what)


path = place("--path", "A checkout of the kit that you already have.", "DIR")
workspace = place(
    "--workspace", "Where fetched kits and results are kept (default: .codemod).", "DIR"
)
rules = click.option(
    "--trainer",
    "--rule",
    "rules",
    multiple=True,
    metavar="ID",
    help="Only this trainer of the kit's rule (`codemod rules list` names them).",
    shell_complete=completion.rule_ids,
)
fixes = click.option(
    "--with-fixes",
    "fixes",
    is_flag=True,
    help="Also the fixes of model code that are proved on record (`codemod fix`).",
)
switch = click.option(
    "--switch",
    type=click.Choice(["config", "env"]),
    default="config",
    help="What turns a hook on: the kit's own config or options, or a variable for all hooks.",
)
allow_dirty = click.option(
    "--allow-dirty", is_flag=True, help="Also change files with uncommitted edits."
)


def language(what: str, default: Language = "en", **more: Any) -> Callable[[Decorated], Decorated]:
    """`--language`; `what` is its help."""
    kind = click.Choice([default, *(one for one in LANGUAGES if one != default)])
    return click.option("--language", type=kind, default=default, help=what, **more)


def _said_in(context: click.Context, _option: click.Parameter, value: Language) -> None:
    """Keep the language for whoever prints."""
    context.meta[LANGUAGE] = value


said_in = language("Language of what is printed.", callback=_said_in, expose_value=False)
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")

# For the commands that train.
config = click.option(
    "-c",
    "--config",
    required=True,
    help="The kit's config, relative to its root.",
    shell_complete=completion.configs,
)


def configs(what: str, *, required: bool = False) -> Callable[[Decorated], Decorated]:
    """`-c`, which may be repeated; `what` is the sentence of its help."""
    return click.option(
        "-c",
        "--config",
        "configs",
        multiple=True,
        metavar="CONFIG",
        help=what,
        required=required,
        shell_complete=completion.configs,
    )


def cluster(what: str) -> Callable[[Decorated], Decorated]:
    """`--cluster`, where runs are made on other machines; `what` is the sentence of its help."""
    more = " HOST:PORT of its head, or local."
    return click.option("--cluster", metavar="ADDRESS", help=what + more)


def flag(name: str, what: str, into: str = "") -> Callable[[Decorated], Decorated]:
    """An option without a value; `what` is its help, `into` the parameter of another name."""
    return click.option(*filter(None, (name, into)), is_flag=True, help=what)


def refuse(why: str, *names: str) -> None:
    """Refuse options that were given and would be passed over without a word.

    `names` are those of their parameters, `why` says what makes them idle. What the environment
    sets is not refused: it holds for every command.

    Raises:
        UsageError: one of them was given.
    """
    context = click.get_current_context()
    flags = [
        max(one.opts, key=len)
        for one in context.command.params
        if one.name in names
        and context.get_parameter_source(one.name) is click.core.ParameterSource.COMMANDLINE
    ]
    if flags:
        idle = " and ".join(flags)
        raise UsageError(f"{why}, so {idle} would change nothing.", f"Leave out {idle}.")


def refuse_beside_python(interpreter: Path | None) -> None:
    """Refuse wheels for an environment that is not made, where the user names an interpreter."""
    if interpreter is not None:
        refuse("--python names an interpreter with a Paddle of its own", "wheels")


def number(name: str, default: int, what: str, least: int = 1) -> Callable[[Decorated], Decorated]:
    """An option that takes a whole number of at least `least`; `what` is its help."""
    return click.option(name, default=default, type=click.IntRange(least), metavar="N", help=what)


def _device(_context: click.Context, _option: click.Parameter, value: str) -> str:
    """Refuse a device that nobody knows before a kit or Paddle is fetched for it."""
    from codemod.training.environment.devices import known_device

    known_device(value)
    return value


device = click.option("--device", default="auto", callback=_device, help="auto, cpu, gpu or gpu:N.")
# Those that a run is made with bear the names of the fields of `RunSpec`.
# Not `-o`, which is where a command writes.
pairs = click.option(
    "-O",
    "--option",
    "options",
    multiple=True,
    metavar="KEY=VALUE",
    help="An option of the kit's own, for all runs (repeat for several).",
)


def _paddle_version(
    _context: click.Context, _option: click.Parameter, value: str | None
) -> str | None:
    """Refuse what cannot be a version before anything is downloaded for it."""
    if value is not None and not re.fullmatch(r"\d+\.\d+(\.\d+)?([.+-]?\w)*", value):
        from codemod.kits.paddles import measured

        like = f"Write it like {' or '.join(measured())}."
        raise UsageError(f"`{value}` is not a version of Paddle.", like)
    return value


def paddle(what: str) -> Callable[[Decorated], Decorated]:
    """`--paddle`; `what` is its help, with the default, which each command has its own of."""
    return click.option("--paddle", callback=_paddle_version, metavar="VERSION", help=what)


# For the commands that run a kit in its own environment.
recipe_paddle = paddle("The Paddle to use (default: the recipe's).")


def _index(_context: click.Context, _option: click.Parameter, value: str) -> str:
    """Refuse an index that nobody knows before a kit or Paddle is fetched for it."""
    if value:
        from codemod.training.environment.devices import known_index

        known_index(value)
    return value


index = click.option(
    "--index",
    default="",
    show_default=False,
    callback=_index,
    envvar="CODEMOD_PADDLE_INDEX",
    show_envvar=True,
    metavar="NAME|URL",
    help="Where a CUDA build of Paddle comes from: cu118, cu126, cu129, pypi, or an index's "
    "address (default: `index` of kits.yaml, else the newest CUDA that the driver runs).",
)
wheels = click.option(
    "--wheels",
    type=click.Path(path_type=Path, exists=True, file_okay=False, resolve_path=True),
    metavar="DIR",
    help="Install from the wheels in this folder alone, as on a machine without a network.",
)
python = click.option(
    "--python",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="An interpreter with Paddle and the kit's packages; no environment is made, and its own "
    "Paddle is used.",
)
launch = click.option(
    "--launch",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A launch recipe of your own, for a repository that is not a known kit.",
)
limit = click.option(
    "--limit", "limit_s", type=click.FloatRange(1), metavar="SECONDS", help="Time limit of one run."
)
# For the commands that build a net alone and run it for a few steps.
probe_limit = click.option(
    "--limit",
    "limit_s",
    type=click.FloatRange(1),
    default=60.0,
    metavar="SECONDS",
    help="Processor time of a dynamic run (a static one may take six times that).",
)


def workspace_of(words: Sequence[str]) -> Workspace:
    """The workspace that a command line names; for when its parsing may have failed."""
    for i, word in enumerate(words):
        if word == "--workspace" and i + 1 < len(words):
            return Workspace.at(Path(words[i + 1]))
        if word.startswith("--workspace="):
            return Workspace.at(Path(word.partition("=")[2]))
    return Workspace.at()
