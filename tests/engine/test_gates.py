"""Gates: only names that the hook's own scope can read."""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING

import pytest

from bench.architecture import TOP
from codemod.base.changeset import Source
from codemod.code.project import Project
from codemod.code.tree import Tree
from codemod.engine.gate.gates import _STRATEGIES, Gate, resolve
from codemod.engine.planner import make_plan
from codemod.engine.point import Point
from codemod.engine.rewrite.ops import AddArgument, AddParameter, Insert
from codemod.kits.rule import GATE_KINDS, GateRule, Rule, Trainer

if TYPE_CHECKING:
    from pathlib import Path


def test_each_kind_of_gate_is_told_where_rules_are_written() -> None:
    assert set(_STRATEGIES) == set(GATE_KINDS), "gates.py and kits/rule.py name the same kinds"
    told = {"the docstring of GateRule": GateRule.__doc__ or ""}
    for page in (f"docs/eleventh-kit{end}.md" for end in ("", ".zh-CN")):
        told[page] = re.findall(r"^\| `gates` \|.*$", (TOP / page).read_text("utf-8"), re.M)[0]
    for place, text in told.items():
        assert set(GATE_KINDS) <= set(re.findall(r"`(\w+)`", text)), place


def test_a_gate_is_not_made_of_another_methods_local_names(tmp_path: Path) -> None:
    source = """\
import paddle


class Trainer:
    def __init__(self, config):
        self.lr = config["Global"]["lr"]

    def train(self):
        net = build_model(self.lr)
        net = paddle.DataParallel(net)
        optimizer = paddle.optimizer.SGD(self.lr, parameters=net.parameters())
        net(1).backward()
"""
    (tmp_path / "train.py").write_text(source)
    gate = GateRule("expression", seen='$C["Global"]', test='$C["Global"].get("to_static", False)')
    rule = Rule(kits=(), trainers=(Trainer(id="t", gates=(gate,)),))
    change_set = make_plan(Source(None, tmp_path, None), Tree(tmp_path), rule).change_set()
    (hook,) = change_set.hooks
    assert hook.gate is None
    assert change_set.changes == ()


def resolved(
    root: Path, files: dict[str, str], rules: tuple[GateRule, ...], scope: str = "main"
) -> Gate | None:
    """The gate of a scope of `train.py` in a small repository."""
    for name, text in files.items():
        (root / name).write_text(textwrap.dedent(text))
    project = Project(Tree(root))
    module = project.module("train.py")
    assert module is not None
    found = module.scope(scope)
    assert found is not None
    return resolve(Point(project, module, found), rules)


def code_of(gate: Gate | None) -> tuple[str, str, str] | None:
    """What the hook's `if` reads, the name that it needs, and how it is switched on."""
    return (gate.test, gate.root, gate.switch) if gate else None


READS = GateRule("expression", seen='$C["lr"]', test='$C.get("to_static", False)')


