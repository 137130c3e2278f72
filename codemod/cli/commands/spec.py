"""`codemod spec`: the InputSpec of the batches that are fed."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from codemod.base.errors import UsageError
from codemod.base.files.workspace import Workspace
from codemod.base.terminal.doing import note
from codemod.cli import options
from codemod.cli.interruption import exit_when_terminated
from codemod.cli.output import print_object, rendered

if TYPE_CHECKING:
    from codemod.experiments.spec.spec_job import SpecOutcome
    from codemod.training.preparation import Prepared
    from codemod.training.run_spec import RunSpec


@click.command(name="spec")
@options.target
@options.config
@options.path
@options.number(
    "--batches", 6, "Batches of each pass over a loader; the last one is made smaller.", least=2
)
@options.pairs
@options.recipe_paddle
@options.python
@options.index
@options.wheels
@options.launch
@options.device
@options.limit
@options.flag("--check", "Train in AST with the spec; count the programs.", into="checks")
@options.flag("--write", "Write the spec into the hook's call, or into the config.")
@options.flag("--diff", "Show what --write would do; write nothing.", into="shows")
@options.flag("--as-run", "Write the sizes of the run, even if its recipe shrank them.")
@options.flag("--allow-dirty", "Write files that have uncommitted changes.")
@options.as_json
@options.workspace
def command(
    target: str,
    config: str,
    path: Path | None,
    batches: int,
    checks: bool,
    write: bool,
    shows: bool,
    as_run: bool,
    allow_dirty: bool,
    as_json: bool,
    workspace: Path | None,
    **run: Any,
) -> int:
    """Derive TARGET's InputSpec from batches of its own loader, in training and evaluation.

    The kit's own training command runs for a few batches with its switch on. Exit code 1: the
    kit's own spec differs from what is fed, or --check counted more than one program per net.
    """
    from codemod.base.patch.apply import apply_changes
    from codemod.base.patch.git_patch import patch
    from codemod.experiments.spec.change import change_set
    from codemod.training.run_spec import RunSpec

    options.refuse_beside_python(run["python"])
    if not write and not shows:
        why = "Nothing is written without --write"
        options.refuse(why, "as_run", "allow_dirty")
    asked = RunSpec(target, config, batches, ("ast",), path=path, **run)
    ready, outcome = _observed(asked, Workspace.at(workspace), checks)
    content = outcome.to_json(ready)
    if not as_json:
        # What was found is worth seeing where it cannot be written, too.
        click.echo(rendered("spec.txt", alike=_alike, **content), nl=False)
    made = None
    if write or shows:
        shrunk = () if as_run else outcome.shrunk
        made = change_set(ready.source, config, outcome.results, shrunk)
    tried = outcome.check
    if tried is not None and tried.outcome != "ok" and write:
        raise UsageError("AST does not train with this spec: nothing is written.", tried.fault)
    if made is not None and not shows:
        apply_changes(made, allow_dirty=allow_dirty)
    content["written"] = [change.path for change in made.changes] if made and not shows else []
    if as_json:
        print_object(content)
    elif made is not None and shows:
        click.echo(patch(made).decode("utf-8", "replace"), nl=False)
    elif made is not None:
        for written in content["written"]:
            click.echo(f"Written: {written}")
    return outcome.exit_code


def _observed(asked: RunSpec, place: Workspace, checks: bool) -> tuple[Prepared, SpecOutcome]:
    """What a run of the kit's own trainer is fed, and what is known before it."""
    from codemod.base.launch.containment import tell
    from codemod.base.terminal.progress import LiveLine, Progress
    from codemod.experiments.spec.spec_job import run as observe
    from codemod.kits.sources import resolve
    from codemod.training.preparation import prepare
    from codemod.training.run_cost import foretold, timed

    with LiveLine("Reading the kit"):
        ready = prepare(asked, resolve(asked.target, asked.path, place), place)
    exit_when_terminated()
    tell(contained=False)
    kit, batches = ready.identity.kit, asked.steps
    note(
        f"{kit} {asked.config}: its own trainer runs for {batches} batches; "
        f"{foretold('spec', kit)}. Records in {ready.folder}."
    )
    with timed("spec", kit), Progress(2 * batches) as progress:
        return ready, observe(ready, place, batches, checks, progress.show)


def _alike(arguments: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """What is said of neighbouring tensors, with the paths of the first and the last of them."""
    told = (pair for name, node in arguments.items() for pair in _reasons(name, node))
    for why, group in itertools.groupby(told, key=lambda pair: pair[1]):
        paths = [path for path, _ in group]
        yield why, paths[0], paths[-1]


def _reasons(path: str, node: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The tensors of a tree with why each dim is what it is."""
    if "tensor" in node:
        tensor = node["tensor"]
        dims = zip(tensor["shape"], tensor.get("why", ()), strict=False)
        shown = ", ".join(f"{'None' if size is None else size} ({why})" for size, why in dims)
        yield path, f"{tensor['dtype']} [{shown}]"
        return
    for value in node.values():
        items = value.items() if isinstance(value, dict) else ()
        for key, item in items:
            yield from _reasons(f'{path}["{key}"]', item)
        for index, item in enumerate(value if isinstance(value, list) else ()):
            yield from _reasons(f"{path}[{index}]", item)
