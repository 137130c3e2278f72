"""Programs that train on a stand-in for Paddle, hooked by discovery and then run.

Each program is drawn from a seed: how the model is built, copied, evaluated, wrapped and trained,
in which blocks, with which line ends. It is planned, changed, and run three times: as it was, with
the switch off, and with the switch on. The stand-in notes when a layer is wrapped, copied, called
and made static, so a hook in the wrong place shows by what happened and not by where it stands.

    python -m bench.programs --count 20000 --seed 1
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import io
import random
import sys
import tempfile
import types
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codemod.base.changeset import Source, Status
from codemod.engine import plan_change

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Event = tuple[str, int]


# --- the stand-in ---------------------------------------------------------------------------


class Journal:
    """What happened, in order; layers are numbered as they are made."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.layers = 0

    def note(self, what: str, layer: Layer) -> None:
        """Keep that something happened to a layer."""
        self.events.append((what, layer.number))


JOURNAL = Journal()


class Loss:
    """What a forward gives: knows the layer that it came from."""

    def __init__(self, layer: Layer) -> None:
        self.layer = layer

    def backward(self) -> None:
        """A training step went through the layer."""
        JOURNAL.note("train", self.layer)

    def __float__(self) -> float:
        return 0.0


class Layer:
    """A model."""

    def __init__(self) -> None:
        JOURNAL.layers += 1
        self.number = JOURNAL.layers
        self.static = False

    def __call__(self, *_: object) -> Loss:
        """Forward."""
        JOURNAL.note("call", self)
        return Loss(self)

    def __deepcopy__(self, memo: object) -> Layer:
        JOURNAL.note("copy", self)
        made = type(self).__new__(type(self))
        Layer.__init__(made)
        return made

    def parameters(self) -> list[object]:
        """Something to hand to an optimizer."""
        return []

    def train(self) -> None:
        """As Paddle's."""

    def eval(self) -> None:
        """As Paddle's."""

    def state_dict(self) -> dict[str, object]:
        """As Paddle's."""
        return {}


class DataParallel(Layer):
    """The wrapper: hooking it raises when it is called, so here at once."""

    def __init__(self, inner: Layer, **_: object) -> None:
        super().__init__()
        JOURNAL.note("wrap", inner)
        self.inner = inner

    def __call__(self, *arguments: object) -> Loss:
        """Forward of what is wrapped."""
        return self.inner(*arguments)

    def __deepcopy__(self, memo: object) -> Layer:
        return DataParallel(copy.deepcopy(self.inner))


def to_static(layer: Any = None, *_: object, **__: object) -> Any:
    """Make a layer static, or note that it cannot be."""
    if isinstance(layer, DataParallel) or not isinstance(layer, Layer):
        JOURNAL.events.append(("hook on no model", 0))
        return layer
    JOURNAL.note("hook", layer)
    layer.static = True
    return layer


def _convert(layer: Layer) -> Layer:
    """Sync-BN conversion replaces the root."""
    made = copy.copy(layer)
    Layer.__init__(made)
    JOURNAL.note("convert", layer)
    return made


class _Optimizer:
    def __init__(self, **_: object) -> None:
        pass

    def step(self) -> None:
        pass

    def clear_grad(self) -> None:
        pass


def stand_in() -> dict[str, types.ModuleType]:
    """The modules that stand for Paddle."""
    paddle, nn, jit = (types.ModuleType(n) for n in ("paddle", "paddle.nn", "paddle.jit"))
    optimizer, distributed = (
        types.ModuleType(n) for n in ("paddle.optimizer", "paddle.distributed")
    )
    fleet = types.ModuleType("paddle.distributed.fleet")
    parts: dict[types.ModuleType, dict[str, object]] = {
        nn: {
            "Layer": Layer,
            "SyncBatchNorm": types.SimpleNamespace(convert_sync_batchnorm=_convert),
        },
        jit: {"to_static": to_static},
        optimizer: {"SGD": _Optimizer},
        fleet: {"distributed_model": DataParallel, "init": lambda **_: None},
        distributed: {"fleet": fleet, "get_world_size": lambda: 2, "get_rank": lambda: 0},
        paddle: {
            "nn": nn,
            "jit": jit,
            "optimizer": optimizer,
            "distributed": distributed,
            "DataParallel": DataParallel,
            "ones": lambda *_: 0,
            "no_grad": contextlib.nullcontext,
        },
    }
    for module, names in parts.items():
        vars(module).update(names)
    return {module.__name__: module for module in parts}


# --- programs -------------------------------------------------------------------------------

