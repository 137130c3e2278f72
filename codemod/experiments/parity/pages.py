"""HTML pages in English and Chinese: one a result, and one over all results."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from codemod.base.curve_svg import curve_svg
from codemod.base.files.data_folder import table_beside
from codemod.base.files.shared_file import export
from codemod.base.reason import spoken
from codemod.base.terminal.amounts import number
from codemod.base.terminal.templates import templates
from codemod.hazards.catalog import CHINESE_REMEDIES, TEXTS
from codemod.judging.evidence.result import DARK, DynamicResult, ModeResult, ParityPart, Result
from codemod.judging.evidence.result_files import KeptResult
from codemod.judging.evidence.rows import losses_of
from codemod.judging.evidence.speed_rows import SpeedRow
from codemod.judging.evidence.speed_text import sentences
from codemod.judging.thresholds import TIMED_STEPS, USUAL_STEPS, WARMUP_STEPS
from codemod.judging.verdict import Explanation, Verdict
from codemod.judging.words import verdict_phrase
from codemod.training.runner import recorder_version

if TYPE_CHECKING:
    import jinja2
    import markupsafe

LANGUAGES = {"en": "English", "zh": "中文"}
"""Languages with the name of each in itself."""
TEMPLATES = Path(__file__).parent / "templates"
_RANGES = {"step_ms": "step_ms_range", "speedup": "speedup_range"}
# What the overview says of a mode whose run was broken off: not a verdict.
_BROKEN_OFF = "interrupted"


class PageWords:
    """The words in one language."""

    def __init__(self, language: str) -> None:
        self._language = language

    def __call__(self, group: str, key: str) -> str:
        """The word `key` of a group."""
        return str(table_beside(__file__, "words.yaml")[group][key][self._language])

    @property
    def figures(self) -> tuple[str, ...]:
        """The figures of a mode that a page has words for, in the order of its table."""
        return tuple(table_beside(__file__, "words.yaml")["figures"])

    def verdict(self, verdict: str) -> str:
        """A verdict as a phrase; of a run that was broken off, that it was."""
        if verdict == _BROKEN_OFF:
            return self("overview", _BROKEN_OFF) if self._language == "zh" else ""
        return verdict_phrase(Verdict(verdict), "zh" if self._language == "zh" else "en")

    def said(self, mode: ModeResult) -> str:
        """The judge's reason."""
        return spoken(mode.sentences, "zh") if self._language == "zh" else mode.reason

    def hint(self, mode: ModeResult) -> str:
        """What the judge advises."""
        chinese = self._language == "zh" and mode.advice is not None
        return mode.advice.text("zh") if chinese and mode.advice else mode.hint

    def remedy(self, hazard: Explanation) -> str:
        """What to do about a hazard."""
        if self._language == "en":
            return hazard.remedy
        return CHINESE_REMEDIES.get(hazard.id, hazard.remedy)


def tone(verdict: str) -> str:
    """The style of a verdict: good, bad, or odd for those that say nothing of the hook."""
    if verdict == _BROKEN_OFF or Verdict(verdict).silent:
        return "odd"
    return "good" if Verdict(verdict).passed else "bad"


def verdict_of(result: Result, mode: ModeResult) -> str:
    """A mode's verdict as the overview shows it: a run that was broken off says so."""
    broken_off = result.interrupted and mode.verdict is Verdict.NOT_RUN
    return _BROKEN_OFF if broken_off else mode.verdict.value


def figure(record: DynamicResult | ModeResult, key: str) -> str:
    """A cell of the table of figures; empty where this kind of run has no such figure."""
    if not hasattr(record, key):
        return ""
    spread = getattr(record, _RANGES[key]) if key in _RANGES else None
    more = f" ({number(spread[0])}–{number(spread[1])})" if spread else ""
    return number(getattr(record, key)) + more


def shows(result: Result, key: str) -> bool:
    """Whether any run has that figure: rows of dashes say nothing."""
    columns = (result.dynamic, *result.modes.values())
    return any(getattr(column, key, None) is not None for column in columns)


def drawings(names: Sequence[str]) -> list[tuple[str, str | None]]:
    """The vector drawings among a result's pictures, each with that for dark pages, if any."""
    drawn = [name for name in names if name.endswith(".svg") and not name.endswith(f"{DARK}.svg")]
    twins = {name: f"{name.removesuffix('.svg')}{DARK}.svg" for name in drawn}
    return [(name, twin if twin in names else None) for name, twin in twins.items()]


def in_language(page: Path, language: str) -> Path:
    """Where a page stands in a language: the English one has the page's own name."""
    return page if language == "en" else page.with_name(f"{page.stem}.{language}{page.suffix}")


def _breakable(name: markupsafe.Markup) -> markupsafe.Markup:
    """A path or dotted name whose line may end behind a sign, and nowhere in a word."""
    return name.__class__(re.sub(r"([/._])(?=\w)", r"\1<wbr>", str(name)))


