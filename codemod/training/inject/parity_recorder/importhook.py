"""Call a function as soon as the kit has imported a module."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
from typing import Any, Callable, Sequence


class _WatchedLoader(importlib.abc.Loader):
    """The module's own loader, followed by the callback."""

    def __init__(self, loader: Any, callback: Callable[[Any], None]) -> None:
        self._loader = loader
        self._callback = callback

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> Any:
        """Create the module as its own loader would."""
        return self._loader.create_module(spec)

    def exec_module(self, module: Any) -> None:
        """Run the module, give it its own loader back, then tell the callback."""
        self._loader.exec_module(module)
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._callback(module)


class _Finder(importlib.abc.MetaPathFinder):
    """Finds one module through the other finders and wraps its loader, once."""

    def __init__(self, name: str, callback: Callable[[Any], None]) -> None:
        self._name = name
        self._callback = callback

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: Any = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The spec of the awaited module with a wrapped loader; None for every other."""
        if fullname != self._name:
            return None
        sys.meta_path.remove(self)
        for finder in list(sys.meta_path):
            find = getattr(finder, "find_spec", None)
            spec = find(fullname, path, target) if find else None
            if spec is not None:
                if spec.loader is not None:
                    spec.loader = _WatchedLoader(spec.loader, self._callback)
                return spec  # type: ignore[no-any-return]
        return None


def after_import(name: str, callback: Callable[[Any], None]) -> None:
    """Run `callback(module)` right after module `name` was imported for the first time."""
    if name in sys.modules:
        callback(sys.modules[name])
    else:
        sys.meta_path.insert(0, _Finder(name, callback))
