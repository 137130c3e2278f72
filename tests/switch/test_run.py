"""A small kit's own option code, run up to its hook; its Paddle has what the tries replace."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from codemod.experiments.probe.server import Server
from codemod.experiments.switch import run

if TYPE_CHECKING:
    from codemod.experiments.switch.tried import Try

PADDLE = {
    "paddle/__init__.py": """\
        from types import SimpleNamespace
        __version__ = "3.3.1"
        from . import distributed, jit
        amp = SimpleNamespace(decorate=None)
        device = SimpleNamespace()
        def CPUPlace():
            return "cpu"
        """,
    "paddle/distributed.py": "class ParallelEnv: pass\n",
    "paddle/jit/__init__.py": "from .api import to_static\n",
    "paddle/jit/api.py": "def to_static(layer): raise AssertionError('the real one is called')\n",
}
KIT = {
    "lib/__init__.py": "",
    "lib/build.py": "def model(): raise AssertionError('a model is built')\n",
    "lib/loop.py": "def train(model): raise AssertionError('training is run')\n",
    "tools/train.py": """\
        import argparse
        import paddle
        from lib import build, loop

        class Helper:
            @paddle.jit.to_static
            def exported(self):
                return 1

        def read(args):
            with open(args.config) as file:
                config = dict(line.strip().split(": ") for line in file if ": " in line)
            config.update(one.split("=") for one in args.opt)
            return config

        parser = argparse.ArgumentParser()
        parser.add_argument("-c", dest="config")
        parser.add_argument("-o", dest="opt", nargs="*", default=[])
        config = read(parser.parse_args())
        with open("log.txt", "w") as file:
            file.write("the copy is written to")
        paddle.set_device("gpu")
        model = build.model()
        if config.get("weights"):
            open(config["weights"])
        assert not config.get("data"), "{} not exist".format(config.get("data"))
        if config.get("rate"):
            raise TypeError("a number is wanted, not {}".format(type(model)))
        if config.get("to_static", "False") != "False":
            model = paddle.jit.to_static(model)
            assert config["net"] != "Odd", "no spec for Odd"
        if config["net"] != "Stops":
            loop.train(model)
        """,
    "configs/plain.yml": "net: Plain\n",
    "configs/odd.yml": "net: Odd\n",
    "configs/stops.yml": "net: Stops\n",
    "configs/fetched.yml": "net: Plain\nweights: not/here\n",
    "configs/data.yml": "net: Plain\ndata: not/here\n",
    "configs/rate.yml": "net: Plain\nrate: 1\n",
}
SWITCH = """\
from switch_inside.stand_ins import Anything, begins, replace

WAYS = [
    {"name": "--to_static", "argv": ["--to_static"], "on": True},
    {"name": "-o to_static=True", "argv": ["-o", "to_static=True"], "on": True},
    {"name": "YAML True", "yaml": {"to_static": True}, "on": True},
    {"name": "YAML False", "yaml": {"to_static": False}},
    {"name": "-o to_static=false", "argv": ["-o", "to_static=false"]},
]

def prepare():
    replace({"lib.build:model": Anything, "lib.loop:train": begins})

def command(config):
    return ["tools/train.py", "-c", config]
"""


def write(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(textwrap.dedent(text))


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Try]:
    tmp_path = tmp_path_factory.mktemp("tried")
    root, switch = tmp_path / "kit", tmp_path / "switch.py"
    write(root, KIT | PADDLE)
    switch.write_text(SWITCH)
    configs = sorted(path for path in KIT if path.endswith(".yml"))
    equipment = run.equipment(Path(sys.executable), switch, {})
    with Server(equipment, root, tmp_path / "tries.log") as server:
        made = run.tried(server, configs, every_way=True)
    # The option of the first way comes with a hook, and this kit's parser does not know it.
    assert made.ways[0].name == "-o to_static=True"
    assert len(made.ways) == 4
    return {(one.config, one.way): one for one in made.tries}


@pytest.mark.parametrize("count", [0, 1, 11, 12, 13, 23, 24, 484])
def test_the_other_ways_are_tried_on_twelve_configs_at_most(count: int) -> None:
    chosen = sorted(run.sampled(count))
    assert len(chosen) == min(count, run._SAMPLED)
    assert set(chosen) <= set(range(count))
    # Evenly spread: the gaps differ by one at most.
    gaps = {after - before for before, after in zip(chosen, [*chosen[1:], count], strict=False)}
    assert not gaps or max(gaps) - min(gaps) <= 1


@pytest.mark.parametrize(("every_way", "whole"), [(False, 12), (True, 13)])
def test_so_many_configs_are_tried_in_every_way(
    every_way: bool, whole: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "_try", lambda _server, config, way: (config, way["name"]))
    configs, ways = [f"{n}.yml" for n in range(13)], [{"name": "first"}, {"name": "other"}]
    made: list[Any] = list(run._tries(cast("Server", None), configs, ways, every_way))
    assert [config for config, way in made if way == "first"] == configs
    assert sum(way == "other" for _, way in made) == whole


def test_each_config_comes_to_what_its_option_code_says(
    tried: dict[tuple[str, str], Try],
) -> None:
    came = {key: line.came for key, line in tried.items()}
    plain = "configs/plain.yml"
    assert came[plain, "-o to_static=True"] == "reached"
    assert came[plain, "YAML True"] == "reached"
    assert came[plain, "YAML False"] == "trains"
    # A switch that says off and is on.
    assert came[plain, "-o to_static=false"] == "reached"
    assert tried[plain, "YAML True"].where == "tools/train.py:30"


def test_an_assertion_behind_the_hook_counts(
    tried: dict[tuple[str, str], Try],
) -> None:
    odd = tried["configs/odd.yml", "-o to_static=True"]
    assert odd.came == "raises"
    assert odd.message == "AssertionError: no spec for Odd"
    assert odd.where == "tools/train.py:31"
    assert tried["configs/odd.yml", "YAML False"].came == "trains"


def test_a_script_that_ends_early_and_a_file_that_is_not_here(
    tried: dict[tuple[str, str], Try],
) -> None:
    assert tried["configs/stops.yml", "YAML False"].came == "ended"
    fetched = tried["configs/fetched.yml", "YAML True"]
    assert fetched.came == "unable"
    assert "not/here" in fetched.message


@pytest.mark.parametrize("config", ["configs/data.yml", "configs/rate.yml"])
def test_an_assertion_on_a_file_and_a_stand_in_say_nothing_of_the_switch(
    tried: dict[tuple[str, str], Try], config: str
) -> None:
    """Two of PaddleDetection's configs assert that their data is there, one checks its rate."""
    assert tried[config, "YAML True"].came == "unable"
