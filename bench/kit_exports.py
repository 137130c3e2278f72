"""The kits' own export scripts before and after the change: each must export the same net.

usage: python -m bench.kit_exports KITS [--kit NAME]... [--paddle V] [--limit SECONDS]

KITS holds a checkout of each kit. `bench/kit_exports.yaml` names the scripts and what starts them.
Each is run in a copy without the change, in one with it, and there once more with the switch on in
the config, from weights of one seed. What was exported is loaded again and fed one batch: weights
and outputs must be equal to the bit. The exit code is 1 where one is not.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import yaml

from bench.kit_copies import copies, environment, over_kits

TABLE = Path(__file__).with_suffix(".yaml")
# The script starts from weights of one seed; a file of weights of no net leaves them so.
_EXPORT = """
import os, runpy, sys
import paddle
empty, script = sys.argv[1], sys.argv[2]
sys.argv = sys.argv[2:]
sys.path[0] = os.path.dirname(os.path.abspath(script))
paddle.save({"of_no_net": paddle.zeros([1])}, empty)
paddle.seed(2024)
runpy.run_path(script, run_name="__main__")
"""
# Prints digests of what was exported: of its weights, and of its outputs for one batch.
_DIGESTS = """
import hashlib, pathlib, sys
import numpy as np
import paddle
files = [*pathlib.Path(sys.argv[1]).rglob("*.pdmodel"), *pathlib.Path(sys.argv[1]).rglob("*.json")]
for file in sorted({file.with_suffix("") for file in files}):
    if not file.with_suffix(".pdiparams").exists():
        continue
    net = paddle.jit.load(str(file))
    net.eval()
    random = np.random.RandomState(0)
    inputs = []
    for spec in net._input_spec():
        shape = [2 if n in (None, -1) else n for n in spec.shape]
        shape = [64 if n == 2 and at > 1 else n for at, n in enumerate(shape)]
        kind = paddle.to_tensor([], dtype=spec.dtype).numpy().dtype
        inputs.append(paddle.to_tensor(random.uniform(1, 9, shape).astype(kind)))
    found = paddle.utils.flatten(net(*inputs))
    weights = sorted((name, value.numpy().tobytes()) for name, value in net.state_dict().items())
    digest = lambda parts: hashlib.sha256(b"".join(parts)).hexdigest()[:16]
    print("net", file.name, digest(value for _, value in weights), len(weights),
          digest(one.numpy().tobytes() for one in found), [one.shape for one in found])
"""


def exported(
    python: Path, root: Path, argv: list[str], variables: dict[str, str], limit_s: float
) -> str:
    """What a script exported, as digests a line; else the last line that it or the loading said."""
    with tempfile.TemporaryDirectory() as scratch:
        out, empty = Path(scratch, "out"), Path(scratch, "rec.pdparams")
        words = [word.format(out=out, empty=empty, folder=scratch) for word in argv]
        env = {**os.environ, **variables, "PYTHONPATH": str(root), "HF_HUB_OFFLINE": "1"}
        for code, given in ((_EXPORT, [str(empty), *words]), (_DIGESTS, [str(out)])):
            ran = subprocess.run(
                [str(python), "-c", code, *given],
                cwd=root,
                env=env,
                capture_output=True,
                text=True,
                timeout=limit_s,
                check=False,
            )
            if ran.returncode:
                said = (ran.stdout + ran.stderr).strip().splitlines() or [""]
                return f"ended with {ran.returncode}: {said[-1]}".replace(str(root), "")
        nets = [line for line in ran.stdout.splitlines() if line.startswith("net ")]
        return "\n".join(nets) or "exported nothing"


def compared(kit: str, checkout: Path, newest: str, limit_s: float) -> bool:
    """Run a kit's scripts, print how each ended, and say whether all exported the same."""
    scripts: list[dict[str, Any]] = yaml.safe_load(TABLE.read_text(encoding="utf-8"))[kit]
    same = True
    with copies(kit, checkout) as (before, after):
        for script in scripts:
            argv, paddle = script["argv"], str(script.get("paddle", newest))
            python, recipe = environment(kit, paddle)
            ways = [("before", before, argv), ("after", after, argv)]
            ways += [("switch on", after, [*argv, *script["switch"]])] if "switch" in script else []
            found = {
                name: exported(python, root, words, recipe.env, limit_s)
                for name, root, words in ways
            }
            wanted = found["before"]
            other = [name for name in found if found[name] != wanted]
            good = wanted.startswith("net ") and not other
            same &= good
            told = f"equal in {', '.join(found)}" if good else f"not equal: {', '.join(other)}"
            print(f"{kit} {' '.join(argv[:3])}, Paddle {paddle}: {told}\n  {wanted}", flush=True)
            for name in other:
                print(f"  {name}: {found[name]}", flush=True)
    return same


if __name__ == "__main__":
    sys.exit(over_kits(__doc__, TABLE, compared))
