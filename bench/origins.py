"""Whether each sentence of a pull request goes with its edit, at random revisions of the kits.

usage: python -m bench.origins MIRROR [--number N] [--seed N] [--kit NAME]... [--jobs N]

MIRROR holds the clones as OWNER+NAME/repo. For each revision: each edit has a sentence that tells
what it does to its file, the code that the sentence names is among the lines that come or go, each
hunk has a sentence, the text of the pull request has all of them in both languages, and with one
edit taken out of the change its sentences are gone and no other is. Each edit then is told by the
sentence of an edit of another file, for which it has no lines: each such swap must be a fault.
The same for each commit of the branch: its message tells of its own edits, and of no others.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
import tarfile
import tempfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import lru_cache, partial
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from codemod.base.changeset import EditKind, Source
from codemod.base.patch.hunks import hunks_of
from codemod.engine import plan_change
from codemod.reports.pullrequest.claims.cited_evidence import CitedEvidence
from codemod.reports.pullrequest.claims.facts import done_to, notes, stands, told
from codemod.reports.pullrequest.commit_stages import parts_of
from codemod.reports.pullrequest.headline import headline
from codemod.reports.pullrequest.markdown import cell
from codemod.reports.pullrequest.text import PullRequest, render

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.base.changeset import ChangeSet, Edit, FileChange
    from codemod.base.patch.hunks import Hunk
    from codemod.base.reason import Reason
    from codemod.engine.plan import Plan

KITS = (
    "PaddleClas",
    "PaddleNLP",
    "PaddleSeg",
    "PaddleDetection",
    "Paddle3D",
    "PaddleOCR",
    "PaddleRec",
    "PaddleGAN",
    "PaddleVideo",
    "PaddleYOLO",
)
TEXT = (".py", ".yml", ".yaml", ".toml")
# Of these the kit's line may stand in the new file, too.
_KEPT = (
    "engine.edit-replaces",
    "engine.edit-replaces-lines",
    "engine.edit-wraps",
    "engine.edit-else",
)


def faults(change_set: ChangeSet) -> Iterator[str]:
    """What is said of nothing, and of what nothing is said."""
    yield from unfounded(change_set)
    said = _said(change_set)
    english, chinese = (render(_request(change_set), language) for language in ("en", "zh"))
    for path, reason in said:
        if path and cell(reason.text("en")) not in english:
            yield f"not in the text: {path}: {reason}"
        if path and cell(reason.text("zh")) not in chinese:
            yield f"not in the Chinese text: {path}: {reason}"
    for index, edit in enumerate(change_set.edits):
        rest = (*change_set.edits[:index], *change_set.edits[index + 1 :])
        gone = said - _said(replace(change_set, edits=rest))
        own = (_own(edit) & said) - {one for other in rest for one in _own(other)}
        if gone - _own(edit) or own - gone:
            yield f"other sentences go with an edit: {edit.file}: {sorted(map(str, gone ^ own))}"


def commit_faults(plan: Plan, whole: ChangeSet) -> Iterator[str]:
    """Commits of whose edits their own lines do not show what is said, or whose message is silent.

    The message names each edit's file, and of each edit says what it is for or does.
    """
    parts = parts_of(plan, whole, frozenset(range(len(plan.hooks))))
    for part in parts:
        own = replace(whole, edits=part.edits, changes=part.changes)
        message = told(whole, part.edits)
        for fault in unfounded(own):
            yield f"commit `{part.subject}`: {fault}"
        for index, edit in enumerate(part.edits):
            if not any(_tells(line, edit, whole) for line in message):
                yield f"commit `{part.subject}` does not tell of an edit: {edit.file}"
            rest = told(whole, (*part.edits[:index], *part.edits[index + 1 :]))
            if rest == message and not any(_alike_edits(edit, one, whole) for one in part.edits):
                yield f"commit `{part.subject}` tells of an edit that is not there: {edit.file}"
    if len(whole.edits) != sum(len(part.edits) for part in parts):
        yield "an edit is in no commit, or in two"


def _tells(line: str, edit: Edit, whole: ChangeSet) -> bool:
    """Whether a line of a message is of an edit: by its purpose, by what it does, or as a hook."""
    words = [str(one) for one in (edit.origin.says, edit.origin.does) if one] if edit.origin else []
    needing = [whole.hooks[index] for index in edit.hooks]
    hooks = [str(told) for hook in needing for told in (stands(hook), stands(hook, hook))]
    words += hooks if edit.kind is EditKind.HOOK else []
    return any(word.strip().lower().rstrip(".") in line.lower() for word in words)


def _alike_edits(edit: Edit, other: Edit, whole: ChangeSet) -> bool:
    """Whether two edits have the same to say: the line of the other stays without the first.

    A message tells hooks of one file together where the same reason places them.
    """
    if edit is other or (edit.file, edit.kind) != (other.file, other.kind):
        return False
    places = [{stands(whole.hooks[index]) for index in one.hooks} for one in (edit, other)]
    return edit.origin == other.origin or (edit.kind is EditKind.HOOK and places[0] == places[1])


def unfounded(change_set: ChangeSet) -> Iterator[str]:
    """Edits of which nothing is said, or what their file's lines do not show, and silent hunks."""
    changes = {change.path: change for change in change_set.changes}
    for edit in change_set.edits:
        if edit.origin is None:
            yield f"nothing is said of an edit: {edit.file}"
        elif not _shown(edit.origin.does, changes[edit.file]):
            yield f"code that is not there: {edit.file}: {edit.origin.does}"
    told_of: dict[str, list[Reason]] = {path: [] for path in changes}
    for edit in change_set.edits:
        told_of[edit.file] += [edit.origin.does] if edit.origin else []
    for path, change in changes.items():
        told = told_of[path]
        if any(does.code == "engine.edit-extracts" for does in told):
            continue  # what a method takes with it moves as a whole
        words = [word for does in told for word in (*_come(does), *_go(does))]
        for hunk in _hunks(change):
            text = b"".join((*hunk.old, *hunk.new)).decode("utf-8", "replace")
            if not any(_touches(text, word) for word in words):
                yield f"nothing is said of a hunk: {path}:{hunk.new_start + 1}"


