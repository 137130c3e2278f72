"""Rewrites files and looks at every name in the result, over both cores where there are many."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from codemod.engine.bindings import unbound
from codemod.engine.ops import Op
from codemod.engine.rewrite import CannotRewriteError, Rewritten, rewrite

Job = tuple[str, bytes, Sequence[Op]]
# Forking and passing results back costs about as much as rewriting 100 kB of code.
WORTH_A_PROCESS = 300_000


@dataclass(frozen=True)
class Refused:
    """Why operations on a file (by their place in its list) must not be carried out."""

    reasons: dict[int, str]


def rewrite_all(jobs: Sequence[Job]) -> Iterator[tuple[str, Rewritten | Refused | str]]:
    """Each file's result, or the reason why it, or some of the operations, must be left out."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    if cores < 2 or sum(len(job[1]) for job in jobs) < WORTH_A_PROCESS or len(jobs) < 2:
        yield from map(_one, jobs)
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    # A forked worker has LibCST already; a spawned one would import it again.
    with ProcessPoolExecutor(cores, mp_context=get_context("fork")) as pool:
        yield from pool.map(_one, jobs, chunksize=max(1, len(jobs) // (cores * 4)))


def _one(job: Job) -> tuple[str, Rewritten | Refused | str]:
    path, source, ops = job
    try:
        result = rewrite(source, ops)
        fault = unbound(source, result.new)
        return path, _refused(source, ops, fault) if fault else result
    except CannotRewriteError as fault:
        return path, str(fault)


def _refused(source: bytes, ops: Sequence[Op], fault: str) -> Refused:
    """The operations that are at fault by themselves, or all of them."""
    reasons = {}
    for index, op in enumerate(ops):
        alone = unbound(source, rewrite(source, [op]).new)
        if alone:
            reasons[index] = alone
    return Refused(reasons or dict.fromkeys(range(len(ops)), fault))
