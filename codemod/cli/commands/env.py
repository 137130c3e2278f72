"""`codemod env`: the environments that kits train in."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from codemod.base.grouping import grouped_once
from codemod.base.terminal.doing import note
from codemod.cli import completion, options
from codemod.cli.output import print_object

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from codemod.training.environment.environments import EnvSpec


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
@options.paddle
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
    from codemod.base.errors import UsageError
    from codemod.training.environment import environments as envs
    from codemod.training.recipes import known_kits

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
        return _make_all(grouped_once(b for kit in known_kits() for b in wish.both(kit)), as_json)
    name = _named(target, launch)
    spec = wish.spec(name, config, launch)
    if image:
        text = envs.dockerfile(spec, f"Trains {name} with Paddle {spec.paddle}.", slim)
        _show({"kit": name, "dockerfile": text}, text.rstrip("\n"), as_json)
        return 0
    python = _ensured(spec)
    fields = {"kit": name, "python": python, "packages": list(spec.packages)}
    _show(fields, python, as_json)
    return 0


@dataclass(frozen=True, slots=True)
class EnvRequest:
    """The options that say what an environment is to hold."""

    paddle: str | None
    full: bool
    device: str
    image: bool
    index: str
    wheels: Path | None

    def spec(self, kit: str, config: str = "", launch: Path | None = None) -> EnvSpec:
        """What the environment of a kit's config holds."""
        from codemod.kits.catalogue import index_of
        from codemod.training.environment import devices
        from codemod.training.environment.cards import cards
        from codemod.training.environment.environments import EnvSpec
        from codemod.training.recipes import read_recipe

        recipe = read_recipe(kit, config, launch)
        more = recipe.more_requirements if self.full else ()
        version = self.paddle or recipe.paddle
        index = self.index or index_of(kit)
        cuda = None
        if not self.image and self.device != "cpu":
            here = cards()
            cuda = devices.cuda_build(self.device, version, here, index)
            if cuda is None and (why := devices.left_alone(version, here, index)):
                note(f"For the CPU: {why}")
        elif self.device.startswith("gpu"):
            cuda = devices.build_for_image(version, index)
        packages = (*recipe.requirements, *more)
        return EnvSpec(version, recipe.python, packages, cuda, str(self.wheels or ""), bool(index))

    def both(self, kit: str) -> Iterator[tuple[EnvSpec, str]]:
        """What `parity` and what `probe` takes of a kit; a probe runs on the CPU."""
        yield self.spec(kit), kit
        yield replace(self, full=True, device="cpu").spec(kit), kit


def _named(target: str | None, launch: Path | None) -> str:
    from codemod.kits.sources.recognition import kit_of
    from codemod.work.planning import here

    wanted = target or here()
    return wanted if launch is not None else kit_of(wanted).name


def _ensured(spec: EnvSpec) -> str:
    from codemod.base.terminal.progress import LiveLine
    from codemod.training.environment.environments import ensure

    with LiveLine("Looking for the environment"):
        return str(ensure(spec))


def _show(fields: Mapping[str, object], text: str, as_json: bool) -> None:
    if as_json:
        print_object(fields)
    else:
        click.echo(text)


def foretold(kits: Mapping[EnvSpec, list[str]], lacking: list[EnvSpec]) -> str:
    """What making all environments will take, in a sentence."""
    from codemod.training.environment import env_cost
    from codemod.training.environment.environments import default_root

    users = {name for names in kits.values() for name in names}
    told = f"{len(kits)} environments for {len(users)} kits"
    if not lacking:
        return f"{told}, all made."
    cost = env_cost.estimate(default_root(), lacking[0].cuda is not None, len(lacking))
    return f"{told}, {len(lacking)} to be made: {cost}."


def _make_all(kits: Mapping[EnvSpec, list[str]], as_json: bool) -> int:
    """Make what is lacking; the whole of it is told, and the disk looked at, before the first."""
    from codemod.training.environment import env_cost
    from codemod.training.environment.environments import default_root, is_made

    lacking = [spec for spec in kits if not is_made(spec)]
    if lacking:
        env_cost.need_room(default_root(), lacking[0].cuda is not None, len(lacking))
    note(foretold(kits, lacking))
    made = []
    for number, (spec, users) in enumerate(kits.items(), 1):
        fresh = spec in lacking
        note(f"[{number}/{len(kits)}] {', '.join(users)}: {spec.key}" + ", made" * (not fresh))
        python = _ensured(spec)
        made.append({"kits": users, "python": python, "made_now": fresh})
    text = "\n".join(str(one["python"]) for one in made)
    _show({"environments": made}, text, as_json)
    return 0