BUILDS = (
    ["model = Net()"],
    ["model = build_model(args)"],
    ["net = Net()", "model = net"],
    ["if (model := Net()) is None:", "    raise SystemExit"],
    ["model = None", "if model is None:", "    model = Net()"],
    ["if args.epochs > 0:", "    model = Net()", "else:", "    model = build_model(args)"],
    ["model, other = Net(), 1"],
    ["model = Net() if args.epochs else build_model(args)"],
    ["models = {'a': Net()}", "model = models['a']"],
    ["model: paddle.nn.Layer = Net()"],
)
WRAPS: tuple[list[str], ...] = (
    [],
    ["model = paddle.DataParallel(model)"],
    ["if paddle.distributed.get_world_size() > 1:", "    model = paddle.DataParallel(model)"],
    ["model = fleet.distributed_model(model)"],
    ["wrapped = paddle.DataParallel(model)", "model = wrapped"],
    ["if (model := paddle.DataParallel(model)) is None:", "    raise SystemExit"],
    ["model = paddle.DataParallel(model, find_unused_parameters=True)"],
)
AT_ONCE = (
    ["model = paddle.DataParallel(Net())"],
    ["model = paddle.DataParallel(build_model(args))"],
    ["model = fleet.distributed_model(Net())"],
)
COPIES = (
    ["ema = copy.deepcopy(model)"],
    ["teacher = copy.deepcopy(model)", "teacher.eval()"],
    ["if args.epochs:", "    ema = copy.deepcopy(model)"],
)
CALLS = (
    ["evaluate(model)"],
    ["model(paddle.ones([1]))"],
    ["with paddle.no_grad():", "    model(paddle.ones([1]))"],
)
CONVERTS = (["model = paddle.nn.SyncBatchNorm.convert_sync_batchnorm(model)"],)
OTHERS = (["print('start')"], ["x = 1"], ["fleet.init(is_collective=True)"], ["seed = args.epochs"])
LOOPS = (
    [
        "for epoch in range(args.epochs):",
        "    for batch in range(2):",
        "        loss = model(batch)",
        "        loss.backward()",
        "        optimizer.step()",
    ],
    [
        "step = 0",
        "while step < 2:",
        "    loss = model(step)",
        "    loss.backward()",
        "    optimizer.step()",
        "    step += 1",
    ],
)
LIVE = (
    None,
    None,
    None,
    None,
    ["if True:"],
    ["if args.epochs:"],
    ["for once in range(1):"],
    ["try:"],
    ["with paddle.no_grad():"],
    ["if 1:"],
)
DEAD = (
    ["if False:"],
    ["if 0:"],
    ["while False:"],
    ["if not True:"],
    ["for none in ():"],
    ["if None:"],
)
ENDS = ("\n", "\n", "\n", "\n", "\n", "\r\n", "\r\r\n", "\r")
HEAD = """\
import argparse
import copy

import paddle
from paddle.distributed import fleet


class Net(paddle.nn.Layer):
    def forward(self, x):
        return x


def build_model(args):
    return Net()


def evaluate(model):
    model.eval()
    model(paddle.ones([1]))
    model.train()


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument('--epochs', type=int, default=1)
    return parser.parse_args()


"""
FORMS = (
    ("def main():\n    args = parse_args()\n", 1, "\n\nif __name__ == '__main__':\n    main()\n"),
    ("def train(args):\n", 1, "\n\nif __name__ == '__main__':\n    train(parse_args())\n"),
    ("args = parse_args()\n", 0, ""),
    (
        "def main():\n    args = parse_args()\n\n    def run():\n",
        2,
        "\n    run()\n\n\nmain()\n",
    ),
)


def program(seed: int) -> bytes:
    """The program of a seed."""
    draw = random.Random(seed)
    lines = [line for part in _parts(draw) for line in part]
    head, depth, tail = draw.choice(FORMS)
    body = "".join(f"{'    ' * depth}{line}\n" for line in lines)
    return (HEAD + head + body + tail).replace("\n", draw.choice(ENDS)).encode()


def _parts(draw: random.Random) -> Iterator[list[str]]:
    """The statements of a training, some in blocks, some where they never run."""

    def block(lines: Sequence[str], opener: Sequence[str]) -> list[str]:
        closed = ["finally:", "    pass"] if opener[-1] == "try:" else []
        return [*opener, *(f"    {line}" for line in lines), *closed]

    def live(choices: Sequence[list[str]]) -> list[str]:
        opener = draw.choice(LIVE)
        chosen = draw.choice(choices)
        return block(chosen, opener) if opener and chosen else chosen

    def sometimes(chance: float, choices: Sequence[list[str]]) -> Iterator[list[str]]:
        if draw.random() < chance:
            yield live(choices)
        if draw.random() < 0.08:
            yield block(draw.choice([*choices, *BUILDS, *WRAPS[1:]]), draw.choice(DEAD))
        if draw.random() < 0.1:
            yield draw.choice(OTHERS)

    at_once = draw.random() < 0.08
    yield from sometimes(0.2, OTHERS)
    yield live(AT_ONCE if at_once else BUILDS)
    optimizer = ["optimizer = paddle.optimizer.SGD(parameters=model.parameters())"]
    early = draw.random() < 0.3
    if early:
        yield optimizer
    yield from sometimes(0.15, () or CONVERTS) if not at_once else iter(())
    middle = [(0.15, CALLS), (0.2, COPIES), (0.1, CALLS)]
    draw.shuffle(middle)
    for chance, choices in middle:
        yield from sometimes(chance, choices)
    if not at_once:
        yield live(WRAPS)
    yield from sometimes(0.1, COPIES)
    yield from sometimes(0.1, CALLS)
    if not early:
        yield optimizer
    yield live(LOOPS)


