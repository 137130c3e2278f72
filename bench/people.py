"""What people's own rewrites do to a model, held to the law that our fixes are held to.

usage: python -m bench.people --clones DIR [--kit NAME]... [--limit SECONDS] [--out FILE]

For each commit of `bench/people.yaml`, a config is probed in the tree before the commit and in that
tree with the commit's Python: does dynamic training stay equal to the bit, which static modes pass
before and after, how many lines. The adapters are those for the kits as they are today: what they
cannot build in an old tree is printed with the reason. Beside it stand the fixes that are known for
the config before the commit.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from bench.revisions import Clone, clones
from codemod.base.changeset import ChangeSet, Edit, EditKind, FileChange, Source
from codemod.base.errors import CodemodError
from codemod.base.files.workspace import Workspace
from codemod.experiments.probe.proving import ProofObligation, prove
from codemod.experiments.probe.request import ProbeRequest
from codemod.kits.paddles import measured
from codemod.work.fixing import offers_of

if TYPE_CHECKING:
    from collections.abc import Iterator

CASES = Path(__file__).with_suffix(".yaml")
_WAYS = ("added", "removed")


@dataclass(frozen=True, slots=True)
class Case:
    """A commit, a config whose model it changed, and a Paddle."""

    clone: Clone
    commit: str
    config: str
    paddle: str


@dataclass(frozen=True, slots=True)
class Seen:
    """What the probe saw; `fault` is why it saw nothing, `ours` the fixes known before it."""

    kit: str
    commit: str
    config: str
    paddle: str
    lines: tuple[int, int]
    dynamic: str = ""
    before: str = ""
    after: str = ""
    reason: str = ""
    ours: str = ""
    fault: str = ""

    def line(self) -> str:
        """The case as a row of the table."""
        name = self.config.rpartition("/")[2].rpartition(".")[0]
        saw = self.fault or f"{self.dynamic}{': ' if self.reason else ''}{self.reason}"
        lines = f"+{self.lines[0]} -{self.lines[1]}"
        cells = (f"{self.kit} {self.commit}", f"`{name}`", self.paddle, lines, saw)
        return "| " + " | ".join((*cells, self.before, self.after, self.ours)) + " |"


def main() -> int:
    """Probe every case and print a table; the exit code is 0."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--clones", type=Path, required=True, help="a folder of clones")
    parser.add_argument("--kit", action="append", help="only this kit")
    parser.add_argument("--limit", type=float, default=120.0, help="seconds of a dynamic run")
    parser.add_argument("--out", type=Path, help="a line of JSON a case, as they come")
    asked = parser.parse_args()
    print("| commit | config | Paddle | lines | dynamic training | before | after | ours |")
    print("|" + "---|" * 8)
    for case in cases(clones(asked.clones), asked.kit):
        seen = look(case, asked.limit)
        print(seen.line(), flush=True)
        if asked.out:
            with asked.out.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(seen), ensure_ascii=False) + "\n")
    return 0


def cases(known: list[Clone], kits: list[str] | None) -> Iterator[Case]:
    """The cases of the commits that one of the clones has."""
    for entry in yaml.safe_load(CASES.read_text(encoding="utf-8")):
        kit, commit = entry["kit"], entry["commit"]
        having = [one for one in known if one.kit == kit and one.has(commit)]
        if not having or (kits and kit not in kits):
            continue
        for config in entry["configs"]:
            for paddle in entry.get("paddles", measured()[:1]):
                yield Case(having[0], commit, config, paddle)


def look(case: Case, limit_s: float) -> Seen:
    """Probe the tree before the commit and the one with its Python, and see what we know there."""
    clone = case.clone
    with tempfile.TemporaryDirectory() as folder:
        root, place = Path(folder, "kit"), Workspace.at(Path(folder, "workspace"))
        root.mkdir()
        clone.export(f"{case.commit}^", root)
        change = people_change(clone, case.commit, root)
        lines = tuple(sum(getattr(one, f"lines_{way}") for one in change.edits) for way in _WAYS)
        known: dict[str, Any] = {
            "kit": clone.kit,
            "commit": case.commit,
            "config": case.config,
            "paddle": case.paddle,
            "lines": lines,
        }
        try:
            known["ours"] = _ours(change.source, place, case.config)
            asked = ProbeRequest(paddle=case.paddle, limit_s=limit_s)
            proof = prove(ProofObligation(case.config, (case.commit,), change, ""), asked, place)
        except CodemodError as error:
            return Seen(**known, fault=" ".join(error.message.split()))
    return Seen(
        **known,
        dynamic=proof.dynamic.value,
        reason=proof.reason,
        before=_modes(proof.before),
        after=_modes(proof.after),
    )


def people_change(clone: Clone, commit: str, root: Path) -> ChangeSet:
    """What the commit did to the Python of the tree at `root`, which is the one before it."""
    source = Source(clone.kit, root, commit, origin="git")
    listed = clone.git(
        "diff",
        "--numstat",
        "-z",
        "--no-renames",
        "--diff-filter=AM",
        f"{commit}^",
        commit,
        "--",
        "*.py",
    )
    rows = [row.split(b"\t") for row in listed.split(b"\0") if row]
    edits, changes = [], []
    for added, removed, name in rows:
        path = name.decode()
        old = root / path
        new = clone.git("show", f"{commit}:{path}")
        changes.append(FileChange(path, old.read_bytes() if old.is_file() else b"", new))
        edits.append(Edit(path, EditKind.FIX, int(added), int(removed)))
        old.parent.mkdir(parents=True, exist_ok=True)
    return ChangeSet(source, edits=tuple(edits), changes=tuple(changes))


def _ours(source: Source, workspace: Workspace, config: str) -> str:
    """The fixes that are known for the config, by id."""
    found = offers_of(source, workspace, (config,), strict=False)
    names = sorted({fix.remedy.id for offer in found for fix in offer.found.fixes})
    return ", ".join(names) or "none"


def _modes(verdicts: dict[str, Any]) -> str:
    return ", ".join(f"{mode.upper()} {verdict.value}" for mode, verdict in verdicts.items())


if __name__ == "__main__":
    sys.exit(main())