def _curve(result: Result, mode: str, words: PageWords) -> markupsafe.Markup | str:
    """The losses of a mode beside dynamic training as a small drawing; "" where none are kept."""
    import markupsafe

    losses = losses_of(result.parity or ParityPart(), mode)
    title = f"{result.config}, {mode}{words('page', 'colon')}{words('page', 'curves')}"
    return markupsafe.Markup(curve_svg(title, losses))  # noqa: S704 - it escapes what it is given


@cache
def _environment() -> jinja2.Environment:
    import markupsafe

    made = templates("codemod.experiments.parity", keep_trailing_newline=False)
    made.filters["breakable"] = lambda name: _breakable(markupsafe.escape(name))
    made.filters["singular"] = partial(re.sub, r"\b1 (result|kit|file)s\b", r"1 \1")
    made.globals.update(
        tone=tone,
        num=number,
        figure=figure,
        shows=shows,
        verdict_of=verdict_of,
        style=markupsafe.Markup(  # noqa: S704 - a file of ours
            (TEMPLATES / "style.css").read_text("utf-8")
        ),
    )
    return made


def _write(page: Path, template: str, language: str, **values: object) -> None:
    """Write one page in one language; it links to the other."""
    words = PageWords(language)
    (other,) = (one for one in LANGUAGES if one != language)
    text = (
        _environment()
        .get_template(template)
        .render(
            language=language,
            w=words,
            curve=lambda result, mode: _curve(result, mode, words),
            other={
                "language": other,
                "href": in_language(page, other).name,
                "name": LANGUAGES[other],
            },
            **values,
        )
    )
    file = in_language(page, language)
    export(file, text.encode("utf-8", "backslashreplace"))


def write_result_page(page: Path, result: Result, speed: Iterable[SpeedRow] = ()) -> None:
    """Write the page of a parity result beside its pictures, in each language.

    `speed` are timings of the same config on the same Paddle and device.
    """
    timed = tuple(speed)
    part = result.parity or ParityPart()
    shown = {"environment": result.dynamic.environment, "changed": part.changed, "runs": part.runs}
    for language in LANGUAGES:
        _write(
            page,
            "result.html",
            language,
            r=result,
            part=part,
            pictures=drawings(part.pictures),
            limits={"usual": USUAL_STEPS, "warmup": WARMUP_STEPS, "timed": TIMED_STEPS},
            repeat=_repeat(result, part),
            speed=[(row, *sentences(row, language)) for row in timed],
            environment=json.dumps(shown, indent=1, ensure_ascii=False),
        )


def _repeat(result: Result, part: ParityPart) -> list[str]:
    """The command lines that repeat a run, from a checkout of the revision on."""
    lines = [f"# {result.kit} {result.revision}"] if result.revision else []
    if part.hooked:
        words = shlex.split(part.command)
        at = words.index("--path") if "--path" in words else len(words)
        lines.append(shlex.join(["codemod", "apply", words[2], *words[at : at + 2]]))
    return [*lines, part.command]


def _address(file: Path, folder: Path, language: str) -> str:
    """The page of a result; a run of the base of evidence has none."""
    if file.suffix != ".json":
        return ""
    page = in_language(file.with_suffix(".html"), language)
    # Results of before there were Chinese pages have the English one alone.
    return os.path.relpath(page if page.exists() else file.with_suffix(".html"), folder)


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a result comes from: `own` or `shipped`; `stale` by an older recorder than today's.

    `machine` is the system that it was made on, where the result tells.
    """

    origin: str
    date: str
    stale: bool
    machine: str = ""


def provenance(kept: KeptResult) -> Provenance:
    """Whether a result was measured in this workspace or came with the tool, and when."""
    result = kept.result
    stale = result.recorder != recorder_version()
    return Provenance(
        "own" if kept.file.suffix == ".json" else "shipped",
        (result.date or "")[:10],
        stale,
        str(result.dynamic.environment.get("system", "")),
    )


def write_overview(path: Path, results: Sequence[KeptResult]) -> None:
    """Write the page over all results in each language; links lead to the results' own pages."""
    listed = [kept.result for kept in results]
    counts: dict[str, Counter[str]] = {}
    for result in listed:
        for mode, fields in result.modes.items():
            counts.setdefault(verdict_of(result, fields), Counter())[mode] += 1
    kits = sorted({result.kit for result in listed})
    hazards = {m.hazard.id: m.hazard for r in listed for m in r.modes.values() if m.hazard}
    for language in LANGUAGES:
        words = PageWords(language)
        _write(
            path,
            "overview.html",
            language,
            results=[
                (_address(kept.file, path.parent, language), kept.result, provenance(kept))
                for kept in results
            ],
            modes=sorted({mode for result in listed for mode in result.modes}),
            kits=kits,
            hazards=[(id_, TEXTS[id_][0], words.remedy(found)) for id_, found in _known(hazards)],
            counts=sorted(counts.items(), key=lambda item: -item[1].total()),
        )


def _known(hazards: dict[str, Explanation]) -> list[tuple[str, Explanation]]:
    """The hazards in the order of their numbers; a row of the base tells the number alone."""
    return [
        (id_, replace(found, remedy=found.remedy or TEXTS[id_][1]))
        for id_, found in sorted(hazards.items())
        if id_ in TEXTS
    ]
