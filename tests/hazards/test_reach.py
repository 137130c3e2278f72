"""What a forward reaches: overrides, mix-ins, sub-layers, factories, and names in configs."""

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

from codemod.audit.model_findings import hazard_findings
from codemod.code.tree import Tree
from codemod.hazards import Effect, Mode, scan, scan_kit
from codemod.hazards.reach.apis import attribute
from codemod.hazards.reach.values import PYTHON, SHAPE, TENSOR, UNKNOWN, ValueKind
from codemod.kits.config_rule import ConfigRule

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "import random\nimport paddle\nimport paddle.nn as nn\n"


def kit(root: Path, **files: str) -> Tree:
    for name, text in files.items():
        path = root / (name.replace("__", "/") + ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(HEAD + dedent(text), encoding="utf-8")
        if path.parent != root:
            (path.parent / "__init__.py").touch()
    return Tree(root)


def lines(tree: Tree, root: str) -> set[tuple[str, str]]:
    return {(found.id, found.scope) for found in scan(tree, [root])}


LEAF = """
    class Leaf(nn.Layer):
        def forward(self, x):
            return x * random.random()
"""


@pytest.mark.parametrize(
    "net",
    [
        """
        class Stage(nn.Layer):
            def __init__(self, block):
                super().__init__()
                self.part = block()

            def forward(self, x):
                return self.part(x)

        class Net(nn.Layer):
            def __init__(self):
                super().__init__()
                block = Leaf
                self.stage = Stage(block=block)

            def forward(self, x):
                return self.stage(x)
        """,
        """
        class Net(nn.Layer):
            def __init__(self):
                super().__init__()
                self.parts = nn.LayerList([Leaf() for _ in range(2)])

            def forward(self, x):
                for part in self.parts:
                    x = part(x)
                return x
        """,
        """
        def make(kind):
            table = {"a": Leaf}
            return table[kind]()

        class Net(nn.Layer):
            def __init__(self):
                super().__init__()
                self.body = make("a")

            def forward(self, x):
                return self.body(x)
        """,
        """
        class Base(nn.Layer):
            def forward(self, x):
                return self.step(x)

            def step(self, x):
                return x

        class Mixed:
            def step(self, x):
                return Leaf()(x)

        class Net(Mixed, Base):
            pass
        """,
        """
        class Stack(nn.Sequential):
            def __init__(self):
                super().__init__(nn.ReLU(), Leaf())

        class Net(nn.Layer):
            def __init__(self):
                super().__init__()
                for i in range(2):
                    block = self.add_sublayer(f"b{i}", Stack())
                    self.blocks = [block]

            def forward(self, x):
                return self.blocks[0](x)
        """,
        """
        class Block(nn.Layer):
            def __init__(self, inner=nn.ReLU):
                super().__init__()
                self.inner = inner()

            def forward(self, x):
                return self.inner(x)

        class Net(nn.Layer):
            def __init__(self):
                super().__init__()
                self.block = Block(Leaf)

            def forward(self, x):
                return self.block(x)
        """,
        """
        class Net(nn.Layer):
            def __init__(self):
                super().__init__()
                print(part := Leaf())
                self.body = part

            def forward(self, x):
                return self.body(x)
        """,
    ],
    ids=["renamed-class", "list", "table", "mixin", "sequential", "class-argument", "walrus"],
)
def test_the_leaf_is_reached(tmp_path: Path, net: str) -> None:
    tree = kit(tmp_path, kit__leaf=LEAF, kit__net="from .leaf import Leaf\n" + dedent(net))
    assert ("D-43", "Leaf.forward") in lines(tree, "kit/net.py:Net")


def test_what_is_not_reached_is_not_told(tmp_path: Path) -> None:
    net = """
        from .leaf import Leaf

        class Net(nn.Layer):
            def __init__(self):
                super().__init__()
                self.leaf = Leaf()

            def forward(self, x):
                if self.training:
                    return x * 2
                return self.leaf(x)

            def predict(self, x):
                return self.leaf(x)
    """
    tree = kit(tmp_path, kit__leaf=LEAF, kit__net=net)
    assert lines(tree, "kit/net.py:Net") == set()


CONFIGURED = """
    class Whole(nn.Layer):
        def __init__(self, backbone, head="Head", after=None):
            super().__init__()
            self.backbone = backbone
            self.head = head
            self.after = after

        def forward(self, x):
            loss = self.head.get_loss(self.backbone(x))
            return loss if self.training else self.after(x)

    class Calm(nn.Layer):
        def forward(self, x):
            return x

    class Noisy(nn.Layer):
        def __init__(self, noisy=False):
            super().__init__()
            self.noisy = noisy

        def forward(self, x):
            if self.noisy:
                paddle.seed(1)
            return x * random.random()

    class Head(nn.Layer):
        def get_loss(self, x):
            return x.mean() * x.max().item()

    class PostProcess:
        def __call__(self, x):
            return x.numpy()
"""


def scanned(tmp_path: Path, backbone: dict[str, object]) -> dict[str, Effect]:
    tree = kit(tmp_path, kit__net=CONFIGURED)
    model = {
        "name": "Whole",
        "backbone": backbone,
        "head": {"name": "Head"},
        "after": {"name": "PostProcess"},
    }
    rule = ConfigRule(routes=(), model=("model",))
    (found,) = scan_kit(tree, rule, {"a.yml": {"model": model}})
    assert found.nets == ("kit/net.py:Whole",)
    return {hazard.id: hazard.effect(Mode.AST) for hazard in found.found}


def test_a_name_of_paddle_s_own_is_no_class_of_the_kit(tmp_path: Path) -> None:
    nets = """
        class LayerNorm(nn.LayerNorm):
            def forward(self, x):
                return super().forward(x)

        class Net(nn.Layer):
            def __init__(self, norm="nn.LayerNorm"):
                super().__init__()
                self.norm = eval(norm)(NORM)

            def forward(self, x):
                return self.norm(x)
    """
    rule = ConfigRule(routes=(), model=("model",))
    config = {"model": {"name": "Net", "norm": "nn.LayerNorm"}}
    (own,) = scan_kit(kit(tmp_path, kit__net=nets), rule, {"a.yml": config})
    assert "D-50" not in {hazard.id for hazard in own.found}
    config = {"model": {"name": "Net", "norm": "LayerNorm"}}
    (kits,) = scan_kit(kit(tmp_path, kit__net=nets), rule, {"a.yml": config})
    assert "D-50" in {hazard.id for hazard in kits.found}


def test_a_config_says_which_parts_run(tmp_path: Path) -> None:
    assert scanned(tmp_path, {"name": "Calm"}) == {"D-03": Effect.WRONG}
    assert set(scanned(tmp_path, {"name": "Noisy"})) == {"D-03", "D-43"}


def test_a_switch_that_is_off_hides_its_code(tmp_path: Path) -> None:
    assert "D-44" not in scanned(tmp_path, {"name": "Noisy", "noisy": False})
    assert "D-44" in scanned(tmp_path, {"name": "Noisy", "noisy": True})


def test_severe_hazards_become_findings(tmp_path: Path) -> None:
    tree = kit(tmp_path, kit__net=CONFIGURED)
    rule = ConfigRule(routes=(), model=("model",))
    config = {"model": {"name": "Noisy", "noisy": True}}
    models = scan_kit(tree, rule, {"a.yml": config, "b.yml": config})
    (finding,) = hazard_findings(models)
    assert (finding.id, finding.level.value) == ("D-44 seed-in-forward", "warning")
    assert "2 configs" in finding.message
    assert finding.reason.text("zh") == (
        "Noisy.forward：前向中设置了随机种子；转为静态图后训练数值会改变，且不报错（2 个配置）。"
    )
    (settled,) = hazard_findings(models, ("D-44",))
    assert settled.level.value == "note" and "hook sees to it" in settled.remedy


def test_the_numbers_of_shapes_are_no_tensors(tmp_path: Path) -> None:
    net = """
        def halve(size, ratio):
            return int(size * ratio)

        class Net(nn.Layer):
            def forward(self, x):
                b, c, h, w = x.shape
                return x.reshape([b, c, halve(h, 0.5), int(w * 2)]) + float(h / w)
    """
    assert lines(kit(tmp_path, net=net), "net.py:Net") == set()


def test_an_argument_is_a_tensor_when_a_caller_hands_one(tmp_path: Path) -> None:
    net = """
        def halve(size):
            return int(size)

        class Net(nn.Layer):
            def forward(self, x):
                return x * halve(x.mean())
    """
    assert lines(kit(tmp_path, net=net), "net.py:Net") == {("D-05", "halve")}


def test_an_unknown_root_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        scan(kit(tmp_path, net="class Net(nn.Layer): pass"), ["net.py:Other"])


@pytest.mark.parametrize(("name", "kind"), [("shape", SHAPE), ("dtype", PYTHON), ("T", UNKNOWN)])
def test_what_may_be_a_tensor_has_its_shape_and_type(name: str, kind: ValueKind) -> None:
    assert attribute(TENSOR | PYTHON, name) == kind
