"""The lines of a trainer's steps, whatever names the scope has that they stand in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.programs.productions import NET, STEP, Part

if TYPE_CHECKING:
    from bench.programs.form import Form

Files = dict[str, str]
HEAD = """\
import contextlib
import copy
import functools

import paddle
from paddle import DataParallel
from paddle.distributed import fleet
"""
DATA = """\
def data():
    return [paddle.ones([2, 4]), paddle.ones([2, 4]) * 2]
"""


@dataclass(frozen=True)
class Trainer:
    """One choice for every feature but the layout."""

    form: Form
    parts: Mapping[str, Part]

    def lines(self, names: Mapping[str, str], depth: int, *steps: str) -> str:
        """The lines of steps, with a scope's own names, indented."""
        made: list[str] = []
        for step in steps:
            for line in self._in_block(step):
                for name, value in names.items():
                    line = line.replace(f"${name}", value)
                made.append("    " * depth + line + "\n")
        return "".join(made)

    def _in_block(self, step: str) -> list[str]:
        """The lines of a step, in the block that belongs around it."""
        lines, block = self._step(step), self.parts["block"]
        if not lines or step not in block.marks:
            return lines
        end = [*block.lines[1:], "    pass"] if block.lines[1:] else []
        return [block.lines[0], *(f"    {line}" for line in lines), *end]

    def _step(self, step: str) -> list[str]:
        parts = self.parts
        if step == "optimizer":
            return self._optimizer()
        if step in ("early", "late"):
            return self._optimizer() if step in parts["optimizer"].marks else []
        if step == "make":
            return [*parts["build"].lines, *parts["partner"].lines]
        if step == "prepare":
            return [line for name in ("convert", "call", "copy") for line in parts[name].lines]
        if step == "loop":
            return [inner for line in parts["loop"].lines for inner in self._looped(line)]
        return list(parts[step].lines)

    def _optimizer(self) -> list[str]:
        marks = self.parts["partner"].marks
        weights = "$m.parameters()"
        if "head" in marks:
            weights = "[*$m.parameters(), *$h.parameters()]"
        elif "listed" in self.parts["optimizer"].marks:
            weights = "list($m.parameters())"
        sgd = "paddle.optimizer.SGD(learning_rate=0.1, parameters={})"
        made = [f"$opt = {sgd.format(weights)}"]
        return [*made, f"$hopt = {sgd.format('$h.parameters()')}"] if "adversary" in marks else made

    def _looped(self, line: str) -> list[str]:
        if not line.strip().startswith("$step"):
            call = "$h($m(batch))" if self.parts["partner"].marks & {"head"} else "$m(batch)"
            return [_own(line.replace("$call", call))]
        space = line[: line.index("$step")]
        return [space + one for one in self.step()]

    def step(self) -> list[str]:
        """What is done with one batch."""
        marks = self.parts["partner"].marks
        forward = list(self.parts["forward"].lines)
        if marks & {"head", "adversary"}:
            forward = [one.replace("$m(batch)", "$h($m(batch))") for one in forward]
            forward = [one.replace("$m(x=batch)", "$h($m(x=batch))") for one in forward]
        if "teacher" in marks:
            forward += [
                "with paddle.no_grad():",
                "    hint = $h(batch)",
                "loss = loss + hint.mean()",
            ]
        lines = [*forward, *map(_own, STEP)]
        if "adversary" in marks:
            lines += [
                "fake = $m(batch).detach()",
                "loss = $h(fake).mean()",
                "loss.backward()",
                "$hopt.step()",
                "$hopt.clear_grad()",
            ]
        return lines

    def helpers(self, *without: str) -> str:
        """The functions and classes that the parts need."""
        texts = dict.fromkeys(part.helper for part in self.parts.values() if part.helper)
        return "".join(f"\n\n{text}" for text in texts if text not in without)

    def names(self, model: str = "model", held: str = "", here: bool = False) -> dict[str, str]:
        """The names of a scope; with `here` the options are a parameter of it."""
        owner = model.rpartition(".")[0]
        dot = f"{owner}." if owner else ""
        held = held or self.form.held
        return {
            "model": model,
            "m": model,
            "hopt": f"{dot}optimizer_h",
            "h": f"{dot}second",
            "opt": f"{dot}optimizer",
            "net": "net",
            "n": self.form.read.replace("{o}", held),
            "o": held,
        }

    def main(self, body: str) -> str:
        """The function that reads the options, with a body, and its call."""
        form = self.form
        before = "".join(f"{line}\n" for line in form.before)
        prelude = "".join(f"    {line}\n" for line in form.prelude)
        call = f"\n\nif __name__ == '__main__':\n    {form.call}\n"
        return f"\n\n{before}def main({form.parameters}):\n{prelude}{body}{call}"

    def top(self, *texts: str) -> str:
        """Imports, options, the net, data and helpers."""
        whole = texts or (NET, DATA)
        return f"{HEAD}{self.form.head}" + "".join(f"\n\n{text}" for text in whole)


def _own(line: str) -> str:
    return line.replace("optimizer.", "$opt.")


Layout = Callable[[Trainer], Files]
ALL = ("noise", "make", "early", "prepare", "wrap", "late", "loop")
