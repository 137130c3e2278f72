"""`codemod env`: the environment that a kit trains in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from codemod.cli import options

if TYPE_CHECKING:
    from pathlib import Path


@click.command(name="env")
@options.target
@click.option(
    "-c", "--config", default="", help="A config, if it needs other packages than its kit."
)
@options.paddle
@click.option(
    "--gpu", is_flag=True, help="With paddlepaddle-gpu; checks this machine's GPUs first."
)
@click.option(
    "--full", is_flag=True, help="Include what the kit needs for evaluation and rarer models."
)
@click.option(
    "--dockerfile", is_flag=True, help="Print a Dockerfile based on Paddle's official image."
)
@click.option(
    "--slim", is_flag=True, help="Base the Dockerfile on Python's own image, for the CPU."
)
@options.index
@options.wheels
@options.launch
@options.as_json
def command(
    target: str,
    config: str,
    paddle: str | None,
    gpu: bool,
    full: bool,
    dockerfile: bool,
    slim: bool,
    index: str,
    wheels: Path | None,
    launch: Path | None,
    as_json: bool,
) -> int:
    """Make the environment that TARGET trains in, unless it exists, and print its interpreter."""
    import json

    from codemod.base.errors import UsageError
    from codemod.kits.sources.recognition import kit_of
    from codemod.training import devices
    from codemod.training import environments as envs
    from codemod.training.cards import cards
    from codemod.training.recipes import read_recipe

    if slim and (gpu or not dockerfile):
        raise UsageError("--slim goes with --dockerfile, and without --gpu.")
    name = target if launch is not None else kit_of(target).name
    recipe = read_recipe(name, config, launch)
    packages = (*recipe.requirements, *(recipe.more_requirements if full else ()))
    version = paddle or recipe.paddle
    cuda = devices.build_for_image(version, index) if gpu and dockerfile else None
    if gpu and not dockerfile:
        cuda = devices.cuda_build("gpu", version, cards(), index)
    spec = envs.EnvSpec(version, recipe.python, packages, cuda, str(wheels or ""))
    if dockerfile:
        text = envs.dockerfile(spec, f"Trains {name} with Paddle {spec.paddle}.", slim)
        if as_json:
            text = json.dumps({"kit": name, "dockerfile": text}) + "\n"
        click.echo(text, nl=False)
        return 0
    python = envs.ensure(spec)
    if as_json:
        fields = {"kit": name, "python": str(python), "packages": list(spec.packages)}
        click.echo(json.dumps(fields))
    else:
        click.echo(str(python))
    return 0
