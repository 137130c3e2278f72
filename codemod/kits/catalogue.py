"""The kits that the tool knows: `kits.yaml`, read and checked."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from codemod.base.errors import UsageError, did_you_mean
from codemod.base.files.data_folder import data_path
from codemod.base.files.yaml_file import YamlValue, read_yaml
from codemod.kits.paddles import wrong_index

_URL = re.compile(r"(https://|ssh://|file:///)[^\s'\"]+\Z|\w[\w.-]*@\w[\w.-]*:(?!-)[^\s'\"]+\Z")
_REVISION = re.compile(r"[0-9a-f]{40}\Z")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\Z")
_VERSIONS = re.compile(
    r"(==|>=|<=|!=|<|>|~=)\s*[0-9][\w.*]*(,\s*(==|>=|<=|!=|<|>|~=)\s*[0-9][\w.*]*)*\Z"
)


@dataclass(frozen=True, slots=True)
class Package:
    """A kit as the package index has it.

    `root` is the folder of the unpacked package that stands for the repository's top, and
    `trainer` whether the package holds code that trains (several hold inference alone).
    """

    name: str
    version: str
    root: str
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
    git: str
    revision: str
    paddle: str
    python: str
    marks: tuple[str, ...]
    configs: tuple[str, ...]
    excluded: tuple[str, ...] = ()
    package: Package | None = None
    like: str = ""
    samples: tuple[str, ...] = ()
    megabytes: int = 0
    index: str = ""


def load_kits(file: Path | None = None) -> dict[str, Kit]:
    """The kits by name, in the order of the file.

    Raises:
        UsageError: the file cannot be read or breaks its schema; names file, line, remedy.
    """
    root = read_yaml(file or data_path("kits.yaml"))
    table = root.fields(required=frozenset({"kits"}), optional=frozenset({"index"}))["kits"]
    kits: dict[str, Kit] = {}
    index = _for_all(root)
    for name, entry in table.items():
        if not _NAME.match(name):
            raise entry.fault(
                "is not a valid name for a kit", "Use letters, digits, `.`, `-` and `_`."
            )
        if any(name.lower() == known.lower() for known in kits):
            raise entry.fault("differs from another kit in its case only", "Rename one.")
        kits[name] = _kit(name, entry, index)
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
    return kit.index if kit else _for_all(read_yaml(data_path("kits.yaml")))


def _for_all(root: YamlValue) -> str:
    entry = dict(root.items()).get("index")
    return _index(entry) if entry else ""


_WHOLE = re.compile(r"[1-9][0-9]{0,4}\Z")


def _kit(name: str, entry: YamlValue, index: str) -> Kit:
    required = frozenset({"git", "revision", "paddle", "python", "marks", "configs"})
    stated = entry.fields(required=required, optional=frozenset(_READ) - required)
    found = {key: read(stated[key]) for key, read in _READ.items() if key in stated}
    return Kit(name, **{"index": index, **found})


def _index(entry: YamlValue) -> str:
    value = entry.text()
    if rather := wrong_index(value):
        raise entry.fault(f"is `{value}`, which is no index of Paddle", rather)
    return value


def _package(entry: YamlValue) -> Package:
    fields = entry.fields(frozenset({"name", "version", "root", "trainer"}), frozenset())
    trainer = fields["trainer"].text()
    if trainer not in ("true", "false"):
        raise fields["trainer"].fault("must be true or false")
    return Package(
        name=_matching(_NAME, "the name of a package")(fields["name"]),
        version=_matching(re.compile(r"[0-9][\w.]*\Z"), "a version")(fields["version"]),
        root=_relative(fields["root"], fields["root"].text()),
        trainer=trainer == "true",
    )


def _matching(pattern: re.Pattern[str], what: str) -> Callable[[YamlValue], str]:
    """Reads a text that fits a pattern; `what` it is to be."""

    def read(entry: YamlValue) -> str:
        value = entry.text()
        if not pattern.match(value):
            raise entry.fault(f"is `{value}`, which is not {what}", f"Write {what}.")
        return value

    return read


def _all_inside(entry: YamlValue) -> tuple[str, ...]:
    return tuple(_relative(entry, value) for value in entry.texts())


def _relative(entry: YamlValue, value: str) -> str:
    path = PurePosixPath(value)
    if path.is_absolute() or ".." in path.parts or "\\" in value:
        raise entry.fault(f"holds `{value}`, which leads out of the tree", "Use a relative path.")
    return value


_megabytes = _matching(_WHOLE, "a whole number of megabytes")
# How each field of a kit is read, in the order in which its faults are told.
_READ: dict[str, Callable[[YamlValue], Any]] = {
    "git": _matching(_URL, "a git address by https, ssh or file"),
    "revision": _matching(_REVISION, "a commit of 40 hexadecimal digits"),
    "paddle": _matching(_VERSIONS, "a version range such as `>=2.3`"),
    "python": _matching(_VERSIONS, "a version range such as `>=3.8,<3.12`"),
    "marks": _all_inside,
    "configs": _all_inside,
    "excluded": _all_inside,
    "package": _package,
    "like": _matching(_NAME, "the name of a kit"),
    "samples": _all_inside,
    "megabytes": lambda entry: int(_megabytes(entry)),
    "index": _index,
}
