"""TIPC chains that claim static training, and whether there is code behind the claim.

A chain is a text file whose `norm_train` command is run with the value of `to_static_train` behind
it. It can claim what never happens: the parser reads another place, the script or its config is
gone, the script's code has no hook, the option is none that the hook asks for.
"""

from __future__ import annotations

import itertools
import posixpath
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from codemod.audit.findings import Finding
from codemod.audit.kinds import finding
from codemod.audit.reach import Reach
from codemod.base.changeset import ChangeSet, Hook
from codemod.base.reason import Reason
from codemod.code.imports import Imports
from codemod.code.module import Module, dotted
from codemod.code.project import Project
from codemod.code.tree import Tree
from codemod.kits.tipc import KEY, PARSER, SECTION, ends_with_options, fixed_line

_CLAIM = re.compile(rf"^{KEY}:(.*)$")
_TRAIN = re.compile(r"^\w+_train:(.*)$")
_OPTION = re.compile(r"(?:^|\s)(?:--)?([A-Za-z_][\w.]*)(?=[=\s]|$)")
_VARIABLE = re.compile(r"^\s*(\w{0,60}?to_static\w{0,60})=")
_LISTS = ("-o", "--opt", "--opts", "--set_cfg")


@dataclass(frozen=True, slots=True)
class Claim:
    """One chain. `line` is that of the claim, `root` the folder in which its command is run."""

    file: str
    line: int
    value: str
    command: str
    command_line: int
    root: str
    read: bool


def claims(tree: Tree) -> tuple[Claim, ...]:
    """Every chain that names a value for static training."""
    parsers = {
        posixpath.dirname(path): tree.read(path).decode("utf-8", "replace")
        for path in tree.paths(".sh")
        if posixpath.basename(path) == PARSER
    }
    found: list[Claim] = []
    for path in tree.paths("infer_python.txt"):
        home = path.partition("/configs/")[0]
        text = tree.read(path).decode("utf-8", "replace")
        if KEY in text:
            found += _claims(path, text, parsers.get(home, ""), posixpath.dirname(home))
    return tuple(found)


def _claims(path: str, text: str, parser: str, root: str) -> Iterator[Claim]:
    """The claims of one file. Of several equal ones, the one that is read counts for all."""
    lines = text.splitlines()
    command, at = "", 0
    for number, line in enumerate(lines, 1):
        found = _TRAIN.match(line)
        # The first is norm_train; where its line has another name, the parser takes that.
        if found and not at:
            command, at = found.group(1).strip(), number
    rows = []
    for number, line in enumerate(lines, 1):
        found = _CLAIM.match(line)
        value = found.group(1).strip() if found else ""
        # `=False` is the kit's own way to switch a chain off.
        if value and value != "null" and not value.lower().endswith("=false"):
            read = _is_read(lines, number, parser)
            rows.append(Claim(path, number, value, command, at, root, read))
    yield from [row for row in rows if row.read] or rows


def _is_read(lines: list[str], number: int, parser: str) -> bool:
    """Whether the parser looks at this line (1-based)."""
    fixed = fixed_line(parser)
    if fixed is not None:
        # The shell splits the text at line ends and drops empty lines.
        filled = [n for n, line in enumerate(lines, 1) if line.strip()]
        return fixed < len(filled) and filled[fixed] == number
    if SECTION not in parser:
        return False
    header = [n for n, line in enumerate(lines, 1) if re.search(rf"\b{SECTION}\b", line)]
    return bool(header) and header[0] + 1 == number and all(x.strip() for x in lines[: header[0]])


def audit_tipc(project: Project, change_set: ChangeSet, reach: tuple[Reach, ...]) -> list[Finding]:
    """What is wrong with the chains of a kit, and with the scripts that read them."""
    tree = project.tree
    imports = Imports(project)
    blocked = {row.config: row.before for row in reach if row.before}
    found = list(_scripts(tree))
    runs: dict[str, tuple[Hook, ...]] = {}
    for claim in claims(tree):
        script, config = script_and_config(project.tree, claim)
        fault = _broken(project, claim, script, config)
        if fault is None and script is not None:
            files = imports.reached(script)
            if script not in runs:
                runs[script] = tuple(h for h in change_set.hooks if _runs(project, files, h))
            fault = _no_effect(project, claim, script, files, runs[script])
        if fault is None and config in blocked:
            why = Reason.of("findings.tipc-blocked", config=config, why=blocked[config])
            fault = finding("tipc-blocked", claim.file, claim.line, why)
        found += [fault] if fault else []
    return found


