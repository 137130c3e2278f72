"""What a trainer is made of: the productions of the grammar, by feature.

`$m` stands for the model's name, `$n` for the number of epochs as the scope reads it, `$o` for the
object that holds the options, `$net` for the class of the model.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    """One production: lines of a scope, the helper that they need, and what it is known for."""

    name: str
    lines: tuple[str, ...] = ()
    helper: str = ""
    marks: frozenset[str] = frozenset()


def _part(name: str, *lines: str, helper: str = "", marks: str = "") -> Part:
    return Part(name, lines, helper, frozenset(marks.split()))


NET = """\
class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.inner = paddle.nn.Linear(4, 4)

    def forward(self, x):
        return self.inner(x)
"""
BUILD_MODEL = """\
def build_model(options=None):
    return Net()
"""
EVALUATE = """\
def evaluate(model):
    model.eval()
    with paddle.no_grad():
        model(paddle.ones([2, 4]))
    model.train()
"""
WARM_UP = """\
@paddle.no_grad()
def warm_up(model):
    model(paddle.ones([2, 4]))
"""
LOOK_AT = """\
def look_at(model):
    paddle.set_grad_enabled(False)
    model(paddle.ones([2, 4]))
    paddle.set_grad_enabled(True)
"""
SHAPES = """\
def shapes_of(model):
    with paddle.no_grad():
        return model(paddle.ones([2, 4])).shape
"""
QUANTIZE = """\
class Rounded(paddle.nn.Layer):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x)


def quantize(model):
    for name, layer in list(model.named_children()):
        setattr(model, name, Rounded(layer))
    return model
"""
EMA = """\
class Ema:
    def __init__(self, model):
        self.model = copy.deepcopy(model)
        self.model.eval()
"""
WRAP_MODEL = """\
def wrap_model(model):
    if paddle.distributed.get_world_size() > 1:
        model = paddle.DataParallel(model)
    return model
"""
MEAN_LOSS = """\
class MeanLoss(paddle.nn.Layer):
    def forward(self, out):
        return out.mean()
