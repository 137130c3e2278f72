"""Small stand-ins for the libraries that trainers read options with."""

from __future__ import annotations

import sys
import types
from typing import Any


class Attributes(dict[str, Any]):
    """`EasyDict`, and `CfgNode`: keys are attributes, and one that lacks raises."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


class OmegaConf:
    """`OmegaConf.create`."""

    create = Attributes


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
        "yacs.config": {"CfgNode": Attributes, "CN": Attributes},
        "omegaconf": {"OmegaConf": OmegaConf},
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
