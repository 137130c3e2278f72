"""`codemod env`: the environments that kits train in."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from codemod.base.errors import UsageError
from codemod.base.json_form import to_json
from codemod.cli import completion, options
from codemod.cli.output import print_object


@click.command(name="env")
@click.argument(
    "target", metavar="[TARGET]", required=False, shell_complete=completion.kits, default=None
)
@options.flag("--all", "Those of all kits that are trained.", into="everything")
@click.option(
    "-c",
    "--config",
    default="",
    show_default=False,
    help="A config, if it needs other packages than its kit.",
)
@options.recipe_paddle
@options.device
@options.flag("--gpu", "The same as --device gpu.")
@options.flag("--full", "Include what the kit needs for evaluation and rarer models.")
@options.flag("--dockerfile", "Print a Dockerfile based on Paddle's official image.", into="image")
@options.flag("--slim", "Base the Dockerfile on Python's own image, for the CPU.")
@options.index
@options.wheels
@options.launch
@options.as_json
def command(
    target: str | None,
    everything: bool,
    config: str,
    device: str,
    gpu: bool,
    image: bool,
    slim: bool,
    launch: Path | None,
    as_json: bool,
    **more: Any,
) -> int:
    """Make the environment that TARGET trains in, unless it exists, and print its interpreter.

    With --device auto, the default, that is paddlepaddle-gpu where this machine has a card for it.
    With --all everything is made at once that parity and probes of all kits need; what it will
    take in all is said first.
    """
    from codemod.training.environment import environments as envs
    from codemod.work.environments import EnvRequest, make, make_all

    if gpu:
        options.refuse("--gpu is short for --device gpu", "device")
    if image:
        options.refuse("The image takes its packages from the network", "wheels")
    device = "gpu" if gpu else device
    if slim and (device.startswith("gpu") or not image):
        raise UsageError("--slim goes with --dockerfile, and without a GPU.")
    if everything and (target or config or launch or image):
        raise UsageError(
            "--all makes the environments of all kits.",
            "Leave out TARGET, --config, --launch and --dockerfile, or --all.",
        )
    wish = EnvRequest(device=device, image=image, **more)
    if everything:
        made = make_all(wish)
        text = "\n".join(one.python for one in made)
        _show({"environments": [to_json(one) for one in made]}, text, as_json)
        return 0
    name = _named(target, launch)
    spec = wish.spec(name, config, launch)
    if image:
        text = envs.dockerfile(spec, f"Trains {name} with Paddle {spec.paddle}.", slim)
        _show({"kit": name, "dockerfile": text}, text.rstrip("\n"), as_json)
        return 0
    python = make(spec)
    fields = {"kit": name, "python": python, "packages": list(spec.packages)}
    _show(fields, python, as_json)
    return 0


def _named(target: str | None, launch: Path | None) -> str:
    from codemod.kits.sources.recognition import kit_of
    from codemod.work.planning import here

    wanted = target or here()
    return wanted if launch is not None else kit_of(wanted).name


def _show(fields: Mapping[str, object], text: str, as_json: bool) -> None:
    if as_json:
        print_object(fields)
    else:
        click.echo(text)