@pytest.mark.parametrize(
    ("source", "rule", "expected"),
    [
        # a mapping: read by a key or by `get`, in the quotes of the file
        ("def main(cfg):\n    x = cfg['lr']\n", GateRule("mapping"),
         ("cfg.get('to_static', False)", "cfg", "to_static: True in the config")),
        ('def main(cfg):\n    x = cfg.get("lr")\n', GateRule("mapping"),
         ('cfg.get("to_static", False)', "cfg", "to_static: True in the config")),
        ("def main(cfg):\n    x = cfg[0]\n", GateRule("mapping"), None),
        ("def main(cfg):\n    x = cfg.lr\n    y = other['lr']\n", GateRule("mapping"), None),
        ("def main(cfg):\n    x = cfg.pop('lr')\n", GateRule("mapping"), None),
        ("def main(x):\n    cfg = load_pretrained(x)\n    y = cfg['lr']\n", GateRule("mapping"), None),
        ("def main(x):\n    cfg = {}\n    y = cfg['lr']\n", GateRule("mapping"), None),
        ("def main(x):\n    cfg = load(x)\n    y = cfg['lr']\n", GateRule("mapping", switch="-o d2s=1"),
         ("cfg.get('to_static', False)", "cfg", "-o d2s=1")),
        ("def main(args, config):\n    x = args['a'], config['b']\n", GateRule("mapping"),
         ("config.get('to_static', False)", "config", "to_static: True in the config")),
        ("def main(x):\n    def inner(cfg):\n        return cfg['lr']\n", GateRule("mapping"), None),
        # an expression that the scope holds
        ('def main(conf):\n    x = conf["lr"]\n', READS, ('conf.get("to_static", False)', "conf", "")),
        ("def main(conf):\n    x = conf['batch']\n", READS, None),
        ("def main(conf):\n    x = conf()['lr']\n", READS, None),
        ("def main(conf):\n    pass\n", GateRule("expression", test="flag('d2s')"), ('flag("d2s")', "flag", "")),
        ("def main(c):\n    pass\n", GateRule("expression", test="str(c.d2s)"), ("str(c.d2s)", "c", "")),
        # conditions on the file
        ("def main(cfg):\n    x = cfg['lr']\n", GateRule("mapping", unless="cfg"), None),
        ("def main(cfg):\n    x = cfg['lr']\n", GateRule("mapping", requires="absl"), None),
        ("def main(cfg):\n    x = cfg['lr']\n", GateRule("mapping", requires="lr", unless="absl"),
         ("cfg.get('to_static', False)", "cfg", "to_static: True in the config")),
        ("def main(cfg):\n    x = cfg['lr']\n", GateRule("mapping", requires="HERE", files=("o*.py",)),
         ("cfg.get('to_static', False)", "cfg", "to_static: True in the config")),
        ("def main(cfg):\n    x = cfg['lr']\n", GateRule("mapping", requires="HERE", files=("t*.py", "a*.py")), None),
        ("def main(cfg):\n    x = cfg['lr']\n", GateRule("mapping", unless="HERE", files=("a.py", "other.py")), None),
        # a parameter that the scope has
        ("def main(to_static=False):\n    pass\n", GateRule("parameter"), ("to_static", "to_static", "")),
        ("def main(x):\n    pass\n", GateRule("parameter"), None),
    ],
)  # fmt: skip
def test_forms_of_a_gate(
    tmp_path: Path, source: str, rule: GateRule, expected: tuple[str, str, str] | None
) -> None:
    gate = resolved(tmp_path, {"train.py": source, "other.py": "# HERE\n"}, (rule,))
    assert code_of(gate) == expected
    assert gate is None or gate.ops == ()


def test_the_first_gate_that_fits_is_taken(tmp_path: Path) -> None:
    rules = (GateRule("mapping", unless="cfg"), GateRule("field"), GateRule("mapping"), READS)
    gate = resolved(tmp_path, {"train.py": "def main(cfg):\n    x = cfg.get('lr')\n"}, rules)
    assert code_of(gate) == (
        "cfg.get('to_static', False)",
        "cfg",
        "to_static: True in the config",
    )


METHODS = """\
class Trainer:
    def __init__(self, config):
        self.config = config
        self.lr = self.config["lr"]
        other = config["a"]

    def train(self):
        print(self.config.epochs, config)
"""


def test_what_the_class_keeps_is_read_in_every_method(tmp_path: Path) -> None:
    mapping = resolved(
        tmp_path, {"train.py": METHODS}, (GateRule("mapping"),), scope="Trainer.train"
    )
    assert code_of(mapping) == (
        'self.config.get("to_static", False)',
        "self.config",
        "to_static: True in the config",
    )
    assert code_of(resolved(tmp_path, {}, (READS,), scope="Trainer.train")) == (
        'self.config.get("to_static", False)',
        "self.config",
        "",
    )
    local = GateRule("expression", seen='$C["a"]', test='$C["to_static"]')
    assert resolved(tmp_path, {}, (local,), scope="Trainer.train") is None


FLAGS = """\
import argparse


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float)
    return parser.parse_args()


def main():
    args = parse_args()
    print(args.lr)
"""


def test_a_flag_is_added_where_it_is_missing(tmp_path: Path) -> None:
    gate = resolved(tmp_path, {"train.py": FLAGS}, (GateRule("flag"),))
    assert code_of(gate) == ("args.to_static", "args", "--to_static")
    assert gate is not None
    assert [op.file for op in gate.ops] == ["train.py"]
    more = '    parser.add_argument("--to_static", action="store_true")\n    return'
    again = resolved(tmp_path, {"train.py": FLAGS.replace("    return", more)}, (GateRule("flag"),))
    assert again is not None
    assert again.ops == ()
    assert (
        resolved(tmp_path, {"train.py": "def main(args):\n    args.lr\n"}, (GateRule("flag"),))
        is None
    )


FIELDS = """\
from dataclasses import dataclass


@dataclass
class Arguments:
    lr: float = 0.1


def main(x):
    (args,) = PdArgumentParser((Arguments,)).parse_args_into_dataclasses()
    print(args.lr)
"""
NAMED = GateRule("field", owner="Arguments", seen="$A.lr", test="$A.to_static")


