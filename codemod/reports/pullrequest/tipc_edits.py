"""The line by which a kit's TIPC test chain trains a model statically.

Each kit's own parser, `test_train_inference_python.sh`, says which of two forms it reads:
a section of its own, or one fixed line. The value, and where the section stands, are taken
from the kit's other configs. Nothing that the parser would not read is written.

The parser finds the section by its line number in the file, but looks it up among the
lines that are not empty: with an empty line above, it would read the wrong one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from codemod.base.changeset import Edit, EditKind, FileChange, Skip
from codemod.base.errors import UsageError, did_you_mean
from codemod.base.patch.hunks import split_lines
from codemod.base.reason import Reason
from codemod.kits.tipc import CONFIG, KEY, PARSER, SECTION, ends_with_options, fixed_line
from codemod.reports.pullrequest.doc_edits import text_edits

_SECTION = SECTION.encode()
_KEY = KEY.encode()
_HEADER = b"=" * 27 + _SECTION + b"=" * 27
_NAME = re.compile(rb"=+[ \t]*([A-Za-z0-9_]+)[ \t]*=+\s*$")


def tipc_edits(
    files: Mapping[str, bytes], configs: Sequence[str], switches: Sequence[str]
) -> tuple[list[tuple[Edit, FileChange]], list[Skip]]:
    """The edits for these TIPC configs.

    `switches` are those of the kit's hooks: the value that other configs show must be one of
    them, and the first serves where no other config shows any.
    `files` holds the TIPC files of the kit by path. A config that cannot be edited is a
    skip with its reason; one that has its chain already is left out.

    Raises:
        UsageError: there is no such config.
    """
    results = [(path, _edited(files, path, switches)) for path in _chosen(files, configs)]
    return text_edits(files, results, EditKind.TIPC, Reason.of("reports.chain"))


def _chosen(files: Mapping[str, bytes], configs: Sequence[str]) -> list[str]:
    known = sorted(path for path in files if path.endswith(CONFIG))
    chosen: list[str] = []
    for config in configs:
        name = config.replace("\\", "/").rstrip("/").removeprefix("./")
        found = [path for path in known if path == name or path.startswith(f"{name}/")]
        if not found:
            raise UsageError(
                f"There is no TIPC config {config}.",
                did_you_mean(name, known, f"Name a *{CONFIG}."),
            )
        chosen += found
    return list(dict.fromkeys(chosen))


def _edited(files: Mapping[str, bytes], path: str, switches: Sequence[str]) -> bytes | Reason:
    """The config with its chain, or why it has none."""
    root = path.partition("/configs/")[0]
    parser = files.get(f"{root}/{PARSER}", b"").decode("utf-8", "replace")
    fixed = None if SECTION in parser else fixed_line(parser)
    if fixed is None and SECTION not in parser:
        return Reason.of("reports.reads-no-chain", file=f"{root}/{PARSER}", key=KEY)
    others = [
        split_lines(data)
        for other, data in sorted(files.items())
        if other.startswith(f"{root}/configs/") and other != path and other.endswith(CONFIG)
    ]
    lines = split_lines(files[path])
    if fixed is not None:
        return _with_fixed_line(lines, fixed, others, switches)
    return _with_section(lines, others, switches)


def _with_fixed_line(
    lines: list[bytes], number: int, others: list[list[bytes]], switches: Sequence[str]
) -> bytes | Reason:
    filled = [index for index, line in enumerate(lines) if line.strip()]
    if len(filled) <= number:
        return Reason.of("reports.no-line", line=number + 1)
    index = filled[number]
    if lines[index].startswith(_KEY + b":"):
        return b"".join(lines)
    if lines[index].strip() != b"null:null":
        taken = lines[index].strip().decode("utf-8", "replace")
        return Reason.of("reports.line-taken", line=index + 1, text=taken)
    known = ([line for line in other if line.strip()][number : number + 1] for other in others)
    wanted = _value(_most(row for rows in known for row in rows), switches, lines)
    if isinstance(wanted, Reason):
        return wanted
    end = lines[index][len(lines[index].rstrip(b"\r\n")) :]
    lines[index] = _KEY + b":" + wanted + end
    return b"".join(lines)


def _with_section(
    lines: list[bytes], others: list[list[bytes]], switches: Sequence[str]
) -> bytes | Reason:
    for name in map(_section, lines):
        if name == _SECTION:
            return b"".join(lines)
        if name.startswith(b"disable_to_static"):
            return Reason.of("reports.chain-off")
    wanted = _value(_most(map(_after_header, others)), switches, lines)
    if isinstance(wanted, Reason):
        return wanted
    header, before = _habit(others)
    at = _position(lines, before)
    if any(not line.strip() for line in lines[:at]):
        return Reason.of("reports.empty-line")
    end = b"\r\n" if lines and lines[0].endswith(b"\r\n") else b"\n"
    if at and not lines[at - 1].endswith(b"\n"):
        lines[at - 1] += end
    lines[at:at] = [header + end, _KEY + b":" + wanted + end]
    return b"".join(lines)


def _position(lines: Sequence[bytes], before: bytes | None) -> int:
    names = list(map(_section, lines))
    if before in names:
        return names.index(before)
    return max((index + 1 for index, line in enumerate(lines) if line.strip()), default=0)


def _section(line: bytes) -> bytes:
    """The name of the section that a line begins, or nothing."""
    found = _NAME.match(line)
    return found.group(1) if found else b""


def _option(text: str) -> str:
    """The name of the option that a switch sets: `-o A.b=True` -> `a.b`, `--x True` -> `x`."""
    found = re.match(r"(?:-o\s+|--opts\s+|--)?([\w.]+)", text.strip())
    return found.group(1).lower() if found else ""


def _value(habit: bytes | None, switches: Sequence[str], lines: Sequence[bytes]) -> bytes | Reason:
    """What follows `to_static_train:`; it is put behind the config's own training command."""
    value = habit
    if value is not None and switches:
        shown = value.decode("utf-8", "replace")
        if _option(shown) not in {_option(switch) for switch in switches}:
            return Reason.of("reports.other-switch", shown=shown, switches=" or ".join(switches))
    if value is None:
        words = next(iter(switches), "").split()
        option = bool(words) and (words[0].startswith("-") or "=" in words[0])
        if not option or any(word.endswith(":") for word in words):
            return Reason.of("reports.no-option")
        value = " ".join(words).encode()
    train = next((line for line in lines if line.startswith(b"norm_train:")), b"").rstrip()
    if train.endswith((b":null", b"norm_train:")):
        return Reason.of("reports.no-norm-train")
    if not value.startswith(b"-") and not ends_with_options(
        train.decode("utf-8", "replace"), ("-o",)
    ):
        return b"-o " + value
    return value.removeprefix(b"-o ") if train.endswith(b" -o") else value


def _habit(others: Sequence[Sequence[bytes]]) -> tuple[bytes, bytes | None]:
    """The header that the kit's other configs have, and the section that comes after theirs."""
    headers: Counter[bytes] = Counter()
    before: Counter[bytes | None] = Counter()
    for lines in others:
        for index, line in enumerate(lines):
            if _section(line) == _SECTION:
                headers[line.strip()] += 1
                before[next(filter(None, map(_section, lines[index + 1 :])), None)] += 1
    if not headers:
        return _HEADER, None
    return headers.most_common(1)[0][0], before.most_common(1)[0][0]


def _after_header(lines: Sequence[bytes]) -> bytes:
    return next((row for line, row in pairwise(lines) if _section(line) == _SECTION), b"")


def _most(lines: Iterable[bytes]) -> bytes | None:
    """The value that most of the other configs have on these lines of theirs."""
    found = (line.strip() for line in lines)
    values = Counter(line[len(_KEY) + 1 :] for line in found if line.startswith(_KEY + b":"))
    return values.most_common(1)[0][0] if values else None
