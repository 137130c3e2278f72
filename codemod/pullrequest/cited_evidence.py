"""Parity results as a pull request cites them: read from the store, never judged here."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from codemod.base.workspace import Workspace

PICTURES = (".png", ".svg")


@dataclass(frozen=True, slots=True)
class Row:
    """One config in one mode.

    `revision` is the kit's, None where the record names none; `hook` is the checksum of the
    code that was run; `reason` says why a verdict is not a plain `pass`.
    """

    config: str
    mode: str
    verdict: str
    steps: str
    loss_max_abs: str
    grad_max_rel: str
    noise_floor: str
    programs: str
    graph_breaks: str
    device: str
    paddle: str
    revision: str | None
    hook: str | None
    command: str
    record: str
    reason: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the store knows of a kit: rows, pictures of loss curves, files it could not read."""

    rows: tuple[Row, ...] = ()
    pictures: tuple[Path, ...] = ()
    unreadable: tuple[str, ...] = ()


def read_evidence(workspace: Workspace, kit: str | None) -> Evidence:
    """All results of `kit` in the workspace's store, by config and mode."""
    rows: list[Row] = []
    pictures: list[Path] = []
    unreadable: list[str] = []
    for file in sorted((workspace.root / "results").rglob("*.json")):
        name = file.relative_to(workspace.root).as_posix()
        try:
            content = json.loads(file.read_bytes())
        except (OSError, ValueError, RecursionError):
            unreadable.append(name)
            continue
        if _is_result(content) and content["kit"] == kit:
            rows += [_row(content, mode, name) for mode in content["modes"]]
            pictures += _pictures(content, file, workspace.root)
    rows.sort(key=lambda row: (row.config, row.mode, row.device))
    return Evidence(tuple(rows), tuple(dict.fromkeys(pictures)), tuple(unreadable))


def _is_result(content: object) -> bool:
    return (
        isinstance(content, dict)
        and isinstance(content.get("modes"), dict)
        and all(isinstance(mode, dict) for mode in content["modes"].values())
        and {"kit", "config"} <= content.keys()
    )


def _row(content: dict[str, Any], mode: str, record: str) -> Row:
    values: dict[str, Any] = content["modes"][mode]
    return Row(
        config=str(content["config"]),
        mode=mode,
        verdict=str(values.get("verdict", "not-run")),
        steps=_text(values.get("steps")),
        loss_max_abs=_text(values.get("loss_max_abs")),
        grad_max_rel=_text(values.get("grad_max_rel")),
        noise_floor=_text(values.get("noise_floor")),
        programs=_text(values.get("programs")),
        graph_breaks=_text(values.get("graph_breaks")),
        device=_text(content.get("device")),
        paddle=_text(content.get("paddle")),
        revision=_known(content.get("revision")),
        hook=_known(content.get("hook")),
        command=_public(str(content.get("command") or _command(content, mode))),
        record=record,
        reason="" if values.get("verdict") == "pass" else _why(values),
    )


def _known(value: object) -> str | None:
    return None if value is None else str(value)


def _why(values: dict[str, Any]) -> str:
    return " ".join(str(values[key]) for key in ("reason", "hint") if values.get(key))


def _command(content: dict[str, Any], mode: str) -> str:
    words = ["codemod", "parity", str(content["kit"]), "-c", str(content["config"])]
    steps = content["modes"][mode].get("steps")
    if isinstance(steps, int):
        words += ["--steps", str(steps)]
    words += ["--modes", f"dynamic,{mode}" if mode != "dynamic" else mode]
    if content.get("device"):
        words += ["--device", str(content["device"])]
    return shlex.join(words)


def _public(command: str) -> str:
    """The command as others can run it: in their own clone, with their own Python."""
    try:
        words = shlex.split(command)
    except ValueError:
        return shlex.quote(command)
    kept: list[str] = []
    at = 0
    while at < len(words):
        if words[at] in ("--path", "--python", "--workspace"):
            kept += ["--path", "."] if words[at] == "--path" else []
            at += 2
        else:
            kept.append(words[at])
            at += 1
    return shlex.join(kept)


def _text(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, list):
        return str(len(value))
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def _pictures(content: dict[str, Any], file: Path, workspace: Path) -> list[Path]:
    """The pictures that the record names; of one picture in two formats, the PNG.

    A record may come from elsewhere: it names pictures of the workspace, or none.
    """
    named = content.get("pictures")
    found = [file.parent / str(name) for name in named] if isinstance(named, list) else []
    inside = [path for path in found if path.resolve().is_relative_to(workspace.resolve())]
    kept = [path for path in inside if path.suffix in PICTURES and path.is_file()]
    return [path for path in kept if path.suffix == ".png" or path.with_suffix(".png") not in kept]
