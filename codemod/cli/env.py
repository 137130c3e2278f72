"""`codemod env`: the environment that a kit trains in."""

from __future__ import annotations

import click

from codemod.cli import options


@click.command(name="env")
@options.target
@click.option("-c", "--config", default="", help="A config, where it needs more than its kit.")
@click.option("--paddle", metavar="VERSION", help="The Paddle to use (default: the recipe's).")
@click.option(
    "--gpu", is_flag=True, help="With paddlepaddle-gpu; checks this machine's GPUs first."
)
@click.option("--dockerfile", is_flag=True, help="Print a Dockerfile instead of making anything.")
@options.as_json
def command(
    target: str, config: str, paddle: str | None, gpu: bool, dockerfile: bool, as_json: bool
) -> int:
    """Make the environment that TARGET trains in, or find it made, and print its interpreter."""
    import json

    from codemod import envs
    from codemod.kits import find_kit
    from codemod.parity.recipes import read_recipe

    kit = find_kit(target)
    recipe = read_recipe(kit.name, config)
    spec = envs.EnvSpec(paddle or recipe.paddle, recipe.python, recipe.requirements, gpu)
    if dockerfile:
        base = recipe.base if gpu else f"python:{recipe.python}-slim"
        click.echo(envs.dockerfile(spec, base, f"Trains {kit.name} with Paddle {spec.paddle}."))
        return 0
    if gpu:
        _check_gpus(spec.paddle)
    python = envs.ensure(spec)
    if as_json:
        fields = {"kit": kit.name, "python": str(python), "packages": list(spec.packages)}
        click.echo(json.dumps(fields))
    else:
        click.echo(str(python))
    return 0


def _check_gpus(version: str) -> None:
    """Refuse to fetch a large build that no GPU here could run."""
    from codemod.errors import EnvironmentFault
    from codemod.parity import devices

    archs = devices.gpu_archs()
    if not archs:
        raise EnvironmentFault("No GPU was found (nvidia-smi shows none).", "Leave --gpu out.")
    build = devices.Build(version, cuda=True, archs=devices.KNOWN_ARCHS.get(version, ()))
    for number in range(len(archs)):
        devices.choose(f"gpu:{number}", build, archs)
