"""The mutants of one module that the given tests do not notice.

    python -m bench.mutants codemod/judging/judge.py tests/judging [-k EXPRESSION] [--line N]...
        [--every N] [--floor SHARE]

With `--every` each N-th mutant alone; with `--floor` the exit code is 1 only where a smaller share
is noticed. `python -m bench.mutants.rooms` scores the fixed samples.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from pathlib import Path

from bench.mutants.mutant import mutants
from bench.mutants.trials import Unsound, survivors


def main() -> int:
    """Print the score and the survivors; the exit code is 1 if there are too many."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("module", type=Path)
    parser.add_argument("tests", nargs="+")
    parser.add_argument("-k", default="")
    parser.add_argument("--line", type=int, action="append", default=[])
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--floor", type=float, default=1.0)
    args = parser.parse_args()
    tried = [
        one
        for one in itertools.islice(mutants(args.module), 0, None, args.every)
        if not args.line or one.line in args.line
    ]
    try:
        left = survivors(tried, args.tests, args.k)
    except Unsound as error:
        sys.exit(str(error))
    noticed = len(tried) - len(left)
    print(f"{args.module}: {noticed} of {len(tried)} mutants noticed")
    for mutant in left:
        print(f"{mutant.line}: {mutant.key}")
    return int(noticed < args.floor * len(tried))


if __name__ == "__main__":
    raise SystemExit(main())