def test_a_field_is_added_where_it_is_missing(tmp_path: Path) -> None:
    traced = resolved(tmp_path, {"train.py": FIELDS}, (GateRule("field"),))
    assert code_of(traced) == ("args.to_static", "args", "--to_static")
    named = resolved(tmp_path, {"train.py": FIELDS}, (NAMED,))
    assert code_of(named) == ("args.to_static", "args", "")
    for gate in (traced, named):
        assert gate is not None
        assert len(gate.ops) == 1
    unread = FIELDS.replace("args.lr", "args")
    assert resolved(tmp_path, {"train.py": unread}, (NAMED,)) is None
    assert resolved(tmp_path, {"train.py": "def main(args):\n    args.lr\n"}, (NAMED,)) is None
    derived = "class Arguments(Arguments):\n    pass\n\n\n" + FIELDS[FIELDS.index("def main") :]
    base = resolved(
        tmp_path,
        {"train.py": derived, "base.py": FIELDS[: FIELDS.index("def main")]},
        (NAMED,),
    )
    assert base is not None
    assert [op.file for op in base.ops] == ["base.py"]


CALLS = """\
from loop import train


def first(cfg):
    x = cfg["lr"]
    train(x, cfg["data"])


def second(cfg):
    train(cfg["lr"], cfg["data"], to_static=cfg["d2s"])


def third(unknown):
    train(unknown, 1)


def fourth(cfg):
    given = {"x": cfg["lr"]}
    train(**given)
"""


def test_a_parameter_is_handed_through_by_the_callers_that_can_tell(tmp_path: Path) -> None:
    rule = GateRule("parameter", callers=(GateRule("mapping"),))
    files = {"main.py": CALLS, "train.py": "def train(x, data=None):\n    pass\n"}
    files["loop.py"] = "from train import train\n"
    files["main.py"] = CALLS.replace("from loop", "from train")
    gate = resolved(tmp_path, files, (rule,), scope="train")
    assert code_of(gate) == ("to_static", "to_static", "to_static: True in the config")
    assert gate is not None
    argument, key, parameter = (op.action for op in gate.ops)
    assert isinstance(argument, AddArgument)
    assert (argument.callee, argument.value) == ("train", 'cfg.get("to_static", False)')
    assert isinstance(key, Insert)
    assert key.code == 'given["to_static"] = cfg.get("to_static", False)'
    assert parameter == AddParameter(parameter.owner, "to_static", "False")
    assert [op.file for op in gate.ops] == ["main.py", "main.py", "train.py"]
    top = resolved(tmp_path, {"train.py": "x = 1\n"}, (rule,), scope="<module>")
    assert top is None


@pytest.mark.parametrize(
    ("call", "handed"),
    [
        ("train(cfg['x'])", True),
        ("train(cfg['x'], True)", False),
        ("train(*cfg['x'])", False),
        ("train(**cfg['x'])", False),
        ("train(cfg['x'], to_static=True)", False),
        ("Trainer(cfg['x'])", True),
        ("Trainer(cfg['x'], True)", False),
    ],
)
def test_a_caller_that_passes_the_switch_is_left_alone(
    tmp_path: Path, call: str, handed: bool
) -> None:
    source = f"""\
class Trainer:
    def __init__(self, x, to_static=False):
        pass


def train(x, to_static=False):
    pass


def main(cfg):
    {call}
"""
    rule = GateRule("parameter", callers=(GateRule("mapping"),))
    scope = "Trainer.__init__" if call.startswith("Trainer") else "train"
    gate = resolved(tmp_path, {"train.py": source}, (rule,), scope=scope)
    assert gate is not None
    assert len(gate.ops) == handed


@pytest.mark.parametrize(
    ("call", "own_line"),
    [
        ("train(\n        cfg['x'],\n        data=1,\n    )", True),
        ("train(cfg['x'], data=1)", False),
        ("train(\n        data=1,\n    )", False),
        ("train(\n        cfg['x'],\n        1,\n    )", False),
        ("train(\n        cfg['x'], data=1,\n    )", False),
        ("train(\n        data=1,\n        more=cfg['x'],\n    )", True),
    ],
)
def test_an_argument_on_a_line_of_its_own_changes_no_line(
    tmp_path: Path, call: str, own_line: bool
) -> None:
    source = f"def train(x=0, y=0, data=0, more=0):\n    pass\n\n\ndef main(cfg):\n    y = cfg['y']\n    {call}\n"
    rule = GateRule("parameter", callers=(GateRule("mapping"),))
    gate = resolved(tmp_path, {"train.py": source}, (rule,), scope="train")
    assert gate is not None
    assert (gate.ops[0].reason is None) is own_line


