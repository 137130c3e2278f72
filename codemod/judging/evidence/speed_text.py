"""A verdict of speed in words, for the terminal, reports, surveys and pull requests."""

from __future__ import annotations

from codemod.base.messages import Language
from codemod.base.reason import Reason, spoken
from codemod.judging.evidence.speed_rows import SpeedRow
from codemod.judging.speed.speed import SpeedVerdict
from codemod.judging.speed.timings import PROCESSOR


def sentences(row: SpeedRow, language: str = "en") -> tuple[str, str]:
    """The ratio with its interval and what it was measured on, then the reasons; each may be ""."""
    told: Language = "zh" if language == "zh" else "en"
    return spoken(_figures(row), told), spoken(reasons(row), told)


def reasons(row: SpeedRow) -> tuple[Reason, ...]:
    """Why it is so; a slower row of before more was looked for says that."""
    on_a_cpu = row.verdict is SpeedVerdict.SLOWER and row.clock == PROCESSOR
    early = on_a_cpu and not row.lost and bool(row.said)
    return (*row.said, *((Reason.of("judging.speed-before-reasons"),) if early else ()))


def _figures(row: SpeedRow) -> list[Reason]:
    if row.ratio is None or row.dynamic_ms is None or row.static_ms is None:
        return []
    found = [
        Reason.of(
            "judging.speed-ratio",
            times=f"{row.ratio.value:.2f}",
            low=f"{row.ratio.low:.2f}",
            high=f"{row.ratio.high:.2f}",
            dynamic=f"{row.dynamic_ms:.3g}",
            static=f"{row.static_ms:.3g}",
        ),
        Reason.of(
            "judging.speed-on",
            device=row.device,
            threads=row.threads,
            machine=row.machine,
            date=row.date[:10],
            **row.runs,
        ),
    ]
    if row.measured:
        each = tuple(f"{one.ratio.value:.2f}" for one in row.measured)
        low, high = (f"{one:.0f}" for one in (row.load or (0.0, 0.0)))
        found.append(Reason.of("judging.speed-measured", each=each, low=low, high=high))
    if row.clocks:
        code = "judging.speed-throttled" if row.throttled else "judging.speed-clock"
        found.append(Reason.of(code, low=row.clocks[0], high=row.clocks[1]))
    if row.compile_s is not None:
        seconds = f"{row.compile_s:.2g}"
        if row.verdict is SpeedVerdict.FASTER and row.pays_off is not None:
            paid = Reason.of("judging.speed-pays-off", seconds=seconds, steps=row.pays_off)
            found.append(paid)
        else:
            found.append(Reason.of("judging.speed-compile", seconds=seconds))
    return found


def headline(row: SpeedRow) -> Reason:
    """The verdict as a clause, with device and threads."""
    return Reason.of(
        f"judging.speed-{row.verdict.value}",
        times=f"{row.ratio.value:.2f}" if row.ratio else "",
        device=row.device,
        threads=row.threads,
    )
