"""Layouts in which a trainer's steps stand in functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.programs.productions import NET
from bench.programs.trainer import ALL, DATA, HEAD

if TYPE_CHECKING:
    from bench.programs.trainer import Files, Trainer


def in_main(t: Trainer) -> Files:
    """Everything in one function."""
    return {"train.py": t.top() + t.helpers() + t.main(t.lines(t.names(), 1, *ALL))}


def at_top(t: Trainer) -> Files:
    """Everything at the top of the script."""
    form = t.form
    if form.before or form.parameters:
        return in_main(t)
    prelude = "".join(f"{line}\n" for line in form.prelude)
    return {"train.py": t.top() + t.helpers() + f"\n\n{prelude}" + t.lines(t.names(), 0, *ALL)}


def nested(t: Trainer) -> Files:
    """A function in the function that reads the options."""
    body = t.lines(t.names(), 2, *ALL)
    return {"train.py": t.top() + t.helpers() + t.main(f"    def run():\n{body}\n    run()\n")}


def handed_options(t: Trainer) -> Files:
    """A function that receives the options."""
    body = t.lines(t.names(held="options"), 1, *ALL)
    main = t.main(f"    train({t.form.held})\n")
    return {"train.py": f"{t.top()}{t.helpers()}\n\ndef train(options):\n{body}{main}"}


def two_functions(t: Trainer) -> Files:
    """One function builds, another wraps and trains."""
    names = t.names(held="options")
    build = t.lines(names, 1, "noise", "make", "prepare")
    extra = ", second" if t.parts["partner"].lines else ""
    train = t.lines(names, 1, "early", "wrap", "late", "loop")
    held = t.form.held
    main = t.main(f"    model{extra} = build({held})\n    train({held}, model{extra})\n")
    return {
        "train.py": f"{t.top()}{t.helpers()}"
        f"\n\ndef build(options):\n{build}    return model{extra}\n"
        f"\n\ndef train(options, model{extra}):\n{train}{main}"
    }


def returned_wrapped(t: Trainer) -> Files:
    """One function builds and wraps, another trains."""
    names = t.names(held="options")
    build = t.lines(names, 1, "noise", "make", "prepare", "wrap")
    extra = ", second" if t.parts["partner"].lines else ""
    main = t.main(
        f"    model{extra} = build({t.form.held})\n" + t.lines(t.names(), 1, "optimizer", "loop")
    )
    return {
        "train.py": f"{t.top()}{t.helpers()}"
        f"\n\ndef build(options):\n{build}    return model{extra}\n{main}"
    }


def step_function(t: Trainer) -> Files:
    """A function of its own for one step."""
    names = t.names()
    step = "".join(
        f"    {one}\n" for one in t.lines(names | {"opt": "optimizer"}, 0, "loop").splitlines()
    )
    extra = ", second" if t.parts["partner"].lines else ""
    more = ", optimizer_h" if "adversary" in t.parts["partner"].marks else ""
    head = f"def fit(options, model, optimizer{extra}{more}):\n"
    step = t.lines(t.names(held="options"), 1, "loop")
    body = t.lines(names, 1, "noise", "make", "early", "prepare", "wrap", "late")
    call = f"    fit({t.form.held}, model, optimizer{extra}{more})\n"
    return {"train.py": f"{t.top()}{t.helpers()}\n\n{head}{step}{t.main(body + call)}"}


def two_files(t: Trainer) -> Files:
    """Nets, data and helpers in another file."""
    imported = "from nets import *\n"
    nets = f"import copy\n\nimport paddle\n\n\n{NET}\n\n{DATA}{t.helpers()}"
    top = HEAD + imported + t.form.head
    return {"nets.py": nets, "train.py": top + t.main(t.lines(t.names(), 1, *ALL))}


def module_global(t: Trainer) -> Files:
    """The model is a name of the module, which a function trains."""
    form = t.form
    if form.before or form.parameters:
        return in_main(t)
    prelude = "".join(f"{line}\n" for line in form.prelude)
    names = t.names()
    made = t.lines(names, 0, "noise", "make", "early", "prepare", "wrap", "late")
    loop = t.lines(names, 1, "loop")
    return {
        "train.py": f"{t.top()}{t.helpers()}\n\n{prelude}{made}\n\ndef run():\n{loop}\n\nrun()\n"
    }


def spawned(t: Trainer) -> Files:
    """A worker that is spawned with the options."""
    body = t.lines(t.names(held="options"), 1, *ALL)
    main = t.main(f"    paddle.distributed.spawn(worker, args=({t.form.held},), nprocs=1)\n")
    return {"train.py": f"{t.top()}{t.helpers()}\n\ndef worker(options):\n{body}{main}"}


def unpacked(t: Trainer) -> Files:
    """A worker that unpacks its options from `*args`."""
    body = "    options, rank = args\n" + t.lines(t.names(held="options"), 1, *ALL)
    main = t.main(f"    worker({t.form.held}, 0)\n")
    return {"train.py": f"{t.top()}{t.helpers()}\n\ndef worker(*args):\n{body}{main}"}


def closure(t: Trainer) -> Files:
    """The step is a function in the function that holds the model."""
    names = t.names()
    step = t.step()
    inner = "".join(f"        {line}\n" for line in step)
    for name, value in names.items():
        inner = inner.replace(f"${name}", value)
    made = t.lines(names, 1, "noise", "make", "early", "prepare", "wrap", "late")
    body = f"{made}\n    def one_step(batch):\n{inner}\n"
    body += "    for batch in data():\n        one_step(batch)\n"
    return {"train.py": f"{t.top()}{t.helpers()}{t.main(body)}"}


def _high_level(t: Trainer, name: str, imported: str, inputs: str) -> Files:
    names = t.names()
    body = t.lines(names, 1, "noise", "build", "prepare")
    body += f"    high = {name}(model{inputs})\n"
    body += t.lines(names, 1, "optimizer")
    body += "    high.prepare(optimizer, lambda out: out.mean())\n"
    body += (
        "    for batch in data():\n        high.train_batch([batch])\n"
        if "while" in t.parts["loop"].name
        else "    high.fit([[batch] for batch in data()], epochs=1, batch_size=None, verbose=0)\n"
    )
    return {"train.py": f"{imported}{t.top()}{t.helpers()}{t.main(body)}"}


INPUTS = ", inputs=[paddle.static.InputSpec([None, 4], 'float32', 'x')]"


def high_level(t: Trainer) -> Files:
    """`paddle.Model` with inputs."""
    return _high_level(t, "paddle.Model", "", INPUTS)


def high_level_bare(t: Trainer) -> Files:
    """`paddle.Model` without inputs."""
    return _high_level(t, "paddle.Model", "", "")


def high_level_alias(t: Trainer) -> Files:
    """`paddle.Model` under another name of Paddle."""
    return _high_level(t, "P.Model", "import paddle as P\n", INPUTS)


def high_level_name(t: Trainer) -> Files:
    """`Model` imported by its name."""
    return _high_level(t, "Model", "from paddle import Model\n", INPUTS)