# --- what is asked --------------------------------------------------------------------------


@dataclass(frozen=True)
class Answer:
    """What became of one program: `fault` says what is wrong with it, if anything."""

    seed: int
    outcome: str
    fault: str = ""


@dataclass
class Tally:
    """The sums over many programs."""

    tries: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    faults: dict[str, list[int]] = field(default_factory=dict)

    def add(self, answer: Answer) -> None:
        """Count one more."""
        self.tries += 1
        self.outcomes[answer.outcome] += 1
        if answer.fault:
            self.faults.setdefault(answer.fault, []).append(answer.seed)

    @property
    def wrong(self) -> int:
        """How many programs have something wrong."""
        return sum(map(len, self.faults.values()))


def played(source: bytes, *words: str) -> list[Event]:
    """What happens when a program runs.

    Raises:
        Exception: whatever the program raises.
    """
    global JOURNAL
    JOURNAL = Journal()
    modules = stand_in()
    kept = {name: sys.modules.get(name) for name in modules}
    argv = sys.argv
    sys.modules.update(modules)
    sys.argv = ["train.py", *words]
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            exec(compile(source, "train.py", "exec"), {"__name__": "__main__"})
    finally:
        sys.argv = argv
        for name, module in kept.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module
    return JOURNAL.events


def wrong_order(events: Sequence[Event]) -> str:
    """What is wrong with where the hooks stood when things happened; empty when nothing is."""
    hooked: set[int] = set()
    before: dict[int, set[str]] = {}
    for what, layer in events:
        if what == "hook on no model":
            return "a wrapper, or no layer, is hooked"
        if what == "hook":
            if layer in hooked:
                return "hooked twice"
            if late := before.get(layer, set()) & {"wrap", "call", "convert"}:
                return f"hooked after {' and '.join(sorted(late))}"
            hooked.add(layer)
        elif what in ("copy", "convert") and layer in hooked:
            return f"{what} after the hook"
        before.setdefault(layer, set()).add(what)
    trained = {layer for what, layer in events if what == "train"}
    if not hooked:
        return "no hook is reached"
    return "" if trained <= hooked else "what is trained is not hooked"


def ask(seed: int) -> Answer:
    """Plan, change and run one program."""
    source = program(seed)
    plain = played(source)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "kit")
        root.mkdir()
        (root / "train.py").write_bytes(source)
        made = plan_change(Source(None, root, None)).change_set()
    inserted = [hook for hook in made.hooks if hook.status is Status.INSERTED]
    if not inserted:
        told = any(hook.file == "train.py" for hook in made.hooks) or made.skipped
        return Answer(
            seed, "left, and said" if told else "left", "" if told else "passed over in silence"
        )
    (change,) = made.changes
    try:
        if played(change.new) != plain:
            return Answer(seed, "inserted", "differs with the switch off")
        words = " ".join(hook.switch or "" for hook in inserted[:1]).split()
        events = played(change.new, *words)
    except (Exception, SystemExit) as fault:
        return Answer(seed, "inserted", f"does not run: {type(fault).__name__}")
    return Answer(seed, "inserted", wrong_order(events))


def asked(seeds: Sequence[int]) -> Tally:
    """The sums over these seeds."""
    tally = Tally()
    for seed in seeds:
        tally.add(ask(seed))
    return tally


def main() -> int:
    """Run many programs on all cores and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, metavar="SEED", help="print one program and its change")
    options = parser.parse_args()
    if options.show is not None:
        print(program(options.show).decode().replace("\r", ""), ask(options.show))
        return 0
    start = options.seed * 1_000_000
    whole = Tally()
    with ProcessPoolExecutor() as pool:
        for answer in pool.map(ask, range(start, start + options.count), chunksize=100):
            whole.add(answer)
    print("| attack | tries | failures |\n|---|---:|---:|")
    print(f"| generated programs, seed {options.seed} | {whole.tries} | {whole.wrong} |")
    for outcome, count in whole.outcomes.most_common():
        print(f"{outcome}: {count}")
    for fault, seeds in sorted(whole.faults.items()):
        print(f"{fault}: {len(seeds)}, such as {seeds[:5]}")
    return int(whole.wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