def test_the_root_is_bound_by_its_first_assignment(tmp_path: Path) -> None:
    source = "def main(cfg):\n    print(1)\n    args = 1\n    args = 2\n"
    (tmp_path / "train.py").write_text(source)
    module = Project(Tree(tmp_path)).module("train.py")
    assert module is not None
    scope = module.scope("main")
    assert scope is not None
    assert Gate("cfg.a", "cfg", "").bound(scope) == ()
    assert [s.node.lineno for s in Gate("args.a", "args", "").bound(scope)] == [3]
    assert Gate("other.a", "other", "").bound(scope) == ()


ENGINE = """\
def train(args):
    print(args.lr)
"""
SCRIPT = """\
import argparse
from train import train

parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float)
train(parser.parse_args())
"""
LEFT = 'getattr(args, "to_static", False)'


@pytest.mark.parametrize(
    ("second", "test", "declared"),
    [
        (SCRIPT, "args.to_static", ["a.py", "b.py"]),
        ("from train import train\ntrain(make())\n", LEFT, ["a.py"]),
        ("from train import train\ntrain(*given)\n", LEFT, ["a.py"]),
        ("from train import train\ntrain(**given)\n", LEFT, ["a.py"]),
        ("from train import train\ntrain({'lr': 1})\n", LEFT, ["a.py"]),
        # A parser whose arguments all come from elsewhere: there is no place for the flag.
        (
            (
                "from train import train\n\ndef made():\n    parser = build()\n    return parser\n\n"
                "train(made().parse_args())\n"
            ),
            LEFT,
            ["a.py"],
        ),
        ("from train import train\n", "args.to_static", ["a.py"]),
    ],
)
def test_every_caller_has_the_flag_or_is_not_asked_for_it(
    tmp_path: Path, second: str, test: str, declared: list[str]
) -> None:
    files = {"train.py": ENGINE, "a.py": SCRIPT, "b.py": second}
    gate = resolved(tmp_path, files, (GateRule("flag"),), scope="train")
    assert code_of(gate) == (test, "args", "--to_static")
    assert gate is not None
    assert sorted(op.file for op in gate.ops) == declared


def test_a_call_in_the_own_file_hides_no_caller_in_another(tmp_path: Path) -> None:
    own = ENGINE + SCRIPT.replace("from train import train\n", "")
    gate = resolved(tmp_path, {"train.py": own, "b.py": SCRIPT}, (GateRule("flag"),), "train")
    assert gate is not None
    assert gate.test == "args.to_static"
    assert sorted(op.file for op in gate.ops) == ["b.py", "train.py"]


def test_a_function_that_calls_itself_is_no_caller_of_its_own(tmp_path: Path) -> None:
    again = ENGINE + "    train(args)\n"
    files = {"train.py": again, "a.py": SCRIPT}
    gate = resolved(tmp_path, files, (GateRule("flag"),), "train")
    assert code_of(gate) == ("args.to_static", "args", "--to_static")


def test_every_dataclass_has_the_field_or_is_not_asked_for_it(tmp_path: Path) -> None:
    main = FIELDS.index("def main")
    script = "from train import train\n" + FIELDS.replace("print(args.lr)", "train(args)")
    files = {"train.py": ENGINE, "a.py": script, "b.py": script}
    gate = resolved(tmp_path, files, (GateRule("field"),), "train")
    assert code_of(gate) == ("args.to_static", "args", "--to_static")
    assert gate is not None
    assert sorted(op.file for op in gate.ops) == ["a.py", "b.py"]
    files["b.py"] = script[: len(script) - len(FIELDS[main:])] + "\ntrain(make())\n"
    mixed = resolved(tmp_path, files, (GateRule("field"),), "train")
    assert code_of(mixed) == (LEFT, "args", "--to_static")


def test_what_one_caller_gives_as_a_mapping_is_not_asked_for_a_key(tmp_path: Path) -> None:
    mapping = "from train import train\ntrain(AttrDict(lr=1))\n"
    files = {"train.py": ENGINE, "a.py": SCRIPT, "b.py": mapping.replace("AttrDict", "Box")}
    assert resolved(tmp_path, files, (GateRule("mapping"),), "train") is None
    files["a.py"] = mapping
    gate = resolved(tmp_path, files, (GateRule("mapping"),), "train")
    assert gate is not None
    assert gate.test == 'args.get("to_static", False)'
