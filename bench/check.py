"""What `codemod check` finds in each kit, by kind: the table of docs/measured/check.md.

usage: python -m bench.check DIR [DIR ...]

Each DIR holds a checkout a kit, named like the kit; the columns follow their order.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from codemod.kits.catalogue import load_kits


def main() -> None:
    """Print one row a kit: configs that reach a hook, and how many findings of each kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    folders: list[Path] = parser.parse_args().folders
    print(f"| kit |{''.join(f' {folder.name} |' for folder in folders)}")
    print("|---|" + "---|" * len(folders))
    for kit in load_kits():
        if all((folder / kit).is_dir() for folder in folders):
            cells = "".join(f" {_cell(checked(kit, folder / kit))} |" for folder in folders)
            print(f"| {kit} |{cells}", flush=True)


def checked(kit: str, path: Path) -> dict[str, Any]:
    """The object that the command prints for a checkout; its exit code 1 means findings."""
    words = [sys.executable, "-m", "codemod", "check", kit, "--path", str(path), "--json"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _cell(found: dict[str, Any]) -> str:
    configs = found["configs"]
    reach = sum(row["blocked"] is None for row in configs)
    kinds = Counter(one["id"].split()[0] for one in found["findings"])
    text = ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items()))
    return f"{reach} of {len(configs)}; {text or 'nothing'}"


if __name__ == "__main__":
    main()
