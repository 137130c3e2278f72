"""Packages as small as can be, an index of them, and an environment that was made before."""

from __future__ import annotations

import functools
import json
import threading
import zipfile
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def add_wheel(folder: Path, name: str, version: str, files: dict[str, str] | None = None) -> None:
    """A package with these files, or with an empty module, as an index would offer it."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = name.replace("-", "_")
    info = f"{stem}-{version}.dist-info"
    members = dict(files or {f"{stem}.py": ""})
    members[f"{info}/METADATA"] = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    tag = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    members[f"{info}/WHEEL"] = tag
    members[f"{info}/RECORD"] = "".join(f"{member},,\n" for member in (*members, f"{info}/RECORD"))
    with zipfile.ZipFile(folder / f"{stem}-{version}-py3-none-any.whl", "w") as wheel:
        for member, text in members.items():
            wheel.writestr(member, text)


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_words: object) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address at which a folder is an index."""
    handler = functools.partial(Quiet, directory=str(folder))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    thread.join()
    server.server_close()


def was_made(root: Path, size: int = 1, kind: str = "-gpu") -> None:
    """A root where an environment (for a card, unless `kind` is empty) took so many bytes.

    The estimate goes by that, so that no test hangs on the room that a disk has.
    """
    earlier = root / f"earlier{kind}-0"
    earlier.mkdir(parents=True)
    (earlier / ".made").write_text(json.dumps({"seconds": 1.0, "size": size}))
