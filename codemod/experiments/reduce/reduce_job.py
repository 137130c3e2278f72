"""From a failing program to a short one: what fails, reduced, checked afresh, written down."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from codemod.base import given
from codemod.base.changeset import Source
from codemod.base.errors import FindingsError
from codemod.base.files.workspace import Workspace
from codemod.base.launch.start import Box, start
from codemod.base.launch.tools import STDOUT
from codemod.base.terminal.doing import doing
from codemod.experiments.reduce import report
from codemod.experiments.reduce.answers import Answers
from codemod.experiments.reduce.cutting.reducer import OutOfTime, Reducer
from codemod.experiments.reduce.kit_programs import LayerProgram, kit_fault
from codemod.experiments.reduce.known import known_of, same_cause
from codemod.experiments.reduce.request import Printed, Reduced, ReduceRequest
from codemod.experiments.reduce.signature import Signature, agrees
from codemod.experiments.reduce.trial import AT_ONCE, READINGS, Reading, Trial, trial
from codemod.training.fanout import side_by_side
from codemod.training.runner import STATIC_MODES, RunRequest, environment, run_bounds

# Seconds on the clock that a finished program may take, which runs as a developer would run it.
_WALL_S = 300.0
_OTHERWISE = "Name another --mode or --paddle."


# Gives the interpreter that has a Paddle; its environment is made where it is missing.
Interpreter = Callable[[str], Path]


def reduce_program(
    programs: Sequence[LayerProgram],
    asked: ReduceRequest,
    python_of: Interpreter,
    folder: Path,
    alike: Callable[[Signature], bool] = lambda _found: True,
    place: str = "",
) -> Reduced:
    """Reduce the innermost layer of a net that fails; `programs` has the smallest layer's first.

    `alike(signature)` says whether what a layer's program shows is the fault that is sought,
    `place` the kit's layer that halving found.
    `folder` holds what is written: `start.py`, `best.py`, `program.py`, `result.json` and the two
    issues. A second call with the same program and folder goes on where the first one was.

    Raises:
        FindingsError: none of them fails in that mode on that Paddle.
    """
    began = time.monotonic()
    folder.mkdir(parents=True, exist_ok=True)
    with trial(python_of(asked.paddle), folder / "runs") as runs:
        # Half of the time, at most, goes into the choice of the layer.
        first, reading, sought = _innermost(
            programs, asked, runs, alike, began + 30 * asked.minutes
        )
        start = first.text
        (folder / "start.py").write_text(start, encoding="utf-8")
        reading = runs.settle(start, asked.mode, reading)
        text, tests, ended = _reduced(start, reading, sought, asked, runs, folder, began)
    shown = _shown(text, reading, asked, python_of, folder)
    file = folder / "program.py"
    same = same_cause(text, asked.mode, asked.paddle, sought)
    crashes = any(one.kind in ("crash", "hang") for one in shown.values() if one)
    # What an error left behind may abort the process that goes on: then each mode has one.
    for apart in dict.fromkeys((crashes, True)):
        words = report.title(asked, sought)
        file.write_text(report.program(text, reading, apart, words), encoding="utf-8")
        own = run_alone(python_of(asked.paddle), file, folder)
        if own.sound:
            break
    others = {paddle: run_alone(python_of(paddle), file, folder) for paddle in asked.others}
    printed = {asked.paddle: own, **others}
    result = Reduced(
        mode=asked.mode,
        paddle=asked.paddle,
        sought=sought,
        file=str(file),
        lines=_lines(file.read_text(encoding="utf-8")),
        code_lines=_lines(text),
        tests=tests,
        minutes=round((time.monotonic() - began) / 60, 2),
        ended=ended,
        verified=shown[asked.paddle, asked.mode] == sought and own.sound and own.code == 1,
        shown={paddle: {mode: shown[paddle, mode] for mode in STATIC_MODES} for paddle in printed},
        printed=printed,
        same=same,
        same_on=known_of(asked.paddle) if same else "",
        # Another layer's program says nothing of the one that halving found.
        place=place if first.suspected else "",
    )
    _write(result, folder)
    return result


def reduce_config(
    source: Source, config: str, asked: ReduceRequest, python_of: Interpreter, workspace: Workspace
) -> Reduced:
    """Reduce what a kit's config shows in its probe.

    Raises:
        FindingsError: the probe does not fail, or the inlined net shows another fault.
        UsageError: the config is no model of the kit's.
    """
    name = f"{config.replace('/', '_')}-{asked.paddle}-{asked.mode}"
    folder = workspace.make("reduced", source.name, name).resolve()
    fault = kit_fault(source, config, asked, workspace, folder)
    return reduce_program(
        fault.programs,
        asked,
        python_of,
        folder,
        lambda found: agrees(found, fault.shown),
        fault.place,
    )


def _innermost(
    programs: Sequence[LayerProgram],
    asked: ReduceRequest,
    runs: Trial,
    alike: Callable[[Signature], bool],
    deadline: float,
) -> tuple[LayerProgram, Reading, Signature]:
    """The first program that fails as it is sought, and how; all are read the surest way first.

    Those that are suspected are read in all ways before any other.
    """
    other = None
    tries = (
        (program, reading)
        for suspected in (True, False)
        for reading in READINGS
        for program in programs
        if program.suspected == suspected and program.text and time.monotonic() < deadline
    )

    def look(one: tuple[LayerProgram, Reading]) -> Signature | None:
        doing(f"Looking for the fault in {one[0].path}")
        return runs.signature(one[0].text, asked.mode, one[1])

    with ThreadPoolExecutor(AT_ONCE) as pool:
        for (program, reading), found in side_by_side(pool, AT_ONCE, look, tries):
            # Within the net such a layer has no border: what is wrong there is not its fault.
            at_border = found is not None and found.passes and program.inner
            if found is not None and not at_border and alike(found):
                return program, reading, found
            other = other or found
    where = f"in {asked.mode} mode on Paddle {asked.paddle}"
    if other:
        raise FindingsError(f"No program fails so {where}: they show `{other}`.", _OTHERWISE)
    if time.monotonic() >= deadline:
        raise FindingsError(
            "Half of the time was over before a program failed.", "Give more --minutes."
        )
    first = next(program for program in programs if program.text)
    why = runs.dynamic_fails(first.text)
    if why:
        raise FindingsError(f"{first.path} does not run in dynamic mode: {why}.")
    raise FindingsError(f"{first.path} gives {where} what dynamic mode gives.", _OTHERWISE)


def _reduced(
    start: str,
    reading: Reading,
    sought: Signature,
    asked: ReduceRequest,
    runs: Trial,
    folder: Path,
    began: float,
) -> tuple[str, int, bool]:
    """The smallest program, how many were tried, and whether nothing more could be cut."""
    deadline = began + 60 * asked.minutes
    over = []

    def ask(text: str) -> bool:
        if time.monotonic() > deadline:
            over.append(True)
            raise OutOfTime
        return runs.signature(text, asked.mode, reading) == sought

    question = f"{asked.mode} {asked.paddle} {reading} {sought!r}"
    answers = Answers(folder / "answers.jsonl", question, ask)
    known = len(answers)
    kept = _kept(folder / "best.py", answers)
    reducer = Reducer(answers, kept, lambda text: runs.shapes(text, reading), AT_ONCE)
    text = reducer.reduce(start)
    return text, len(answers) - known, not over


def _kept(file: Path, answers: Answers) -> Callable[[str], None]:
    def told(text: str) -> None:
        file.write_text(text, encoding="utf-8")
        doing(f"Reducing: {_lines(text)} lines, {len(answers)} programs tried")

    return told


def _shown(
    text: str, reading: Reading, asked: ReduceRequest, python_of: Interpreter, folder: Path
) -> dict[tuple[str, str], Signature | None]:
    """What the result shows on each Paddle in each mode, in processes that ran nothing before."""
    shown = {}
    for paddle in (asked.paddle, *asked.others):
        doing(f"Running the result on Paddle {paddle}")
        with trial(python_of(paddle), folder / "runs") as runs:
            for mode in STATIC_MODES:
                shown[paddle, mode] = runs.signature(text, mode, reading, apart=True)
    return shown


def run_alone(python: Path, program: Path, folder: Path) -> Printed:
    """What a program prints last with that interpreter; `folder` is for its logs and its home."""
    home, log = folder / "fresh.home", folder / "fresh.log"
    variables = environment(RunRequest("reduce", "dynamic", 0), log, "cpu", {}, home)
    for name in ("CODEMOD_PARITY", "PYTHONPATH", "ENABLE_FALL_BACK", "PYTHONPYCACHEPREFIX"):
        variables.pop(name)
    variables["PYTHONDONTWRITEBYTECODE"] = "1"
    with log.open("wb") as sink:
        run = start(
            [str(python), str(program)],
            Box(home, run_bounds(), True, (), ()),
            cwd=home,
            env=variables,
            stdout=sink,
            stderr=STDOUT,
        )
        try:
            run.wait(_WALL_S)
        finally:
            end = run.end()
    shutil.rmtree(home, ignore_errors=True)
    said = [line for line in given.tail(log, 20000).splitlines() if line.startswith("Paddle ")]
    return Printed(said[-1] if said else "", end.code)


def _lines(text: str) -> int:
    return sum(bool(line.strip()) for line in text.splitlines())


def _write(result: Reduced, folder: Path) -> None:
    (folder / "result.json").write_text(json.dumps(result.to_json(), indent=1), encoding="utf-8")
    program = (folder / "program.py").read_text(encoding="utf-8")
    for name, language in (("issue.md", "en"), ("issue.zh-CN.md", "zh")):
        (folder / name).write_text(report.issue(result, program, language), encoding="utf-8")
