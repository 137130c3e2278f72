"""Layouts in which a trainer's steps stand in the methods of classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.programs.productions import NET
from bench.programs.trainer import DATA, HEAD

if TYPE_CHECKING:
    from bench.programs.trainer import Files, Trainer


def one_class(t: Trainer) -> Files:
    """A class that builds, wraps and optimizes in its constructor, and trains in a method."""
    return _class(t, ("noise", "make", "early", "prepare", "wrap", "late"), (), ("loop",))


def set_up_class(t: Trainer) -> Files:
    """A class that builds in its constructor, wraps in another method, and trains in a third."""
    return _class(t, ("noise", "make"), ("early", "prepare", "wrap", "late"), ("loop",))


def wrapped_late_class(t: Trainer) -> Files:
    """A class that wraps where it trains."""
    return _class(t, ("noise", "make"), ("prepare",), ("wrap", "optimizer", "loop"))


def built_late_class(t: Trainer) -> Files:
    """A class that stores its options, and builds in a method."""
    return _class(t, (), ("noise", "make", "early", "prepare", "wrap", "late"), ("loop",))


def _class(
    t: Trainer, init: tuple[str, ...], setup: tuple[str, ...], train: tuple[str, ...]
) -> Files:
    own = t.names("self.model", "self.options")
    text = "class Trainer:\n    def __init__(self, options):\n        self.options = options\n"
    text += t.lines(own, 2, *init)
    if setup:
        text += "\n    def setup(self):\n" + (t.lines(own, 2, *setup) or "        pass\n")
    text += "\n    def train(self):\n" + t.lines(own, 2, *train)
    calls = f"    trainer = Trainer({t.form.held})\n"
    calls += "    trainer.setup()\n" if setup else ""
    calls += "    trainer.train()\n"
    return {"train.py": f"{t.top()}{t.helpers()}\n\n{text}{t.main(calls)}"}


def chained_class(t: Trainer) -> Files:
    """A constructor that calls the methods that build and wrap."""
    own = t.names("self.model", "self.options")
    text = "class Trainer:\n    def __init__(self, options):\n        self.options = options\n"
    text += "        self.build()\n        self.distribute()\n\n    def build(self):\n"
    text += t.lines(own, 2, "noise", "make", "prepare")
    text += "\n    def distribute(self):\n" + t.lines(own, 2, "early", "wrap", "late")
    text += "\n    def train(self):\n" + t.lines(own, 2, "loop")
    main = t.main(f"    Trainer({t.form.held}).train()\n")
    return {"train.py": f"{t.top()}{t.helpers()}\n\n{text}{main}"}


def receiving_class(t: Trainer) -> Files:
    """The script builds, and a class that receives the model wraps and trains it."""
    own = t.names("self.model", "self.options")
    partner = bool(t.parts["partner"].lines)
    extra = ", second" if partner else ""
    text = f"class Trainer:\n    def __init__(self, options, model{extra}):\n"
    text += "        self.options = options\n        self.model = model\n"
    text += "        self.second = second\n" if partner else ""
    text += t.lines(own, 2, "early", "wrap", "late") + "\n    def train(self):\n"
    text += t.lines(own, 2, "loop")
    body = t.lines(t.names(), 1, "noise", "make", "prepare")
    main = t.main(f"{body}    Trainer({t.form.held}, model{extra}).train()\n")
    return {"train.py": f"{t.top()}{t.helpers()}\n\n{text}{main}"}


def derived_class(t: Trainer) -> Files:
    """A base class in another file builds; the class derived from it wraps and trains."""
    own = t.names("self.model", "self.options")
    base = f"{HEAD}\n\n{NET}\n\n{DATA}{t.helpers()}"
    base += "\n\nclass Base:\n    def __init__(self, options):\n        self.options = options\n"
    base += t.lines(own, 2, "noise", "make")
    text = "\n\nclass Trainer(Base):\n    def setup(self):\n"
    text += t.lines(own, 2, "early", "prepare", "wrap", "late") + "\n    def train(self):\n"
    text += t.lines(own, 2, "loop")
    main = t.main(
        f"    trainer = Trainer({t.form.held})\n    trainer.setup()\n    trainer.train()\n"
    )
    return {"base.py": base, "train.py": f"{HEAD}from base import *\n{t.form.head}{text}{main}"}


def set_attribute(t: Trainer) -> Files:
    """The model becomes an attribute by `setattr`."""
    own = t.names("self.model", "self.options")
    text = "class Trainer:\n    def __init__(self, options):\n        self.options = options\n"
    text += t.lines(own | {"m": "net", "h": "self.second"}, 2, "noise", "make")
    text += "        setattr(self, 'model', net)\n\n    def train(self):\n"
    text += t.lines(own, 2, "early", "prepare", "wrap", "late", "loop")
    main = t.main(f"    Trainer({t.form.held}).train()\n")
    return {"train.py": f"{t.top()}{t.helpers()}\n\n{text}{main}"}


def property_class(t: Trainer) -> Files:
    """The model is read through a property."""
    own = t.names("self._model", "self.options")
    text = "class Trainer:\n    def __init__(self, options):\n        self.options = options\n"
    text += t.lines(own, 2, "noise", "make", "early", "prepare", "wrap", "late")
    text += "\n    @property\n    def model(self):\n        return self._model\n"
    text += "\n    def train(self):\n"
    text += t.lines(t.names("self.model", "self.options"), 2, "loop")
    main = t.main(f"    Trainer({t.form.held}).train()\n")
    return {"train.py": f"{t.top()}{t.helpers()}\n\n{text}{main}"}


def callbacks(t: Trainer) -> Files:
    """A callback prepares and wraps the model before training."""
    own = t.names("self.model", "self.options")
    theirs = t.names("trainer.model", "trainer.options")
    text = "class Distribute:\n    def on_train_begin(self, trainer):\n"
    text += t.lines(theirs, 2, "prepare", "wrap") or "        pass\n"
    text += "\n\nclass Trainer:\n    def __init__(self, options, callbacks):\n"
    text += "        self.options = options\n        self.callbacks = callbacks\n"
    text += t.lines(own, 2, "noise", "make") + "\n    def train(self):\n"
    text += "        for callback in self.callbacks:\n            callback.on_train_begin(self)\n"
    text += t.lines(own, 2, "optimizer", "loop")
    main = t.main(f"    Trainer({t.form.held}, [Distribute()]).train()\n")
    return {"train.py": f"{t.top()}{t.helpers()}\n\n{text}{main}"}


def callbacks_by_name(t: Trainer) -> Files:
    """The trainer tells its callbacks by the name of what happens; one of them wraps the model."""
    own = t.names("self.model", "self.options")
    theirs = t.names("trainer.model", "trainer.options")
    text = "class Callback:\n    def on_train_begin(self, trainer):\n        pass\n\n"
    text += "    def on_train_end(self, trainer):\n        pass\n\n\n"
    text += "class Distribute(Callback):\n    def on_train_begin(self, trainer):\n"
    text += t.lines(theirs, 2, "prepare", "wrap") or "        pass\n"
    text += "\n\nclass Trainer:\n    def __init__(self, options, callbacks):\n"
    text += "        self.options = options\n        self.callbacks = callbacks\n"
    text += t.lines(own, 2, "noise", "make") + "\n    def tell(self, event):\n"
    text += "        for callback in self.callbacks:\n            getattr(callback, event)(self)\n"
    text += "\n    def train(self):\n        self.tell('on_train_begin')\n"
    text += t.lines(own, 2, "optimizer", "loop") + "        self.tell('on_train_end')\n"
    main = t.main(f"    Trainer({t.form.held}, [Distribute()]).train()\n")
    return {"train.py": f"{t.top()}{t.helpers()}\n\n{text}{main}"}


def registered(t: Trainer) -> Files:
    """Functions are registered for what happens, in a mapping, and called from there."""
    own = t.names("self.model", "self.options")
    theirs = t.names("trainer.model", "trainer.options")
    text = "def distribute(trainer):\n"
    text += t.lines(theirs, 1, "prepare", "wrap") or "    pass\n"
    text += "\n\nclass Trainer:\n    def __init__(self, options):\n"
    text += "        self.options = options\n        self.hooks = {'begin': [], 'end': []}\n"
    text += t.lines(own, 2, "noise", "make") + "\n    def register(self, event, hook):\n"
    text += "        self.hooks[event].append(hook)\n\n    def run(self, event):\n"
    text += "        for hook in self.hooks[event]:\n            hook(self)\n"
    text += "\n    def train(self):\n        self.run('begin')\n"
    text += t.lines(own, 2, "optimizer", "loop") + "        self.run('end')\n"
    main = f"    trainer = Trainer({t.form.held})\n    trainer.register('begin', distribute)\n"
    main = t.main(f"{main}    trainer.train()\n")
    return {"train.py": f"{t.top()}{t.helpers()}\n\n{text}{main}"}


def lightning(t: Trainer) -> Files:
    """A module that knows its step, and a trainer that fits any module."""
    own = t.names("self.model", "self.options")
    text = "class Module(paddle.nn.Layer):\n    def __init__(self, options):\n"
    text += "        super().__init__()\n        self.options = options\n"
    text += t.lines(own, 2, "noise", "make", "prepare", "wrap")
    text += "\n    def configure(self):\n" + t.lines(own, 2, "optimizer")
    text += "        return self.optimizer\n\n    def training_step(self, batch):\n"
    forward = "$h($m(batch))" if "head" in t.parts["partner"].marks else "$m(batch)"
    for name, value in own.items():
        forward = forward.replace(f"${name}", value)
    text += f"        return {forward}.mean()\n\n\nclass Trainer:\n    def fit(self, module):\n"
    text += "        optimizer = module.configure()\n        for batch in data():\n"
    text += "            loss = module.training_step(batch)\n            loss.backward()\n"
    text += "            optimizer.step()\n            optimizer.clear_grad()\n"
    main = t.main(f"    Trainer().fit(Module({t.form.held}))\n")
    return {"train.py": f"{t.top()}{t.helpers()}\n\n{text}{main}"}
