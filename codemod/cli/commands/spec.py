"""`codemod spec`: the InputSpec of the batches that are fed."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import click

from codemod.base.files.workspace import Workspace
from codemod.base.terminal.doing import note
from codemod.cli import options
from codemod.cli.as_json import print_object
from codemod.cli.interruption import exit_when_terminated

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@click.command(name="spec")
@options.target
@options.config
@options.path
@options.number(
    "--batches", 6, "Batches of each pass over a loader; the last one is made smaller.", least=2
)
@options.pairs
@options.paddle
@options.python
@options.index
@options.wheels
@options.launch
@options.device
@options.limit
@click.option(
    "--check", "checks", is_flag=True, help="Train in AST with the spec; count the programs."
)
@click.option(
    "--write", is_flag=True, help="Write the spec into the hook's call, or into the config."
)
@click.option("--diff", "shows", is_flag=True, help="Show what --write would do; write nothing.")
@click.option(
    "--as-run", is_flag=True, help="Write the sizes of the run, even if its recipe shrank them."
)
@click.option("--allow-dirty", is_flag=True, help="Write files that have uncommitted changes.")
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
    from codemod.base.errors import UsageError
    from codemod.base.launch.containment import tell
    from codemod.base.patch.apply import apply_changes
    from codemod.base.patch.git_patch import patch
    from codemod.base.terminal.progress import LiveLine, Progress
    from codemod.experiments.spec.change import change_set
    from codemod.experiments.spec.spec_job import run as observe
    from codemod.kits.sources import resolve
    from codemod.training.preparation import prepare
    from codemod.training.run_cost import foretold, timed
    from codemod.training.run_spec import RunSpec

    place = Workspace.at(workspace)
    asked = RunSpec(target, config, batches, ("ast",), path=path, **run)
    with LiveLine("Reading the kit"):
        ready = prepare(asked, resolve(target, path, place), place)
    exit_when_terminated()
    tell(contained=False)
    kit = ready.identity.kit
    note(
        f"{kit} {config}: its own trainer runs for {batches} batches; {foretold('spec', kit)}. "
        f"Records in {ready.folder}."
    )
    with timed("spec", kit), Progress(2 * batches) as progress:
        outcome = observe(ready, place, batches, checks, progress.show)
    content = outcome.to_json(ready)
    if not as_json:
        # What was found is worth seeing where it cannot be written, too.
        _print(content)
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


def _print(content: dict[str, Any]) -> None:
    for layer in content["layers"]:
        _print_layer(layer)
    if content["no_evaluation"]:
        click.echo(f"Evaluation was not seen: {content['no_evaluation']}.")
    if not content["smaller_batch"]:
        click.echo("The kit's training fails with a smaller last batch, so all were of one size.")
    if content["shrunk_by"]:
        click.echo(
            f"Sizes are those of the run, which was shrunk by {', '.join(content['shrunk_by'])}."
        )
    if not content["gate"]:
        click.echo("The gate could not be switched on; this is the largest net that was trained.")
    check = content["check"]
    if check is not None:
        word = "passed" if check["passed"] else "failed"
        click.echo(
            f"Check {word}: {check['programs']} programs for {check['nets']} nets in "
            f"{check['steps']} AST steps, {_without(check['without'])}."
        )
        click.echo(check["fault"], nl=bool(check["fault"]))
    if content["unchecked"]:
        click.echo(f"Not checked: {content['unchecked']}")


def _without(programs: int | None) -> str:
    return "a run without a spec did not end" if programs is None else f"{programs} without a spec"


def _print_layer(layer: dict[str, Any]) -> None:
    hook = layer["hook"]
    where = f"hooked at {hook['file']}:{hook['line']}" if hook else "no hook"
    many = f" ({layer['layers_alike']} alike)" if layer["layers_alike"] > 1 else ""
    calls = layer["calls"]
    click.echo(
        f"{layer['layer']}{many}, {where}: {calls['train']} training calls, "
        f"{calls['eval']} in evaluation"
    )
    click.echo(f"  input_spec={layer['input_spec']}")
    if not layer["fits"]:
        word = "only training" if layer["fits_training"] else "nothing"
        click.echo(f"  This fits {word}: a hook with it raises elsewhere. Leave it out.")
    named = layer["arguments"].items()
    told = [reason for name, node in named for reason in _reasons(name, node)]
    for why, group in itertools.groupby(told, key=lambda pair: pair[1]):
        first, *rest = (path for path, _ in group)
        click.echo(f"  {first}{f' to {rest[-1]}' if rest else ''}: {why}")
    for remark in layer["notes"]:
        click.echo(f"  {remark['kind']}: {remark['path']} {remark['text']}")
    for one in layer["differences"]:
        place = f"{one['file']}:{one['line']}"
        click.echo(
            f"  {place}: {one['kind']}: {one['path']}: the kit's spec says {one['kit']}, "
            f"fed is {one['fed']}"
        )


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
