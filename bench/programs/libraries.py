"""Small stand-ins for the libraries that trainers read options with."""

from __future__ import annotations

import argparse
import copy
import dataclasses
import inspect
import sys
import types
from typing import Any


class Attributes(dict[str, Any]):
    """`EasyDict`: keys are attributes, and one that lacks raises."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


class CfgNode(Attributes):
    """A node of `yacs`: what is merged into it has no key that it has not."""

    def clone(self) -> CfgNode:
        """A copy."""
        return copy.deepcopy(self)

    def freeze(self) -> None:
        """Nothing is written here afterwards."""

    defrost = freeze

    def merge_from_list(self, given: list[Any]) -> None:
        """Each second value belongs to the key before it."""
        for name, value in zip(given[::2], given[1::2]):  # noqa: B905
            if name not in self:
                raise KeyError(f"Non-existent config key: {name}")
            self[name] = value


class Structured(Attributes):
    """A config with the fields of a dataclass, which takes no other key."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self:
            raise AttributeError(name)
        self[name] = value


class OmegaConf:
    """`OmegaConf.create`, `merge` and `structured`."""

    create = Attributes

    @staticmethod
    def merge(*configs: Attributes) -> Attributes:
        """One config of several."""
        return Attributes(item for config in configs for item in config.items())

    @staticmethod
    def structured(kind: Any) -> Structured:
        """The config of a dataclass."""
        return Structured(dataclasses.asdict(kind()))


class PdArgumentParser:
    """Dataclasses filled from the command line, whose fields are its options."""

    def __init__(self, kinds: Any) -> None:
        self.kinds = kinds

    def parse_args_into_dataclasses(self) -> tuple[Any, ...]:
        """One instance of each."""
        parser = argparse.ArgumentParser()
        fields = [field for kind in self.kinds for field in dataclasses.fields(kind)]
        for field in fields:
            if field.default is False:
                parser.add_argument(f"--{field.name}", action="store_true")
            else:
                parser.add_argument(f"--{field.name}", type=int, default=field.default)
        given = vars(parser.parse_args())
        return tuple(
            kind(**{field.name: given[field.name] for field in dataclasses.fields(kind)})
            for kind in self.kinds
        )


def _typer(main: Any) -> None:
    parser = argparse.ArgumentParser()
    for name, one in inspect.signature(main).parameters.items():
        word = f"--{name.replace('_', '-')}"
        parser.add_argument(word, dest=name, type=type(one.default), default=one.default)
    main(**vars(parser.parse_args()))


def _hydra(config: dict[str, Any]) -> Any:
    def decorated(main: Any) -> Any:
        return lambda: main(Attributes(config))

    return decorated


class Flags:
    """`absl.flags.FLAGS`: parsed by `app.run`."""

    def __init__(self) -> None:
        self.__dict__["values"] = {}

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["values"][name]
        except KeyError:
            raise AttributeError(name) from None


def _kept(words: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for word in words:
        name, _, value = word.removeprefix("--").partition("=")
        found[name] = value or True
    return found


def libraries() -> dict[str, types.ModuleType]:
    """The modules by name, new for each run."""
    flags = Flags()
    values = flags.__dict__["values"]

    def define(name: str, default: Any, *_: Any, **__: Any) -> None:
        values[name] = default

    def run(main: Any) -> None:
        given = _kept(sys.argv[1:])
        if unknown := set(given) - set(values):
            raise SystemExit(f"unknown flags {unknown}")
        values.update(given)
        main(sys.argv[:1])

    contents: dict[str, dict[str, Any]] = {
        "easydict": {"EasyDict": Attributes},
        "yacs": {},
        "yacs.config": {"CfgNode": CfgNode},
        "omegaconf": {"OmegaConf": OmegaConf},
        "hydra": {"main": _hydra},
        "typer": {"run": _typer},
        "jsonargparse": {"ArgumentParser": argparse.ArgumentParser},
        "configargparse": {
            "ArgParser": argparse.ArgumentParser,
            "ArgumentParser": argparse.ArgumentParser,
            "Namespace": argparse.Namespace,
        },
        "paddlenlp": {},
        "paddlenlp.trainer": {"PdArgumentParser": PdArgumentParser},
        "fire": {"Fire": lambda main: main(**_kept(sys.argv[1:]))},
        "absl": {},
        "absl.app": {"run": run},
        "absl.flags": {
            "FLAGS": flags,
            "DEFINE_integer": define,
            "DEFINE_bool": define,
            "DEFINE_boolean": define,
        },
    }
    made = {name: types.ModuleType(name) for name in contents}
    for name, content in contents.items():
        vars(made[name]).update(content)
    vars(made["absl"]).update(app=made["absl.app"], flags=made["absl.flags"])
    return made
