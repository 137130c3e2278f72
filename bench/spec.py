"""Derive the InputSpec of many configs, check each by an AST run, print the table.

usage: python -m bench.spec --hooked DIR --results FILE [--workspace DIR] [--kit NAME]...
       [--paddle VERSION] [--batches N] [--limit SECONDS] [--table]

`--hooked` holds one hooked checkout a kit. Results are kept, one line a config, as they come; a
config that was derived is not run again. With `--table` nothing is run.
"""

from __future__ import annotations

import argparse
import itertools
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

HERE = Path(__file__).resolve().parent


def known(results: Path) -> dict[tuple[str, str, str], dict[str, Any]]:
    """The kept results by kit, config and Paddle; of each the last one that was derived counts."""
    lines = results.read_text(encoding="utf-8").splitlines() if results.is_file() else []
    rows = [json.loads(line) for line in lines]
    rows.sort(key=lambda row: "layers" in row)
    return {(row["kit"], row["config"], row.get("paddle", "")): row for row in rows}


def rounds(configs: dict[str, list[str]]) -> Iterator[tuple[str, str]]:
    """The first config of every kit, then the second of every kit, and so on."""
    for some in itertools.zip_longest(*configs.values()):
        yield from ((kit, one) for kit, one in zip(configs, some, strict=True) if one is not None)


def derive(options: argparse.Namespace, kit: str, config: str) -> dict[str, Any]:
    """One run of `codemod spec --check --json`; a fault is kept as its message."""
    argv = [sys.executable, "-m", "codemod", "spec", kit, "-c", config, "--json", "--check"]
    argv += ["--path", str(options.hooked / kit), "--workspace", str(options.workspace)]
    argv += ["--batches", str(options.batches), "--limit", str(options.limit)]
    argv += ["--paddle", options.paddle] if options.paddle else []
    started = time.monotonic()
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    found: dict[str, Any] = json.loads(done.stdout) if done.stdout.strip() else {}
    seconds = round(time.monotonic() - started)
    told = {"kit": kit, "config": config, "seconds": seconds, "code": done.returncode}
    return {"paddle": options.paddle, **found, **told}


def row(found: dict[str, Any]) -> Iterator[str]:
    """The cells of one config: nets, spec, evaluation, programs, the kit's own spec."""
    yield f"{found['kit']} | {found['config']} | {found.get('paddle', '')}"
    if "layers" not in found:
        yield from ("-", "-", "-", "-", "-", found.get("error", "?").splitlines()[0][:120])
        return
    yield ", ".join(layer["layer"] for layer in found["layers"])
    yield "; ".join(_spec(layer) for layer in found["layers"])
    fits = "fits" if all(layer["fits"] for layer in found["layers"]) else "training only"
    yield fits if found["evaluated"] else "not seen"
    check = found["check"]
    if check is None:
        yield from ("not checked", "-")
    else:
        nets = f" for {check['nets']} nets" if check["nets"] > 1 else ""
        why = "" if check["passed"] else _why(found)
        yield f"{check['programs']}{nets}{why}" if check["outcome"] == "ok" else check["outcome"]
        without = check.get("without", "not counted")
        yield "fails" if without is None else str(without)
    yield "; ".join(dict.fromkeys(_own(layer) for layer in found["layers"]))


def _why(found: dict[str, Any]) -> str:
    """What costs more programs than one a net, whatever the spec; equal reasons once."""
    paths: dict[str, list[str]] = {}
    for note in (note for layer in found["layers"] for note in layer["notes"]):
        if note["kind"] in ("retrace", "dtype", "gradient"):
            paths.setdefault(note["text"], []).append(note["path"])
    return "".join(f"; {', '.join(some)} {text}" for text, some in paths.items())


def _own(layer: dict[str, Any]) -> str:
    """The kit's own spec against what is fed."""
    if layer["kit_spec"] is None:
        return "none"
    kinds = [f"{one['kind']}: {one['kit']}" for one in layer["differences"]]
    return ", ".join(kinds) or "same"


def _spec(layer: dict[str, Any]) -> str:
    if not layer["fits_training"]:
        return "none fits: " + "; ".join(f"{n['path']} {n['text']}" for n in layer["notes"])
    return ", ".join(_many([_short(node) for node in layer["arguments"].values()]))


def _short(node: dict[str, Any]) -> str:
    """`[None, 3] float32`; lists and dicts around them, equal neighbours counted."""
    if "tensor" in node:
        dims = ", ".join(str(size) for size in node["tensor"]["shape"])
        return f"[{dims}] {node['tensor']['dtype']}"
    if "value" in node or "object" in node:
        return repr(node.get("value", node.get("object")))
    ((kind, inside),) = node.items()
    if isinstance(inside, dict):
        return "{" + ", ".join(f"{key}: {_short(item)}" for key, item in inside.items()) + "}"
    return f"{kind}(" + ", ".join(_many([_short(item) for item in inside])) + ")"


def _many(texts: list[str]) -> Iterator[str]:
    for text, group in itertools.groupby(texts):
        count = len(list(group))
        yield text if count == 1 else f"{count} x {text}"


def _whole(found: dict[str, Any]) -> bool:
    """Whether a config was derived, and counted with the spec and without it."""
    return "layers" in found and (found["check"] is None or "without" in found["check"])


def table(rows: Iterable[dict[str, Any]]) -> None:
    """Print what is known as a Markdown table, and the totals."""
    print(
        "| kit | config | Paddle | nets | derived | evaluation | programs | without | kit's own |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    rows = sorted(rows, key=lambda found: (found["kit"], found["config"], "layers" in found))
    done = {(found["kit"], found["config"]) for found in rows if "layers" in found}
    rows = [r for r in rows if "layers" in r or (r["kit"], r["config"]) not in done]
    for found in rows:
        print("| " + " | ".join(row(found)) + " |")
    derived = [found for found in rows if "layers" in found]
    passed = [found for found in derived if found["check"] and found["check"]["passed"]]
    configs = {(found["kit"], found["config"]) for found in passed}
    kits = len({kit for kit, _ in configs})
    print(f"\n{len(derived)} derived, {len(configs)} with one program a net, over {kits} kits.")


def main() -> None:
    """Run what is not known yet, then print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hooked", type=Path, required=True)
    parser.add_argument("--results", type=Path, required=True)
    parser.add_argument("--workspace", type=Path, default=Path(".codemod"))
    parser.add_argument("--kit", action="append", default=[])
    parser.add_argument("--paddle", default="")
    parser.add_argument("--batches", type=int, default=4)
    parser.add_argument("--limit", type=float, default=300.0)
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    configs: dict[str, list[str]] = yaml.safe_load((HERE / "spec.yaml").read_text())
    for kit, config in rounds(configs):
        if options.table or (options.kit and kit not in options.kit):
            continue
        if any(
            _whole(found)
            for (*which, paddle), found in known(options.results).items()
            if which == [kit, config] and options.paddle in ("", paddle)
        ):
            continue
        found = derive(options, kit, config)
        with options.results.open("a", encoding="utf-8") as file:
            file.write(json.dumps(found, ensure_ascii=False) + "\n")
        print(f"{kit} {config}: {found['code']}, {found['seconds']} s", file=sys.stderr)
    table(known(options.results).values())


if __name__ == "__main__":
    main()
