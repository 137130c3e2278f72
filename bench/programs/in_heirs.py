"""Layouts in which a trainer's steps stand in classes that are derived from each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.programs.productions import NET
from bench.programs.trainer import DATA, HEAD

if TYPE_CHECKING:
    from bench.programs.trainer import Files, Trainer

_SET_UP = ("early", "prepare", "wrap", "late")
_OWN = ("self.model", "self.options")
_INIT = "    def __init__(self, options):\n        self.options = options\n"


def _method(t: Trainer, name: str, *steps: str, given: str = "self", before: str = "") -> str:
    lines = before + t.lines(t.names(*_OWN), 2, *steps)
    return f"\n    def {name}({given}):\n{lines or '        pass' + chr(10)}"


def _main(t: Trainer, *calls: str, name: str = "Trainer") -> str:
    made = f"    trainer = {name}({t.form.held})\n"
    return t.main(made + "".join(f"    trainer.{call}()\n" for call in calls))


def base_trains(t: Trainer) -> Files:
    """A base class in another file trains; the class derived from it builds and sets up."""
    base = f"{HEAD}\n\n{NET}\n\n{DATA}{t.helpers()}\n\nclass Base:\n{_INIT}"
    base += _method(t, "train", "loop")
    init = "        super().__init__(options)\n"
    text = "\n\nclass Trainer(Base):"
    text += _method(t, "__init__", "noise", "make", *_SET_UP, given="self, options", before=init)
    main = _main(t, "train")
    return {
        "base.py": base,
        "train.py": f"{HEAD}from base import *\n{t.form.head}{text}{main}",
    }


def built_by_override(t: Trainer) -> Files:
    """A base class asks a method for its model that the class derived from it overrides."""
    text = f"class Base:\n{_INIT}        self.build()\n"
    text += _method(t, "build", before="        raise NotImplementedError\n")
    text += _method(t, "setup", *_SET_UP) + _method(t, "train", "loop")
    text += "\n\nclass Trainer(Base):" + _method(t, "build", "noise", "make")
    return {"train.py": f"{t.top()}{t.helpers()}\n\n{text}{_main(t, 'setup', 'train')}"}


def set_up_above(t: Trainer) -> Files:
    """Both classes have a set-up method: the derived one calls that of its base, and then wraps."""
    text = f"class Base:\n{_INIT}" + t.lines(t.names(*_OWN), 2, "noise", "make")
    text += _method(t, "setup", "prepare") + "\n\nclass Trainer(Base):"
    above = "        super().setup()\n"
    text += _method(t, "setup", "early", "wrap", "late", before=above)
    text += _method(t, "train", "loop")
    return {"train.py": f"{t.top()}{t.helpers()}\n\n{text}{_main(t, 'setup', 'train')}"}


def two_heirs(t: Trainer) -> Files:
    """Two trainers of one base that sets up in a method, or that has set up already."""
    base = f"{HEAD}\n\n{NET}\n\n{DATA}{t.helpers()}\n\nclass Base:\n{_INIT}"
    base += t.lines(t.names(*_OWN), 2, "noise", "make") + _method(t, "train", "loop")
    text = "\n\nclass Trainer(Base):" + _method(t, "setup", *_SET_UP)
    text += "\n\nclass Plain(Base):" + _method(t, "setup", "optimizer")
    other = f"{HEAD}from base import *\nfrom train import Plain\n"
    other += "\n\ndef run(options):\n    plain = Plain(options)\n    plain.setup()\n"
    other += "    plain.train()\n"
    main = _main(t, "setup", "train")
    script = f"{HEAD}from base import *\n{t.form.head}{text}{main}"
    return {"base.py": base, "train.py": script, "plain.py": other}


def inner_of_three(t: Trainer) -> Files:
    """Three classes, each derived from the one before: the first builds, the others go on."""
    text = f"class First:\n{_INIT}" + t.lines(t.names(*_OWN), 2, "noise", "make")
    text += "\n\nclass Second(First):" + _method(t, "setup", *_SET_UP)
    text += "\n\nclass Trainer(Second):" + _method(t, "train", "loop")
    return {"train.py": f"{t.top()}{t.helpers()}\n\n{text}{_main(t, 'setup', 'train')}"}
