"""The text of a pull request, in English and Chinese, which claims only what was run."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from codemod import __version__
from codemod.base.atomic import write_atomic
from codemod.base.changeset import ChangeSet, EditKind, FileChange, Status
from codemod.patch.hunks import counts, hunks_of
from codemod.pullrequest.chinese import chinese
from codemod.pullrequest.under_gate import stands_under_gate

if TYPE_CHECKING:
    from pathlib import Path

    from codemod.hazards.trainer import TrainerHazard
    from codemod.pullrequest.cited_evidence import Evidence
    from codemod.pullrequest.git.commits import Commit

LANGUAGES = ("en", "zh")
_ANSWERS = {"PR types": "New features", "PR changes": "Others"}


@dataclass(frozen=True, slots=True)
class PullRequest:
    """All that the text says.

    `again` is the command that makes the branch anew under another name; `hook` is the
    checksum by which parity knows the code it ran; `hazards` is None when nobody looked for
    any.
    """

    title: str
    branch: str
    base: str
    tip: str
    commits: tuple[Commit, ...]
    change_set: ChangeSet
    evidence: Evidence
    again: str
    hook: str = ""
    hazards: tuple[TrainerHazard, ...] | None = None
    form: str | None = None


def render(request: PullRequest, language: str) -> str:
    """The text in that language; in the kit's own form where the kit has one."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("codemod.pullrequest", "templates"),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 - Markdown; values go through `code` and `cell`
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    words = {"en": str, "zh": chinese}
    environment.filters |= {"code": code, "cell": cell, "words": words[language]}
    text = environment.get_template(f"pull_request.{language}.md.j2").render(_values(request))
    return in_form(text, request.form) if request.form else text


def write(request: PullRequest, folder: Path) -> dict[str, Path]:
    """Write the text in every language into `folder`, with the pictures beside it."""
    files = {language: folder / f"pull-request.{language}.md" for language in LANGUAGES}
    for language, file in files.items():
        write_atomic(file, render(request, language).encode("utf-8", "surrogateescape"))
    for picture in request.evidence.pictures:
        write_atomic(folder / picture.name, picture.read_bytes())
    return files


def _values(request: PullRequest) -> dict[str, Any]:
    change_set = request.change_set
    hooks = [hook for hook in change_set.hooks if hook.status is Status.INSERTED]
    kit = change_set.source.kit or change_set.source.root.name
    files = [_file(change, change_set) for change in change_set.changes]
    return {
        "title": request.title,
        "kit": kit,
        "kit_word": shlex.quote(kit),
        "branch": request.branch,
        "base": request.base,
        "tip": request.tip,
        "commits": request.commits,
        "hooks": hooks,
        "unplaced": [hook for hook in change_set.hooks if hook.status is Status.UNPLACED],
        "switches": list(dict.fromkeys(hook.switch for hook in hooks if hook.switch)),
        "present": [hook for hook in change_set.hooks if hook.status is Status.PRESENT],
        "gates": list(
            dict.fromkeys((hook.file, hook.gate, hook.switch) for hook in hooks if hook.gate)
        ),
        "always": [edit for edit in change_set.edits if edit.kind is EditKind.PLUMBING],
        "again": request.again,
        "ungated": [hook for hook in hooks if not stands_under_gate(hook, change_set)],
        "files": files,
        "added": sum(file["added"] for file in files),
        "removed": sum(file["removed"] for file in files),
        "rows": request.evidence.rows,
        "other_code": [row for row in request.evidence.rows if row.hook != request.hook],
        "unreadable": request.evidence.unreadable,
        "pictures": [picture.name for picture in request.evidence.pictures],
        "reasons": [row for row in request.evidence.rows if row.reason],
        "commands": list(dict.fromkeys(row.command for row in request.evidence.rows)),
        "environments": sorted({(row.paddle, row.device) for row in request.evidence.rows}),
        "hazards": request.hazards,
        "version": __version__,
    }


def _file(change: FileChange, change_set: ChangeSet) -> dict[str, Any]:
    added, removed = counts(hunks_of(change))
    kinds = [edit.kind.value for edit in change_set.edits if edit.file == change.path]
    return {
        "path": change.path,
        "added": added,
        "removed": removed,
        "kinds": ", ".join(dict.fromkeys(kinds)),
    }


def code(text: str) -> str:
    """Inline code in Markdown, whatever backticks the text holds."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{' '.join(text.split())}{pad}{fence}"


def cell(text: str) -> str:
    """Text that stays inside its table cell."""
    return text.replace("|", "\\|").replace("\n", " ")


def in_form(text: str, form: str) -> str:
    """The text put into the kit's own form for pull requests, under `Description`."""
    answers = {**_ANSWERS, "Description": text.strip()}
    lines: list[str] = []
    answered = False
    filling = False
    for line in form.splitlines():
        heading = re.match(r"#+\s*(.+?)\s*$", line)
        if filling and line.lstrip().startswith("<!--"):
            continue  # the form's hint for the answer just given
        filling = False
        lines.append(line)
        if heading and heading.group(1) in answers:
            lines += ["", answers[heading.group(1)]]
            answered = answered or heading.group(1) == "Description"
            filling = True
    if not answered:
        lines += ["", text.strip()]
    return "\n".join(lines).rstrip() + "\n"
