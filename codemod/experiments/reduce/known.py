"""Whether a program of `docs/paddle-issues/` has the same cause as a reduced one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from codemod.base.files.yaml_file import read_yaml
from codemod.base.schema import read_record
from codemod.experiments.reduce.signature import Signature
from codemod.kits.paddles import nearest


@dataclass(frozen=True, slots=True)
class KnownCause:
    """One row of `known.yaml`."""

    program: str
    kinds: tuple[str, ...]
    marks: tuple[str, ...]
    says: str = ""
    form: str = ""
    modes: tuple[str, ...] = ()
    releases: tuple[str, ...] = ()

    def fits(self, text: str, mode: str, release: str, found: Signature) -> bool:
        """Whether a program's code and what it shows are as this row says."""
        if (self.modes and mode not in self.modes) or release not in (self.releases or [release]):
            return False
        return self.shows(found) and all(re.search(mark, text) for mark in self.marks)

    def shows(self, found: Signature) -> bool:
        """Whether what a program shows is of a kind of this row; an error, if it says so, too."""
        if found.kind not in self.kinds or self.form not in ("", *found.forms[:1]):
            return False
        return found.kind != "error" or bool(re.search(self.says, f"{found.detail} {found.place}"))


@cache
def known_causes() -> tuple[KnownCause, ...]:
    """All rows, the surest first."""
    rows = read_yaml(Path(__file__).with_name("known.yaml"))
    return tuple(read_record(KnownCause, row) for row in rows.entries())


@cache
def known_releases() -> frozenset[str]:
    """The Paddles that the rows speak of: any of these fails where a row names it alone."""
    return frozenset(release for row in known_causes() for release in row.releases)


def known_of(paddle: str) -> str:
    """The Paddle whose causes are taken for those of `paddle`: itself, or the nearest."""
    return nearest(paddle, known_releases())


def same_cause(text: str, mode: str, paddle: str, found: Signature) -> str:
    """The file that has the same cause, by what is on record of it; empty where there is none.

    Of a Paddle that no row speaks of, what is known of the nearest counts.
    """
    release = known_of(paddle)
    fitting = (row for row in known_causes() if row.fits(text, mode, release, found))
    row = next(fitting, None)
    return f"{row.program}.py" if row else ""
