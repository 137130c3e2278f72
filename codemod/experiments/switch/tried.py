"""What became of each try: one config, switched in one way, run up to its hook or to training."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from enum import Enum
from typing import Any

from codemod.audit.findings import Finding, Level
from codemod.audit.reach import Reach
from codemod.base.grouping import grouped
from codemod.base.json_form import named
from codemod.base.reason import Reason

DIFFERS = "exec-differs"
OFF_IS_ON = "switch-off-is-on"
NOT_READ = "switch-not-read"
_TRY = ("config", "way", "came", "where", "message")


class TryOutcome(str, Enum):
    """Where a try came to: the hook, training without it, an error, or the script's end.

    `UNABLE` is an error for want of a file, a package or the network: nothing is known then.
    """

    REACHED = "reached"
    TRAINS = "trains"
    RAISES = "raises"
    ENDED = "ended"
    UNABLE = "unable"


@dataclass(frozen=True, slots=True)
class SwitchSetting:
    """A way in which the kit's users set the switch; `on` is what they mean by it."""

    name: str
    on: bool = False


@dataclass(frozen=True, slots=True)
class Try:
    """One try. `where` is FILE:LINE of the hook that was reached, or of the error.

    `why` is the `message` where it is the tool's own.
    """

    config: str
    way: str
    came: TryOutcome = field(metadata={"key": "outcome"})
    where: str = ""
    message: str = ""
    why: Reason | None = None

    @property
    def said(self) -> Reason:
        """What came of it."""
        if self.came is TryOutcome.TRAINS:
            return Reason.of("findings.trains-without")
        if self.came is TryOutcome.ENDED:
            return Reason.of("findings.ended")
        if self.reached:
            if not self.where:
                return Reason.of("findings.hook-reached-somewhere")
            return Reason.of("findings.hook-reached", where=self.where)
        if not self.where:
            return Reason.of("findings.raised", message=self.why or self.message)
        return Reason.of("findings.raised-at", message=self.message, where=self.where)

    @property
    def reached(self) -> bool:
        """Whether it came to a hook."""
        return self.came is TryOutcome.REACHED


@dataclass(frozen=True, slots=True)
class Executed:
    """All tries of a kit; the first way is the one that every config is tried with."""

    ways: tuple[SwitchSetting, ...]
    tries: tuple[Try, ...]

    def main(self) -> dict[str, Try]:
        """The try of each config with the first way."""
        return {one.config: one for one in self.tries if one.way == self.ways[0].name}

    def differing(self, reach: Sequence[Reach]) -> list[tuple[Reach, Try]]:
        """The configs of which the code alone says another thing than the run."""
        main = self.main()
        pairs = [(row, main[row.config]) for row in reach if row.config in main]
        return [
            (row, one)
            for row, one in pairs
            if one.came is not TryOutcome.UNABLE
            and (row.before is None or row.behind) != one.reached
        ]

    @property
    def unable(self) -> int:
        """How many configs could not be run for want of a file, a package or the network."""
        return sum(one.came is TryOutcome.UNABLE for one in self.main().values())

    def behind(self, reach: Sequence[Reach]) -> int:
        """How many came to a hook with which training fails or is wrong, as their code says."""
        main = self.main()
        found = (main.get(row.config) for row in reach if row.behind)
        return sum(one is not None and one.reached for one in found)

    @property
    def reached(self) -> int:
        """How many configs came to a hook."""
        return sum(one.reached for one in self.main().values())

    def to_json(self, reach: Sequence[Reach]) -> dict[str, Any]:
        """The object `executed` in `check --exec --json`."""
        differing = self.differing(reach)
        return {
            "ways": [asdict(way) for way in self.ways],
            "configs": len(self.main()),
            "agree": len(self.main()) - len(differing) - self.unable,
            "differ": len(differing),
            "unable": self.unable,
            "tries": [
                named(one, "config", "way", "came", "where", "message") for one in self.tries
            ],
        }


def findings(executed: Executed, reach: Sequence[Reach]) -> tuple[Finding, ...]:
    """Where the run says another thing than the code, and ways that do not do what they say."""
    return (*_differing(executed, reach), *_ways(executed))


def _differing(executed: Executed, reach: Sequence[Reach]) -> Iterator[Finding]:
    for row, one in executed.differing(reach):
        read = (
            Reason.of("findings.is-blocked", why=row.before)
            if row.before
            else Reason.of("findings.reaches")
        )
        why = Reason.of("findings.exec-differs", read=read, way=one.way, said=one.said)
        yield Finding(DIFFERS, Level.WARNING, row.config, None, why)


def _ways(executed: Executed) -> Iterator[Finding]:
    """One finding for each way and place, however many configs show it."""
    main = executed.main()
    meant = {way.name: way.on for way in executed.ways}
    able = (one for one in executed.tries if main[one.config].reached)
    wrong = grouped(
        ((OFF_IS_ON if one.reached else NOT_READ, one.way, one.said), one)
        for one in able
        if one.reached != meant[one.way]
    )
    for (kind, way, said), (one, *others) in wrong.items():
        several = Reason.of("findings.such-as", number=1 + len(others), config=one.config)
        configs = several if others else one.config
        why = Reason.of("findings.way-differs", way=way, said=said, configs=configs)
        file, _, line = one.where.partition(":")
        level = Level.ERROR if kind == OFF_IS_ON else Level.WARNING
        at = int(line) if line else None
        yield Finding(kind, level, file if line else one.config, at, why)
