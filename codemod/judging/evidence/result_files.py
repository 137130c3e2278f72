"""The one reader and the one writer of result files; their form is docs/results.md."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from codemod.base import given
from codemod.base.errors import EnvironmentFault
from codemod.base.files.shared_file import bad_name, held, put_aside, replace_file
from codemod.base.json_form import FormError, from_json, plain, to_json
from codemod.base.terminal.doing import note
from codemod.judging.evidence.result import (
    PROBE_MODE,
    DynamicResult,
    ModeResult,
    ParityPart,
    ProbePart,
    Result,
)

SCHEMA = 1
PARITY_FOLDER, PROBE_FOLDER = "results", "probes"
_COMMON = ("kit", "config", "revision", "paddle")
_PROBE_FAILURE = ("phase", "message", "traceback", "status", "log")
_PROBE_DYNAMIC = ("outcome", "reason", "tried")
# Probes of before have neither.
_IF_ANY = ("said", "hazard")


@dataclass(frozen=True, slots=True)
class KeptResult:
    """A result with its file; `measured` orders results by age, in seconds since 1970."""

    file: Path
    result: Result
    measured: float


@dataclass(frozen=True, slots=True)
class KeptResults:
    """What a folder holds. `damaged` maps the files that cannot be read to the reason."""

    results: tuple[KeptResult, ...] = ()
    damaged: dict[Path, str] = field(default_factory=dict)


class DamagedResultError(ValueError):
    """A file that holds no result; the message says why."""


def now() -> str:
    """The date of a result measured now: UTC, to the second."""
    return datetime.now(timezone.utc).isoformat(timespec="seconds")


def to_content(result: Result) -> dict[str, Any]:
    """A result as `--json` shows it: the content of its file without the header."""
    common: dict[str, Any] = {name: getattr(result, name) for name in _COMMON}
    if result.probe is not None:
        modes = {name: _probe_mode(mode) for name, mode in result.modes.items()}
        dynamic = _probe_dynamic(result.dynamic)
        empty = tuple(name for name in ("nets", "reads") if not getattr(result.probe, name))
        part = _without(to_json(result.probe), empty)
        return {**common, **part, "modes": {"dynamic": dynamic, **modes}}
    own = (*_PROBE_FAILURE, "confirmed")
    return {
        **common,
        "device": result.device,
        "modes": {name: _without(to_json(mode), own) for name, mode in result.modes.items()},
        "dynamic": _without(to_json(result.dynamic), ("reason", "tried", "traceback")),
        **(to_json(result.parity) if result.parity is not None else {}),
    }


def _without(content: dict[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    return {key: value for key, value in content.items() if key not in keys}


def _probe_mode(mode: ModeResult) -> dict[str, Any]:
    whole = to_json(mode)
    keys: tuple[str, ...] = PROBE_MODE if mode.steps is not None else ("verdict", "reason", "said")
    keys += _PROBE_FAILURE if mode.phase is not None else ()
    keys = tuple(key for key in keys if key not in _IF_ANY or whole[key])
    return {key: whole[key] for key in keys} | ({} if mode.confirmed else {"confirmed": False})


def _probe_dynamic(dynamic: DynamicResult) -> dict[str, Any]:
    keys = _PROBE_DYNAMIC + (() if dynamic.outcome == "ok" else ("traceback",))
    return {key: plain(getattr(dynamic, key)) for key in keys}


def from_content(content: Any) -> Result:
    """A result from a file's content, of this form or of one before it.

    Raises:
        DamagedResultError: it is not one.
    """
    try:
        return _result(content)
    except FormError as error:
        raise DamagedResultError(f"{error}") from None


def _result(content: Any) -> Result:
    if not isinstance(content, dict) or not {"kit", "config", "paddle", "modes"} <= content.keys():
        raise FormError("it is not a result: `kit`, `config`, `paddle` and `modes` are needed")
    if not isinstance(content["modes"], dict):
        raise FormError("`modes` is not an object")
    if content.get("schema", SCHEMA) != SCHEMA:
        raise FormError(f"it is of form {content['schema']}, this version reads {SCHEMA}")
    modes = {name: mode for name, mode in content["modes"].items() if name != "dynamic"}
    # A probe's reference stands among its modes, a parity run's beside them.
    dynamic = content["modes"].get("dynamic") or content.get("dynamic") or {}
    whole = from_json(Result, {**content, "modes": modes, "dynamic": dynamic})
    if fault := bad_name(whole.kit):
        raise FormError(f"`kit`: {fault}")
    if "built" in content:
        return replace(whole, probe=from_json(ProbePart, content))
    return replace(whole, parity=from_json(ParityPart, content))


def read_result(file: Path) -> Result:
    """The result in a file.

    Raises:
        DamagedResultError: the file cannot be read, or holds something else.
    """
    try:
        content = json.loads(given.whole(file) or b"")
    except EnvironmentFault as error:
        raise DamagedResultError(error.message.removesuffix(".")) from None
    except (ValueError, RecursionError):  # text that is not UTF-8, not JSON, or nested too deeply
        raise DamagedResultError("it is not JSON") from None
    return from_content(content)


def read_results(folder: Path) -> KeptResults:
    """All results under `folder` by kit, config and Paddle; hidden folders are left out."""
    found, damaged = [], {}
    for file in sorted(folder.rglob("*.json")):
        if any(part.startswith(".") for part in file.relative_to(folder).parts):
            continue
        try:
            result = read_result(file)
        except DamagedResultError as error:
            damaged[file] = str(error)
        else:
            found.append(KeptResult(file, result, _measured(result, file)))
    found.sort(key=lambda kept: (kept.result.kit, kept.result.config, kept.result.paddle))
    return KeptResults(tuple(found), damaged)


def _measured(result: Result, file: Path) -> float:
    """When it was measured; of old results, which do not say it, when the file was written."""
    if result.date is not None:
        with contextlib.suppress(ValueError):
            return datetime.fromisoformat(result.date).timestamp()
    return file.stat().st_mtime


def newest(results: Iterable[KeptResult]) -> tuple[KeptResult, ...]:
    """The latest result of each kit, config, Paddle, device and options, in the same order.

    A hook, a recipe or a kit that changed leaves the results of before beside those of now.
    """
    listed = tuple(results)
    latest = {_key(kept.result): kept for kept in sorted(listed, key=lambda kept: kept.measured)}
    return tuple(kept for kept in listed if latest[_key(kept.result)] is kept)


def _key(result: Result) -> tuple[object, ...]:
    part = result.parity
    own = (part.steps, *part.options) if part is not None else ()
    return (result.kind, result.kit, result.config, result.paddle, result.device, *own)


def file_content(result: Result) -> dict[str, Any]:
    """The content of a result's file: what `--json` shows behind a header."""
    told = {name: plain(getattr(result, name)) for name in ("date", "recorder", "edited")}
    return {"schema": SCHEMA, **told, **to_content(result)}


def write_result(file: Path, result: Result) -> None:
    """Write a result whole, or not at all; a damaged file in its place is put aside and named.

    Raises:
        EnvironmentFault: it cannot be written.
    """
    text = json.dumps(file_content(result), indent=1, ensure_ascii=False)
    with held(file):
        if file.exists() and is_damaged(file):
            note(f"{file} could not be read and is kept as {put_aside(file).name}.")
        replace_file(file, text.encode("utf-8", "backslashreplace"))


def is_damaged(file: Path) -> bool:
    """Whether a file holds no result."""
    try:
        read_result(file)
    except DamagedResultError:
        return True
    return False
