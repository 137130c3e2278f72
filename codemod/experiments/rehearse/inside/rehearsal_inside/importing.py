"""Where a rehearsal's imports come from: the tree, the standard library, or nowhere."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import os
import sys
import types
from typing import Any

from .made import MadeModule


class TreeFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Modules of the tree, with the changed files in the place of those on disk."""

    def __init__(self, folders: list[str], root: str, changed: dict[str, str]) -> None:
        self.folders, self.root, self.changed = folders, root, changed

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """A file or a package below the script's folder or the tree's root."""
        parts = name.split(".")
        for folder in self.folders:
            base = os.path.join(folder, *parts)
            for file, package in ((f"{base}.py", False), (f"{base}/__init__.py", True)):
                if os.path.isfile(file):
                    return importlib.machinery.ModuleSpec(
                        name, self, origin=file, is_package=package
                    )
            if os.path.isdir(base) and any(one.endswith(".py") for one in os.listdir(base)):
                return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        """Run the file, if the package has one."""
        origin = module.__spec__.origin if module.__spec__ else None
        if origin:
            module.__file__ = origin
            exec(compile(self.text(origin), origin, "exec"), vars(module))

    def text(self, file: str) -> bytes:
        """A file's bytes: as changed, or as on disk."""
        inner = os.path.relpath(file, self.root)
        if inner in self.changed:
            return self.changed[inner].encode("utf-8", "surrogateescape")
        with open(file, "rb") as opened:
            return opened.read()


class NowhereFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Whatever else is imported is made up; the packages of this Python are not seen."""

    def has(self, top: str) -> bool:
        """Whether modules below a top one are made up: not those of the standard library."""
        return top not in sys.stdlib_module_names and top not in ("paddle", "__main__")

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """A package without a file."""
        spec = importlib.machinery.ModuleSpec(name, self, is_package=True)
        return spec if self.has(name.partition(".")[0]) else None

    def create_module(self, spec: Any) -> MadeModule:
        """An empty one: it answers everything."""
        made = MadeModule(spec.name)
        vars(made).update(__all__=[], __version__="1.0.0")
        return made

    def exec_module(self, module: types.ModuleType) -> None:
        """Nothing is run."""