@lru_cache(4096)
def _hunks(change: FileChange) -> tuple[Hunk, ...]:
    """The hunks of a file, which is looked at once for each edit of its change."""
    return hunks_of(change)


def _shown(does: Reason, change: FileChange) -> bool:
    """Whether the lines that come and go show what is said of them."""
    hunks = _hunks(change)
    came = b"".join(line for hunk in hunks for line in hunk.new).decode("utf-8", "replace")
    went = b"".join(line for hunk in hunks for line in hunk.old).decode("utf-8", "replace")
    kept = change.new.decode("utf-8", "replace")
    if form := _form(does):
        return re.search(form, came) is not None
    return all(_holds(came, word) for word in _come(does)) and all(
        # Of a statement that is replaced, the first line may stay.
        _holds(went, word) or (does.code in _KEPT and _holds(kept, word))
        for word in _go(does)
    )


def _form(does: Reason) -> str:
    """The form of a line of a signature or of a docstring; "" where the words are enough."""
    fields = {name: re.escape(str(value)) for name, value in does.fields}
    if does.code == "engine.edit-parameter":
        return rf"\b{fields['name']}(: ?\w+)? ?= ?{fields['default']}[,)]"
    return rf"\b{fields['name']} \(" if does.code == "engine.edit-docstring" else ""


def _come(does: Reason) -> list[str]:
    """What the lines that come must hold."""
    fields = dict(does.fields)
    match does.code:
        case "engine.edit-removes":
            return []
        case "engine.edit-passes":
            return [f"{fields['name']}={fields['value']}"]
        case "engine.edit-elements":
            return [str(one) for one in (fields["elements"],)]
        case "engine.edit-extracts":
            return [f"def {fields['name']}"]
        case "engine.edit-reads":
            return [str(fields["new"])]
    return [str(fields[name]) for name in ("code", "name") if name in fields]


def _go(does: Reason) -> list[str]:
    """What the lines that go must hold."""
    fields = dict(does.fields)
    gone = {"engine.edit-removes": "code", "engine.edit-moves": "code"}
    name = gone.get(does.code, "old")
    return [str(fields[name])] if name in fields else []


def _touches(text: str, word: str) -> bool:
    """Whether a hunk has what a sentence names, or is a part of it."""
    return _holds(text, word) or (bool(_bare(text)) and _bare(text) in _bare(word))


def swapped(change_set: ChangeSet, chance: random.Random) -> Iterator[str]:
    """Edits that pass with the sentence of another file's edit, which is not said of their own."""
    origins = [edit.origin for edit in change_set.edits if edit.origin]
    for edit in change_set.edits:
        # What is said of other files' edits stays as it is, and hides no fault here.
        near = [one for one in change_set.edits if one.file == edit.file]
        own = [one.origin.does for one in near if one.origin]
        strange = [o for o in origins if not any(_alike(o.does, does) for does in own)]
        if strange:
            wrong = replace(edit, origin=chance.choice(strange))
            edits = tuple(wrong if one is edit else one for one in near)
            changes = tuple(one for one in change_set.changes if one.path == edit.file)
            if not any(unfounded(replace(change_set, edits=edits, changes=changes))):
                does = wrong.origin.does if wrong.origin else ""
                yield f"another edit's sentence passes: {edit.file}: {does}"


