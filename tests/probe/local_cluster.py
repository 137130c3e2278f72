"""Start a local cluster; print the addresses at which it listens, as the kernel writes them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from codemod.training.cluster import Cluster

if TYPE_CHECKING:
    from collections.abc import Iterator

_LISTENS = "0A"


def variables() -> dict[str, str]:
    """What a worker sees."""
    return dict(os.environ)


def processes() -> set[int]:
    """This process and all below it."""
    below = {os.getpid()}
    while True:
        pids = (int(name) for name in os.listdir("/proc") if name.isdigit())  # noqa: PTH208
        more = {pid for pid in pids if _above(pid) in below} | below
        if more == below:
            return below
        below = more


def _above(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def sockets(pid: int) -> set[str]:
    """The inodes of a process' sockets."""
    try:
        links = [os.readlink(link) for link in Path(f"/proc/{pid}/fd").iterdir()]  # noqa: PTH115
    except OSError:
        return set()
    return {link[8:-1] for link in links if link.startswith("socket:[")}


def listening() -> Iterator[str]:
    """The addresses at which one of the processes listens."""
    inodes = set().union(*map(sockets, processes()))
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        for row in [line.split() for line in Path(table).read_text().splitlines()][1:]:
            if row[3] == _LISTENS and row[9] in inodes:
                yield row[1].partition(":")[0]


if __name__ == "__main__":
    with Cluster("local") as cluster:
        assert "GITHUB_TOKEN" not in cluster.call(variables, memory_gb=0.1, name="a")
        found = list(listening())
    print(*found)
    assert os.environ["GITHUB_TOKEN"] == "secret"