def _broken(
    project: Project, claim: Claim, script: str | None, config: str | None
) -> Finding | None:
    """What is wrong where the chain cannot run at all."""
    if not claim.read:
        why = Reason.of("findings.tipc-not-read", line=f"{KEY}:{claim.value}", parser=PARSER)
        return finding("tipc-not-read", claim.file, claim.line, why)
    if script is None:
        why = Reason.of("findings.tipc-no-script", command=claim.command)
        return finding("tipc-no-script", claim.file, claim.command_line, why)
    if script not in project.files:
        why = Reason.of("findings.tipc-script-missing", script=script)
        return finding("tipc-no-script", claim.file, claim.command_line, why)
    if config is not None and config not in project.tree.paths():
        why = Reason.of("findings.tipc-no-config", config=config)
        return finding("tipc-no-config", claim.file, claim.command_line, why)
    return None


def _runs(project: Project, files: frozenset[str], hook: Hook) -> bool:
    """Whether imported code can reach an existing hook.

    A class may be built by its name in a config; a function must be named by another file, one
    that does more than hand it on.
    """
    if not hook.exists or hook.file not in files:
        return False
    module = project.module(hook.file)
    scope = module.scope(hook.scope) if module else None
    if module is None or scope is None or scope.owner or not scope.function:
        return True
    name = scope.function
    text, word = name.encode(), re.compile(rf"\b{re.escape(name)}\b".encode())
    for path in sorted(files):
        if path.endswith("__init__.py") or path not in project.files:
            continue
        source = project.tree.read(path)
        if text not in source or not word.search(source):
            continue
        other = project.module(path)
        if other is None or (other is module and not _calls(module, name)):
            continue
        found = project.definition(other, name)
        if found is not None and found[0] is module:
            return True
    return False


def _calls(module: Module, name: str) -> bool:
    """Whether a file calls a function of its own."""
    return any(dotted(call.func) == name for scope in module.scopes for call in scope.calls)


def _no_effect(
    project: Project, claim: Claim, script: str, files: frozenset[str], hooks: tuple[Hook, ...]
) -> Finding | None:
    """What is wrong where the claimed option switches nothing on."""
    names = {name.rpartition(".")[2] for name in _OPTION.findall(claim.value)}
    names = {name for name in names if name.lower() not in ("true", "false", "o", "opts")}
    if not hooks:
        why = Reason.of("findings.tipc-no-code", script=script, value=claim.value)
        return finding("tipc-no-code", claim.file, claim.line, why)
    texts = (project.tree.read(path) for path in files if path in project.files)
    if not any(name.encode() in text for text in texts for name in names):
        gates = " or ".join(sorted({hook.gate for hook in hooks if hook.gate}))
        why = Reason.of("findings.tipc-no-gate", value=claim.value, script=script, gates=gates)
        return finding("tipc-no-gate", claim.file, claim.line, why)
    if not claim.value.startswith("-") and not ends_with_options(claim.command, _LISTS):
        why = Reason.of("findings.tipc-no-option", value=claim.value)
        return finding("tipc-no-option", claim.file, claim.line, why)
    return None


def script_and_config(tree: Tree, claim: Claim) -> tuple[str | None, str | None]:
    """The script and the config of the command, relative to the kit's root."""
    try:
        words = shlex.split(claim.command)
    except ValueError:
        words = claim.command.split()
    script = next((word for word in words if word.endswith(".py")), None)
    config = next(
        (
            after
            for word, after in itertools.pairwise(words)
            if word in ("-c", "--config", "--config-file", "--cfg", "-m") and "." in after
        ),
        None,
    )
    return _path(claim.root, script), _path(claim.root, config)


def _path(root: str, word: str | None) -> str | None:
    return None if word is None else posixpath.normpath(posixpath.join(root, word))


def _scripts(tree: Tree) -> Iterator[Finding]:
    """Variables of a parser that are set for static training and used nowhere."""
    for path in tree.paths(".sh"):
        if posixpath.basename(path) != PARSER:
            continue
        lines = tree.read(path).decode("utf-8", "replace").splitlines()
        for number, line in enumerate(lines, 1):
            found = _VARIABLE.match(line)
            name = found.group(1) if found else ""
            used = re.compile(rf"\$\{{?{name}\b")
            if name and not any(used.search(other) for other in lines):
                why = Reason.of("findings.tipc-unused", name=name)
                yield finding("tipc-unused", path, number, why)