def _alike(one: Reason, other: Reason) -> bool:
    """Whether two sentences tell the same, one perhaps by more of the same code's lines."""
    bare = [_bare("".join((*_come(each), *_go(each)))) for each in (one, other)]
    return one.code == other.code and (bare[0].startswith(bare[1]) or bare[1].startswith(bare[0]))


def _holds(text: str, code: str) -> bool:
    """Whether a text has the code, which its formatter may have broken into lines."""
    return _bare(code) in _bare(text)


@lru_cache(1 << 14)
def _bare(text: str) -> str:
    return re.sub(r"[\s'\",()]|#.*", "", text)


def _own(edit: Edit) -> set[tuple[str, Reason]]:
    if edit.origin is None:
        return set()
    told = {("", one) for one in (edit.origin.says, edit.reason) if one}
    return {(edit.file, edit.origin.does), *told}


def _said(change_set: ChangeSet) -> set[tuple[str, Reason]]:
    """All that is said of edits, with the file where it is named."""
    files = dict.fromkeys(edit.file for edit in change_set.edits)
    done = {(path, reason) for path in files for reason in done_to(path, change_set)}
    return done | {("", reason) for reason in notes(change_set)}


def _request(change_set: ChangeSet) -> PullRequest:
    return PullRequest(
        headline=headline(change_set, None, None),
        branch="b",
        base="0" * 40,
        tip="1" * 40,
        commits=(),
        change_set=change_set,
        evidence=CitedEvidence(),
        again="",
    )


def extract(repository: Path, revision: str, root: Path) -> None:
    """The files of a revision that a plan reads."""
    git = ["git", "--git-dir", str(repository)]
    listing = subprocess.run(
        [*git, "ls-tree", "-r", "-z", "--name-only", revision], capture_output=True, check=True
    ).stdout
    wanted = [name for name in listing.decode().split("\0") if name.endswith(TEXT)]
    for start in range(0, len(wanted), 500):
        made = subprocess.run(
            [*git, "archive", revision, "--", *wanted[start : start + 500]],
            capture_output=True,
            check=False,
        )
        if made.returncode == 0:
            with tarfile.open(fileobj=BytesIO(made.stdout)) as archive:
                archive.extractall(root, filter="data")


class Looked(NamedTuple):
    """What was seen of a revision."""

    revision: str
    edits: int
    found: list[str]


def looked_at(kit: str, repository: Path, seed: int, revision: str) -> Looked:
    """All that is wrong at a revision."""
    with tempfile.TemporaryDirectory() as folder:
        extract(repository, revision, Path(folder))
        plan = plan_change(Source(kit, Path(folder), revision))
        whole = plan.change_set()
        # Its own chance for each revision: they may be looked at in any order.
        chance = random.Random(f"{seed} {revision}")
        found = [*faults(whole), *swapped(whole, chance), *commit_faults(plan, whole)]
    return Looked(revision, len(whole.edits), found)


def main() -> int:
    """Look at so many revisions, the same number of each kit."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("mirror", type=Path)
    parser.add_argument("--number", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kit", action="append", choices=KITS, help="only this kit")
    parser.add_argument("--jobs", type=int, default=1, help="revisions at a time")
    options = parser.parse_args()
    edits = wrong = seen = 0
    with ProcessPoolExecutor(options.jobs) as pool:
        for kit in options.kit or KITS:
            # The same revisions, whichever kits are looked at beside it.
            chance = random.Random(f"{options.seed} {kit}")
            repository = next(options.mirror.glob(f"*+{kit}")) / "repo"
            log = subprocess.run(
                ["git", "--git-dir", str(repository), "rev-list", "HEAD"],
                capture_output=True,
                check=True,
            ).stdout
            revisions = chance.sample(log.decode().split(), options.number // len(KITS))
            look = partial(looked_at, kit, repository, options.seed)
            for one in pool.map(look, revisions):
                seen += 1
                edits += one.edits
                wrong += bool(one.found)
                print(f"{kit} {one.revision[:10]}: {one.edits} edits", flush=True)
                for fault in one.found[:3]:
                    print(f"{kit} {one.revision[:10]}: {fault}", flush=True)
            print(f"{kit}: so far {seen} revisions, {edits} edits, {wrong} with faults", flush=True)
    print(f"{seen} revisions, {edits} edits, {wrong} revisions with faults")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
