"""The promises on generated programs: it parses, twice is once, revert is exact, lines are kept.

Small trainers are put together from parts that humans combine in every order; `hypothesmith`
makes programs that nobody would write.
"""

from __future__ import annotations

import ast
import tempfile
import warnings
from pathlib import Path

import hypothesmith
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codemod.base.changeset import EditKind, Source, Status
from codemod.base.patch.apply import apply_changes, revert
from codemod.engine import plan_change
from codemod.engine.rewrite.file import rewrite, rewrite_whole
from codemod.engine.rewrite.ops import CannotRewriteError, Insert, Op

# Examples are drawn alike in every run (derandomize): a red build must mean a change, not a draw.
SLOW_OK = [HealthCheck.too_slow, HealthCheck.filter_too_much]

BUILDS = ("model = build(cfg)", "model = Net()", "model, loss_fn = make(cfg)")
BETWEEN = (
    "model = paddle.nn.SyncBatchNorm.convert_sync_batchnorm(model)",
    "ema = copy.deepcopy(model)",
    "model.train()",
    "# a comment\nx = 1; y = 2",
    "print(f'{cfg}')",
    "lr = cfg.get('lr', 0.1)",
    "weights = '''\nmany\nlines'''",
)
WRAPS = ("model = paddle.DataParallel(model)", "model = fleet.distributed_model(model)", "pass")
FRAMES = (
    "{}",
    "if cfg['on']:\n{}",
    "try:\n{}\nfinally:\n    pass",
    "with open('f') as f:\n{}",
    "for epoch in range(3):\n{}",
    "if a:\n    pass\nelif b:\n{}\nelse:\n    pass",
)
LOOP = """\
optimizer = paddle.optimizer.SGD(cfg['lr'], parameters=model.parameters())
for batch in cfg['data']:
    loss = model(batch)  # type: ignore
    loss.backward()"""


def indented(text: str, unit: str) -> str:
    return "\n".join(unit + line if line else line for line in text.split("\n"))


@st.composite
def trainers(draw: st.DrawFn) -> bytes:
    """The bytes of a training script, in one of the manners that files are kept in."""
    parts = [
        draw(st.sampled_from(BUILDS)),
        *draw(st.lists(st.sampled_from(BETWEEN), max_size=4)),
        draw(st.sampled_from(WRAPS)),
        *draw(st.lists(st.sampled_from(BETWEEN), max_size=2)),
        LOOP,
    ]
    cut = draw(st.integers(0, len(parts)))
    frame = draw(st.sampled_from(FRAMES))
    inner = "\n".join(parts[cut:]) or "pass"
    body = "\n".join(
        [*parts[:cut], frame.format(inner if frame == "{}" else indented(inner, "    "))]
    )
    head = draw(st.sampled_from(["", "@decorator\n", "async ", "# 训练\n"]))
    doc = draw(st.sampled_from(["", '    """Train."""\n']))
    text = f"import copy\nimport paddle\n\n\n{head}def main(cfg):\n{doc}{indented(body, '    ')}\n"
    if draw(st.booleans()):
        text = text.replace("    ", "\t")
    if draw(st.booleans()):
        text = text.rstrip("\n")
    raw = text.encode(draw(st.sampled_from(["utf-8", "utf-8-sig"])))
    return raw.replace(b"\n", draw(st.sampled_from([b"\n", b"\r\n"])))


def keeps_the_promises(source: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "kit")
        root.mkdir()
        file = root / "train.py"
        file.write_bytes(source)
        kit = Source(None, root, None)
        first = plan_change(kit).change_set()
        apply_changes(first, allow_dirty=True)
        written = file.read_bytes()
        ast.parse(written)
        lines = iter(written.splitlines(keepends=True))
        assert all(line in lines for line in source.splitlines(keepends=True)) or (
            not source.endswith((b"\n", b"\r\n"))
        )
        for hook in first.hooks:
            if hook.status is Status.INSERTED:
                assert hook.line is not None
                assert b"jit.to_static(" in written.splitlines()[hook.line - 1]
        again = plan_change(kit).change_set()
        assert again.changes == ()
        if first.changes:
            revert(kit)
        assert file.read_bytes() == source


@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=SLOW_OK)
@given(trainers())
def test_the_four_promises_on_some_trainers(source: bytes) -> None:
    keeps_the_promises(source)


@pytest.mark.slow
@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=SLOW_OK)
@given(trainers())
def test_the_four_promises_on_trainers(source: bytes) -> None:
    keeps_the_promises(source)


@pytest.mark.slow
@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=SLOW_OK)
@given(hypothesmith.from_node(), st.integers(0, 3))
def test_an_insertion_into_any_program_changes_nothing_else(code: str, index: int) -> None:
    try:
        source = code.encode()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(source).body
    except (SyntaxError, ValueError, UnicodeEncodeError):
        return
    op = Op("f.py", EditKind.HOOK, Insert((), "body", min(index, len(body)), "if g:\n    x_ = 1"))
    try:
        new = rewrite(source, [op]).new
    except CannotRewriteError:
        with pytest.raises(CannotRewriteError):
            rewrite_whole(source, [op])
        return
    assert new == rewrite_whole(source, [op]).new
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = ast.parse(new).body
    assert len(made) == len(body) + 1
    extra = next(n for n in made if ast.unparse(n) == "if g:\n    x_ = 1")
    made.remove(extra)
    assert [ast.dump(node) for node in made] == [ast.dump(node) for node in body]
