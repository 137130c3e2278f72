"""The kits that the tool knows: `kits.yaml`, read and checked."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Annotated

from codemod.base.errors import UsageError, did_you_mean
from codemod.base.files.data_folder import data_path
from codemod.base.files.yaml_file import YamlValue, read_yaml
from codemod.base.schema import read_record
from codemod.kits.paddles import wrong_index

_URL = r"(https://|ssh://|file:///)[^\s'\"]+|\w[\w.-]*@\w[\w.-]*:(?!-)[^\s'\"]+"
_NAME = r"[A-Za-z0-9][A-Za-z0-9._-]*"
_BOUND = r"(==|>=|<=|!=|<|>|~=)\s*[0-9][\w.*]*"
_VERSIONS = rf"{_BOUND}(,\s*{_BOUND})*"


@dataclass(frozen=True, slots=True)
class _Fits:
    """What a text is to be: `what` in words, and the pattern of all of it."""

    pattern: str
    what: str

    def __call__(self, text: str, entry: YamlValue) -> None:
        if not re.fullmatch(self.pattern, text):
            raise entry.fault(f"is `{text}`, which is not {self.what}", f"Write {self.what}.")


def _inside(path: str, entry: YamlValue) -> None:
    parts = PurePosixPath(path)
    if parts.is_absolute() or ".." in parts.parts or "\\" in path:
        raise entry.fault(f"holds `{path}`, which leads out of the tree", "Use a relative path.")


def _an_index(text: str, entry: YamlValue) -> None:
    if rather := wrong_index(text):
        raise entry.fault(f"is `{text}`, which is no index of Paddle", rather)


_Inside = Annotated[str, _inside]
_Index = Annotated[str, _an_index]


@dataclass(frozen=True, slots=True)
class Package:
    """A kit as the package index has it.

    `root` is the folder of the unpacked package that stands for the repository's top, and
    `trainer` whether the package holds code that trains (several hold inference alone).
    """

    name: Annotated[str, _Fits(_NAME, "the name of a package")]
    version: Annotated[str, _Fits(r"[0-9][\w.]*", "a version")]
    root: _Inside
    trainer: bool


@dataclass(frozen=True, slots=True)
class Kit:
    """One kit. `configs` are globs of its model configs, `excluded` those that name no model.

    `samples` are globs of the data that its configs train on, fetched with the code; `megabytes`
    is what all that takes, 0 where nobody has said.
    `marks` are folders of its repository by which a checkout is told from others' code.
    `like` is the kit that it is a fork of, or empty; its folder in `rules/` is the tool's or the
    user's, so that kit need not be in the same `kits.yaml`.
    `index` is where a CUDA build of Paddle comes from for its environment: the name of a build in
    `paddles.yaml` or an address; empty where the machine's driver decides.
    """

    name: str
    git: Annotated[str, _Fits(_URL, "a git address by https, ssh or file")]
    revision: Annotated[str, _Fits(r"[0-9a-f]{40}", "a commit of 40 hexadecimal digits")]
    paddle: Annotated[str, _Fits(_VERSIONS, "a version range such as `>=2.3`")]
    python: Annotated[str, _Fits(_VERSIONS, "a version range such as `>=3.8,<3.12`")]
    marks: tuple[_Inside, ...]
    configs: tuple[_Inside, ...]
    excluded: tuple[_Inside, ...] = ()
    package: Package | None = None
    like: Annotated[str, _Fits(_NAME, "the name of a kit")] = ""
    samples: tuple[_Inside, ...] = ()
    megabytes: int = 0
    index: _Index = ""


def load_kits(file: Path | None = None) -> dict[str, Kit]:
    """The kits by name, in the order of the file.

    Raises:
        UsageError: the file cannot be read or breaks its schema; names file, line, remedy.
    """
    root = read_yaml(file or data_path("kits.yaml"))
    table = root.fields(required=frozenset({"kits"}), optional=frozenset({"index"}))["kits"]
    kits: dict[str, Kit] = {}
    index = _index_for_all(root)
    for name, entry in table.items():
        if not re.fullmatch(_NAME, name):
            raise entry.fault(
                "is not a valid name for a kit", "Use letters, digits, `.`, `-` and `_`."
            )
        if any(name.lower() == known.lower() for known in kits):
            raise entry.fault("differs from another kit in its case only", "Rename one.")
        kit = read_record(Kit, entry, name=name)
        kits[name] = kit if kit.index else replace(kit, index=index)
    for name, entry in table.items():
        like = kits[name].like
        if like and like not in kits and not data_path(f"rules/{like}").is_dir():
            raise entry.fault(f"is like `{like}`, which is not a kit", "Name a kit.")
    return kits


def find_kit(name: str) -> Kit:
    """The kit of that name in any case.

    Raises:
        UsageError: there is none; names those that are near.
    """
    kits = load_kits()
    by_key = {known.lower(): kit for known, kit in kits.items()}
    if kit := by_key.get(name.lower()):
        return kit
    if re.fullmatch(_NAME, name) and data_path(f"rules/{name}").is_dir():
        raise UsageError(
            f"`{name}` has a folder in rules/ and no entry in {data_path('kits.yaml')}.",
            "Enter it there, or in kits.yaml of the folder that CODEMOD_DATA names.",
        )
    near = did_you_mean(name, kits, f"Known kits: {', '.join(kits)}.")
    raise UsageError(
        f"`{name}` is neither a kit nor a folder.", f"{near} Give one of these, or a folder."
    )


def index_of(name: str) -> str:
    """Where `kits.yaml` says that a CUDA build of Paddle comes from; empty where it does not.

    `name` may be no kit's: then it is what the file says for all.

    Raises:
        UsageError: as `load_kits`.
    """
    kit = load_kits().get(name)
    return kit.index if kit else _index_for_all(read_yaml(data_path("kits.yaml")))


def _index_for_all(root: YamlValue) -> str:
    entry = dict(root.items()).get("index")
    if entry is None:
        return ""
    _an_index(entry.text(), entry)
    return entry.text()