"""
REGISTRY = """\
NETS = {'net': Net}
"""

BUILDS = (
    _part("class", "$m = Net()"),
    _part("factory", "$m = build_model($o)", helper=BUILD_MODEL),
    _part("alias", "net = Net()", "$m = net"),
    _part("none first", "$m = None", "if $m is None:", "    $m = Net()"),
    _part(
        "branches",
        "if $n > 0:",
        "    $m = Net()",
        "else:",
        "    $m = build_model($o)",
        helper=BUILD_MODEL,
    ),
    _part("conditional", "$m = Net() if $n else build_model($o)", helper=BUILD_MODEL),
    _part("registry", "$m = NETS['net']()", helper=REGISTRY),
    _part("dictionary", "models = {'a': Net()}", "$m = models['a']"),
    _part("tuple", "$m, other = Net(), 1"),
    _part("walrus", "if (model := Net()) is None:", "    raise SystemExit", marks="name"),
    _part("annotated", "$m: paddle.nn.Layer = Net()"),
    _part("partial", "$m = functools.partial(Net)()"),
    _part("comprehension", "$m = [Net() for _ in range(1)][0]"),
    _part("wrapped at once", "$m = paddle.DataParallel(Net())", marks="wrapped"),
    _part(
        "wrapped factory",
        "$m = paddle.DataParallel(build_model($o))",
        helper=BUILD_MODEL,
        marks="wrapped",
    ),
    _part("set to train", "$m = Net()", "$m.train()"),
)
CONVERTS = (
    _part("no sync-BN"),
    _part("sync-BN", "$m = paddle.nn.SyncBatchNorm.convert_sync_batchnorm($m)"),
    _part(
        "sync-BN if distributed",
        "if paddle.distributed.get_world_size() > 1:",
        "    $m = paddle.nn.SyncBatchNorm.convert_sync_batchnorm($m)",
    ),
)
CALLS = (
    _part("no call before"),
    _part("evaluated", "evaluate($m)", helper=EVALUATE),
    _part("no_grad block", "with paddle.no_grad():", "    $m(paddle.ones([2, 4]))", marks="peek"),
    _part("no_grad helper", "warm_up($m)", helper=WARM_UP, marks="peek"),
    _part("gradients set off", "look_at($m)", helper=LOOK_AT, marks="peek"),
    _part("shapes", "out = shapes_of($m)", helper=SHAPES, marks="peek"),
    _part("summary", "paddle.summary($m, (2, 4))"),
    _part("flops", "paddle.flops($m, (2, 4))", marks="stand-in"),
    _part("quantized", "$m = quantize($m)", helper=QUANTIZE),
    _part("quantized in place", "quantize($m)", helper=QUANTIZE),
    _part("weights counted", "count = sum(1 for _ in $m.parameters())"),
    _part("state loaded", "$m.set_state_dict($m.state_dict())"),
)
COPIES = (
    _part("no copy"),
    _part("deepcopy", "ema = copy.deepcopy($m)"),
    _part("teacher", "teacher = copy.deepcopy($m)", "teacher.eval()"),
    _part("copy if", "if $n:", "    ema = copy.deepcopy($m)"),
    _part("class of averages", "ema = Ema($m)", helper=EMA),
)
WRAPS = (
    _part("no wrap"),
    _part("DataParallel", "$m = paddle.DataParallel($m)"),
    _part(
        "DataParallel if",
        "if paddle.distributed.get_world_size() > 1:",
        "    $m = paddle.DataParallel($m)",
    ),
    _part("fleet", "fleet.init(is_collective=True)", "$m = fleet.distributed_model($m)"),
    _part("wrapped alias", "wrapped = paddle.DataParallel($m)", "$m = wrapped"),
    _part("unused", "$m = paddle.DataParallel($m, find_unused_parameters=True)"),
    _part("helper", "$m = wrap_model($m)", helper=WRAP_MODEL),
    _part("imported", "$m = DataParallel($m)"),
)
STEP = ("loss.backward()", "optimizer.step()", "optimizer.clear_grad()")
LOOPS = (
    _part("for", "for epoch in range($n):", "    for batch in data():", "        $step"),
    _part(
        "while",
        "step = 0",
        "while step < 2:",
        "    batch = data()[0]",
        "    $step",
        "    step += 1",
    ),
    _part("enumerate", "for step, batch in enumerate(data()):", "    $step"),
    _part(
        "amp",
        "for batch in data():",
        "    with paddle.amp.auto_cast(enable=False):",
        "        loss = $call.mean()",
        "    loss.backward()",
        "    optimizer.step()",
        "    optimizer.clear_grad()",
    ),
    _part("train mode", "$m.train()", "for batch in data():", "    $step", "$m.eval()"),
    _part(
        "validated",
        "for epoch in range($n):",
        "    for batch in data():",
        "        $step",
        "    evaluate($m)",
        helper=EVALUATE,
    ),
)
FORWARDS = (
    _part("mean", "loss = $m(batch).mean()"),
    _part(
        "criterion",
        "loss = criterion($m(batch))",
        helper="def criterion(out):\n    return out.mean()\n",
    ),
    _part("output", "out = $m(batch)", "loss = out.mean()"),
    _part("keyword", "loss = $m(x=batch).mean()"),
    _part(
        "loss layer",
        "loss = MeanLoss()($m(batch))",
        helper=MEAN_LOSS,
    ),
)
# A second model beside the first: how it is built, called, and whose weights are optimized.
PARTNERS = (
    _part("alone"),
    _part("head", "$h = Net()", marks="head"),
    _part("teacher beside", "$h = Net()", "$h.eval()", marks="teacher"),
    _part("adversary", "$h = Net()", marks="adversary"),
)
OPTIMIZERS = (
    _part("after the wrap", marks="late"),
    _part("before the wrap", marks="early"),
    _part("listed", marks="late listed"),
)
NOISE = (
    _part("plain"),
    _part("dead branch", "if False:", "    $m = paddle.DataParallel($m)"),
    _part("dead loop", "for none in ():", "    $m = copy.deepcopy($m)"),
    _part("printed", "print('start')"),
    _part("tried", "try:", "    x = 1", "finally:", "    pass"),
)
ENDS = (
    _part("newline", "\n"),
    _part("carriage return and newline", "\r\n"),
    _part("carriage return", "\r"),
)
# Blocks around the lines of one step: `$make`, `$prepare` or `$wrap`.
BLOCKS = (
    _part("no block"),
    _part("if True", "if True:", marks="make"),
    _part("if options", "if $n:", marks="wrap"),
    _part("if truth", "if 1:", marks="prepare"),
    _part("once", "for once in range(1):", marks="make"),
    _part("try", "try:", "finally:", marks="make wrap"),
    _part("no_grad build", "with paddle.no_grad():", marks="make"),
    _part("timed", "with contextlib.nullcontext():", marks="loop"),
)
