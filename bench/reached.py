"""Whether `check` counts the configs that `check --exec` finds: docs/measured/check.md.

usage: python -m bench.reached FILE... [--write]

Each FILE holds what `codemod check KIT --exec --json --paddle 3.3.1` printed of a kit as it is
pinned. A config differs where its code says another thing than its run; the exit code is 1 then.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.check import PAGE
from bench.fixes import filled_block

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

HEAD = ("kit", "configs", "by their code", "not run", "when run", "of no use", "differ")


def counts(audit: Mapping[str, Any]) -> tuple[int, int, int, int, int, int]:
    """Of one kit: its configs, those that reach a hook by their code, those that were not run.

    Then those that came to a hook when run, how many of these to one with which training fails or
    goes wrong, as their code says, and how many did another thing than that.
    """
    ran = audit["executed"]
    first = ran["ways"][0]["name"]
    came = {one["config"]: one["came"] for one in ran["tries"] if one["way"] == first}
    behind = {
        row["config"]
        for row in audit["configs"]
        if ((row["blocked_reason"] or {}).get("code") or "").startswith("audit.behind")
    }
    by_code = sum(row["blocked"] is None for row in audit["configs"])
    reached = {config for config, what in came.items() if what == "reached"}
    unable = Counter(came.values())["unable"]
    return len(came), by_code, unable, len(reached), len(reached & behind), ran["differ"]


def table(rows: Mapping[str, Iterable[int]]) -> str:
    """A line for each kit."""
    lines = [f"| {' | '.join(HEAD)} |", f"|---|{'---:|' * (len(HEAD) - 1)}"]
    lines += [f"| {kit} | {' | '.join(map(str, row))} |" for kit, row in rows.items()]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Print the table, or write it into the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--write", action="store_true", help="into docs/measured/check.md")
    options = parser.parse_args()
    audits = [json.loads(file.read_text()) for file in options.files]
    rows = {audit["kit"]: counts(audit) for audit in audits}
    made = table(rows)
    if options.write:
        PAGE.write_text(filled_block(PAGE.read_text(encoding="utf-8"), "reached", made), "utf-8")
    print(made, end="")
    return int(any(row[-1] for row in rows.values()))


if __name__ == "__main__":
    sys.exit(main())
