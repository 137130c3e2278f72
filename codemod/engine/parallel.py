"""Rewrites files, over both cores where there are many."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from codemod.engine.ops import Op
from codemod.engine.rewrite import CannotRewriteError, Rewritten, rewrite

Job = tuple[str, bytes, Sequence[Op]]
# Forking and passing results back costs about as much as rewriting 100 kB of code.
WORTH_A_PROCESS = 300_000


def rewrite_all(jobs: Sequence[Job]) -> Iterator[tuple[str, Rewritten | str]]:
    """Each file's result, or the reason why it must stay as it is."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    if cores < 2 or sum(len(job[1]) for job in jobs) < WORTH_A_PROCESS or len(jobs) < 2:
        yield from map(_one, jobs)
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    # A forked worker has LibCST already; a spawned one would import it again.
    with ProcessPoolExecutor(cores, mp_context=get_context("fork")) as pool:
        yield from pool.map(_one, jobs, chunksize=max(1, len(jobs) // (cores * 4)))


def _one(job: Job) -> tuple[str, Rewritten | str]:
    path, source, ops = job
    try:
        return path, rewrite(source, ops)
    except CannotRewriteError as fault:
        return path, str(fault)
