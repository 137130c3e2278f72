"""The wheel of a build of Paddle: whether an index or a folder has it, and its size."""

from __future__ import annotations

import platform
import re
import urllib.error
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlparse

from codemod.base.errors import EnvironmentFault

CPU, GPU = "paddlepaddle", "paddlepaddle-gpu"
_FILE = r"-([^-]+)-(?:\d+-)?(cp\d+|py3)-[^-]+-(\S+)\.whl\Z"
_WHEELS = {name: re.compile(name.replace("-", "_") + _FILE, re.I) for name in (CPU, GPU)}
# What follows the wheel's Python: any platform, or Linux on this machine's processor.
_HERE = re.compile(rf"any|(many)?linux\S*_{re.escape(platform.machine())}", re.I)
_ANSWER_S = 20


def find_wheel(index: str, version: str, python: str) -> int | None:
    """Look for the wheel of a CUDA build on an index; its size in bytes, None if it is not told.

    `index` is a simple index's address, `python` a version such as "3.10".

    Raises:
        EnvironmentFault: the index cannot be read, or has no such wheel; says what it has.
    """
    page = urljoin(index if index.endswith("/") else f"{index}/", f"{GPU}/")
    links = _links(page)
    fitting = [link for name, link in links.items() if _fits(GPU, name, version, python)]
    if fitting:
        return _size(fitting[0])
    raise EnvironmentFault(
        f"{page} has no Paddle {version} for Python {python}.",
        _others(GPU, links, version, "Use another --index."),
    )


def in_folder(folder: Path, wanted: str, version: str, python: str) -> None:
    """Look for the wheel of `CPU` or `GPU` in a folder, for a machine without a network.

    Raises:
        EnvironmentFault: the folder has no such wheel; says what it has.
    """
    names = {path.name: "" for path in folder.glob("*.whl")} if folder.is_dir() else {}
    if not any(_fits(wanted, name, version, python) for name in names):
        raise EnvironmentFault(
            f"{folder} has no {wanted} {version} for Python {python}.",
            _others(wanted, names, version, "Put it there, or name another folder by --wheels."),
        )


def _fits(wanted: str, name: str, version: str, python: str) -> bool:
    match = _WHEELS[wanted].match(name)
    if match is None:
        return False
    # A local part (`3.3.1+cu126`) or a post release of it is the same Paddle.
    same = re.match(rf"{re.escape(version)}(\.post\d+)?(\+.*)?\Z", match.group(1)) is not None
    here = _HERE.fullmatch(match.group(3)) is not None
    return same and here and match.group(2) in (f"cp{python.replace('.', '')}", "py3")


def _others(wanted: str, names: dict[str, str], version: str, nothing: str) -> str:
    """What there is instead, or `nothing`."""
    all_ = [match for name in names if (match := _WHEELS[wanted].match(name))]
    found = [match for match in all_ if _HERE.fullmatch(match.group(3))]
    if all_ and not found:
        none = f"It has none for Linux on {platform.machine()}"
        return f"{none}: use --device cpu." if wanted == GPU else f"{none}."
    pythons = sorted({m.group(2) for m in found if m.group(1).startswith(version)})
    if pythons:
        return f"It has that Paddle for {', '.join(pythons)}: use one of these Pythons."
    versions = sorted({m.group(1) for m in found})
    return f"It has {', '.join(versions[-6:])}: use --paddle." if versions else nothing


class _Anchors(HTMLParser):
    """Collects the addresses of a page's links."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep an anchor's address."""
        if tag == "a":
            self.found += [value for key, value in attrs if key == "href" and value]


def _links(page: str) -> dict[str, str]:
    """The files that a page links to, by name, with their addresses."""
    from urllib.request import urlopen  # it brings TLS, which most commands do without

    if urlparse(page).scheme not in ("http", "https"):
        raise EnvironmentFault(f"{page} is no address of an index.", "Use http or https.")
    try:
        with urlopen(page, timeout=_ANSWER_S) as answer:  # noqa: S310 (scheme checked)
            text = answer.read().decode("utf-8", errors="replace")
    except (OSError, ValueError) as error:
        why = error.reason if isinstance(error, urllib.error.URLError) else error
        raise EnvironmentFault(
            f"The index {page} cannot be read ({why}).",
            "Look at the network, name another --index, or use --wheels DIR.",
        ) from error
    anchors = _Anchors()
    anchors.feed(text)
    whole = (urljoin(page, link).partition("#")[0] for link in anchors.found)
    return {unquote(link.rpartition("/")[2]): link for link in whole}


def _size(link: str) -> int | None:
    from urllib.request import Request, urlopen

    try:
        request = Request(link, method="HEAD")  # noqa: S310 (from the index's page)
        with urlopen(request, timeout=_ANSWER_S) as answer:  # noqa: S310
            told = answer.headers.get("Content-Length", "")
    except (OSError, ValueError):
        return None
    return int(told) if told.isdigit() else None
