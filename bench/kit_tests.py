"""The kits' own unit tests before and after the change: each test must end as it did.

usage: python -m bench.kit_tests KITS [--kit NAME]... [--paddle V] [--limit SECONDS]

KITS holds a checkout of each kit. `bench/kit_tests.yaml` names the tests and what they need; a kit
that is not there has none that run without a network and a card. Two copies are tested, one with
the change, in an environment of their own. A test that fails before (its data are fetched, say) has
to fail after it too. The exit code is 1 where one ends otherwise.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from xml.etree import ElementTree

import yaml

from bench.kit_copies import copies, environment, over_kits

TABLE = Path(__file__).with_suffix(".yaml")


def outcomes(
    python: Path, root: Path, tests: list[str], variables: dict[str, str], limit_s: float
) -> dict[str, str]:
    """How each test ended: passed, failed, error or skipped; each file is a session of its own.

    A session that dies has one entry, its exit code.
    """
    env = {**os.environ, **variables, "PYTHONPATH": str(root), "HF_HUB_OFFLINE": "1"}
    report = root.parent / f"{root.name}.xml"
    command = [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}"]
    found = {}
    for file in sorted(one for test in tests for one in (root / test).rglob("test_*.py")):
        report.unlink(missing_ok=True)
        ran = subprocess.run(
            [*command, str(file)],
            cwd=root,
            env=env,
            capture_output=True,
            timeout=limit_s,
            check=False,
        )
        if not report.exists():
            found[str(file.relative_to(root))] = f"ended with {ran.returncode}"
            continue
        for case in ElementTree.parse(report).iter("testcase"):
            ended = next((one.tag for one in case if one.tag in _ENDS), "passed")
            found[f"{case.get('classname')}.{case.get('name')}"] = _ENDS.get(ended, ended)
    return found


_ENDS = {"failure": "failed", "error": "error", "skipped": "skipped"}


def compared(kit: str, checkout: Path, paddle: str, limit_s: float) -> bool:
    """Run a kit's tests in both copies, print the counts, and say whether all ended alike."""
    needs = yaml.safe_load(TABLE.read_text(encoding="utf-8"))[kit]
    python, recipe = environment(kit, paddle, (*needs["packages"], "pytest"))
    with copies(kit, checkout) as roots, ThreadPoolExecutor(len(roots)) as pool:
        before, after = pool.map(
            lambda root: outcomes(python, root, needs["tests"], recipe.env, limit_s), roots
        )
    other = [name for name in sorted(before | after) if before.get(name) != after.get(name)]
    counts = ", ".join(f"{ended} {number}" for ended, number in Counter(before.values()).items())
    print(f"{kit}, Paddle {paddle}: {len(before)} tests ({counts}); ended otherwise: {len(other)}")
    for name in other:
        print(f"  {name}: {before.get(name)} before, {after.get(name)} after")
    return not other


if __name__ == "__main__":
    sys.exit(over_kits(__doc__, TABLE, compared))
