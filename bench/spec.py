"""Derive the InputSpec of many configs, check each by an AST run, print the table.

usage: python -m bench.spec --hooked DIR --results FILE [--workspace DIR] [--kit NAME]...
       [--paddle VERSION] [--limit SECONDS] [--table]

`--hooked` holds one hooked checkout a kit. Results are kept, one line a config, as they come; a
config that was derived is not run again. With `--table` nothing is run.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).resolve().parent


def known(results: Path) -> dict[tuple[str, str], dict[str, Any]]:
    """The kept results by kit and config; the last one of each counts."""
    lines = results.read_text(encoding="utf-8").splitlines() if results.is_file() else []
    rows = [json.loads(line) for line in lines]
    return {(row["kit"], row["config"]): row for row in rows}


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
    return {**found, "kit": kit, "config": config, "seconds": seconds, "code": done.returncode}


def row(found: dict[str, Any]) -> Iterator[str]:
    """The cells of one config: nets, spec, eval, check, the kit's own spec."""
    yield f"{found['kit']} | {found['config']}"
    if "layers" not in found:
        yield from ("-", "-", "-", found.get("error", "?").splitlines()[0][:120])
        return
    yield ", ".join(layer["layer"] for layer in found["layers"])
    specs = [layer["input_spec"] or "none fits" for layer in found["layers"]]
    yield "; ".join(s.replace("paddle.static.", "")[:160] for s in specs)
    fits = "fits" if all(layer["fits"] for layer in found["layers"]) else "training only"
    yield fits if found["evaluated"] else "no evaluation"
    check = found["check"]
    if check is None:
        yield f"not checked: {found['unchecked']}"
    else:
        word = "one program" if check["passed"] else check["outcome"]
        yield f"{word} ({check['programs']} for {check['nets']} nets, {check['steps']} steps)"


def table(rows: dict[tuple[str, str], dict[str, Any]]) -> None:
    """Print what is known as a Markdown table, and the totals."""
    print("| kit | config | nets | derived | evaluation | AST |\n|---|---|---|---|---|---|")
    for found in rows.values():
        print("| " + " | ".join(row(found)) + " |")
    derived = [found for found in rows.values() if "layers" in found]
    passed = [found for found in derived if found["check"] and found["check"]["passed"]]
    kits = len({found["kit"] for found in passed})
    print(f"\n{len(derived)} derived, {len(passed)} with one program a net, over {kits} kits.")


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
    for kit, config in [(kit, config) for kit, some in configs.items() for config in some]:
        if options.table or (options.kit and kit not in options.kit):
            continue
        if "layers" in known(options.results).get((kit, config), {}):
            continue
        found = derive(options, kit, config)
        with options.results.open("a", encoding="utf-8") as file:
            file.write(json.dumps(found, ensure_ascii=False) + "\n")
        print(f"{kit} {config}: {found['code']}, {found['seconds']} s", file=sys.stderr)
    table(known(options.results))


if __name__ == "__main__":
    main()
