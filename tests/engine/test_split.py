"""Splitting `forward`: what may become a method, what stays and why, and that nothing changes."""

from __future__ import annotations

import ast
import textwrap
from typing import TYPE_CHECKING, Any

import pytest

from codemod.base.changeset import EditKind
from codemod.base.reason import Reason, Refusal
from codemod.code.project import Project
from codemod.code.tree import Tree
from codemod.engine.rewrite.file import rewrite
from codemod.engine.rewrite.ops import CannotRewriteError, Extract, Op
from codemod.engine.split.forward import StaticPart, find_part
from codemod.engine.split.heldback import Finder
from codemod.engine.split.splits import split_ops
from codemod.kits.rule import Split

if TYPE_CHECKING:
    from pathlib import Path

INIT = """
import paddle
from paddle.nn import Embedding, Layer, Linear

class Net(Layer):
    def __init__(self, sparse):
        super().__init__()
        self.table = Embedding(8, 4, sparse=sparse)
        self.fc = Linear(4, 4)
        self.out = Linear(4, 1)
        self.steps = [self.fc, self.out]
"""
STAYS = ("Embedding(..., sparse=$_)",)
UNLESS = ("Embedding(..., sparse=False)",)


@pytest.fixture
def split(tmp_path: Path) -> Any:
    """`forward`, and what else a file holds, to the part that is found and the new source."""

    def split_(forward: str, more: str = "", init: str = INIT) -> tuple[Any, str]:
        methods = textwrap.indent(textwrap.dedent(forward).strip("\n"), "    ")
        text = f"{init}\n{methods}\n{textwrap.dedent(more)}".lstrip("\n")
        (tmp_path / "net.py").write_text(text)
        project = Project(Tree(tmp_path))
        module = project.module("net.py")
        assert module is not None
        owner = module.classes["Net"]
        part = find_part(Finder(project, STAYS, UNLESS), module, owner, "forward_dense")
        if isinstance(part, Refusal):
            return str(part.reason), text
        scope = module.scope("Net.forward")
        assert scope is not None
        action = Extract(
            scope.path, part.start, part.stop, "forward_dense", part.arguments, part.results, ""
        )
        new = rewrite(
            text.encode(), [Op("net.py", EditKind.HELPER, action, Reason.said("why"))]
        ).new
        return part, new.decode()

    return split_


def methods(source: str) -> str:
    """The class from `forward` on."""
    return textwrap.dedent(source[source.index("    def forward(") :]).rstrip()


def test_what_comes_behind_the_last_look_up_becomes_a_method(split: Any) -> None:
    _, new = split(
        """
        def forward(self, ids, dense):
            embs = []
            for one in ids:
                embs.append(self.table(one))

            # The dense part.
            y = paddle.concat(embs + [dense], axis=1)
            for layer in self.steps:
                y = layer(y)

            return y
        """
    )
    assert methods(new) == textwrap.dedent(
        """\
        def forward(self, ids, dense):
            embs = []
            for one in ids:
                embs.append(self.table(one))
            return self.forward_dense(embs, dense)

        def forward_dense(self, embs, dense):
            # The dense part.
            y = paddle.concat(embs + [dense], axis=1)
            for layer in self.steps:
                y = layer(y)

            return y"""
    )


def test_a_last_statement_that_the_part_does_not_need_stays_in_forward(split: Any) -> None:
    part, new = split(
        """
        def forward(self, ids):
            x = self.table(ids)
            y = self.fc(self.fc(x))
            z = self.out(y)
            found = []
            found = [self.table(z)]
            return found
        """
    )
    assert part.results == ("z",)
    assert methods(new) == textwrap.dedent(
        """\
        def forward(self, ids):
            x = self.table(ids)
            z = self.forward_dense(x)
            found = []
            found = [self.table(z)]
            return found

        def forward_dense(self, x):
            y = self.fc(self.fc(x))
            z = self.out(y)
            return z"""
    )


def test_what_must_follow_stays_in_forward(split: Any) -> None:
    part, new = split(
        """
        def forward(self, ids):
            x = self.table(ids)
            y = self.fc(self.fc(x))
            z = self.out(y)
            last = self.table(ids + 1)
            return z + last
        """
    )
    assert (part.arguments, part.results) == (("x",), ("z",))
    assert methods(new) == textwrap.dedent(
        """\
        def forward(self, ids):
            x = self.table(ids)
            z = self.forward_dense(x)
            last = self.table(ids + 1)
            return z + last

        def forward_dense(self, x):
            y = self.fc(self.fc(x))
            z = self.out(y)
            return z"""
    )


BEHIND = """
    y = self.fc(x)
    y = self.fc(y)
    return self.out(y)
"""


def with_head(head: str) -> str:
    """A `forward` with a first part of its own and the same second part."""
    return "def forward(self, ids, flag=False):\n" + textwrap.indent(head, "    ") + BEHIND


@pytest.mark.parametrize(
    ("head", "words"),
    [
        ("x = self.table(ids)\nkeep = lambda: y\n", "no part"),
        ("x = self.table(ids)\nprint(locals())\n", "looks at its own names by locals"),
        ("global seen\nx = self.table(ids)\n", "has a global"),
        ("x = yield self.table(ids)\n", "has a yield"),
        ("self = ids\nx = self.table(ids)\n", "binds self again"),
    ],
)
def test_where_the_first_part_is_in_the_way(split: Any, head: str, words: str) -> None:
    found, _ = split(with_head(head))
    assert isinstance(found, str)
    assert words in found


@pytest.mark.parametrize(
    "statement",
    [
        "y = self.table(ids) + self.fc(self.fc(y))",
        "for one in ids:\n    y = self.fc(self.fc(y)) + self.table(one)",
        "self.kept = self.fc(self.fc(y))",
        "y = self.fc(self.fc(y)) + self.step",
        "y = super().forward(self.fc(self.fc(y)))",
        "with paddle.no_grad():\n    y = self.fc(self.fc(y))",
        "try:\n    y = self.fc(self.fc(y))\nfinally:\n    pass",
        "y = self.fc(self.fc(y)) * y.numpy()",
        "y = self.fc(self.fc(helper(self, y)))",
        "y = self.look(self.fc(self.fc(y)))",
        "y = self.fc(self.fc(getattr(y, 'x'))) + self.__secret",
        "y = self.fc(self.fc(y)) + self.unknown(y)",
        "table = self.table\ny = table(ids) + self.fc(self.fc(y))",
        "for tab in [self.table]:\n    pass\ny = self.fc(self.fc(y)) + tab(ids)",
        "y = (lambda z: self.fc(self.fc(z)))(y)",
    ],
)
def test_a_statement_that_cannot_be_static_stays(split: Any, statement: str) -> None:
    forward = (
        "def forward(self, ids):\n    y = self.table(ids)\n"
        f"{textwrap.indent(statement, '    ')}\n    return y\n\n"
        "def look(self, y):\n    self.step = y\n    return self.table(y)\n"
    )
    found, new = split(forward)
    assert isinstance(found, str)
    assert "is worth a program of its own: line" in found
    assert "forward_dense" not in new


@pytest.mark.parametrize(
    ("forward", "words"),
    [
        ("@decorated\ndef forward(self, ids):\n    x = self.table(ids)" + BEHIND, "decorated"),
        (
            "def forward(self, ids):\n    return paddle.static.nn.sparse_embedding(ids)",
            "builds a static graph already",
        ),
        ("def forward(this, ids):\n    return this.table(ids)", "not called self"),
        (
            "def forward_dense(self):\n    pass\n\ndef forward(self, ids):\n    x = self.table(ids)"
            + BEHIND,
            "has a forward_dense already",
        ),
    ],
)
def test_a_forward_that_is_not_a_plain_method_is_left(split: Any, forward: str, words: str) -> None:
    found, _ = split(forward)
    assert words in found


def test_a_class_that_others_inherit_from_is_left(split: Any) -> None:
    heir = "\n\nclass Heir(Net):\n    pass\n"
    found, _ = split(with_head("x = self.table(ids)"), heir)
    assert found == "Heir inherits from it"


def test_a_class_that_inherits_from_another_of_the_kit_is_left(split: Any) -> None:
    init = INIT.replace("class Net(Layer)", "class Base(Layer):\n    pass\n\nclass Net(Base)")
    found, _ = split(with_head("x = self.table(ids)"), init=init)
    assert found == "it inherits from Base"


@pytest.mark.parametrize("base", ["paddle.Model", "made(Layer)", "Typed[Layer]"])
def test_a_class_that_is_no_layer_by_name_is_left(split: Any, base: str) -> None:
    init = INIT.replace("class Net(Layer)", f"class Net({base})")
    found, _ = split(with_head("x = self.table(ids)"), init=init)
    assert found == f"it inherits from {base}"


@pytest.mark.parametrize("seen", ["y", "self.table(y)"])
def test_methods_that_call_each_other_are_looked_through_to_their_end(
    split: Any, seen: str
) -> None:
    forward = f"""
    def forward(self, ids):
        x = self.table(ids)
        y = self.fc(self.fc(self.one(x, 3)))
        return self.fc(self.fc(y))

    def one(self, y, left):
        return self.two(y, left - 1) if left else y

    def two(self, y, left):
        return self.one({seen}, left)
    """
    found, _ = split(forward)
    assert found.start == (1 if seen == "y" else 2)


@pytest.mark.parametrize(
    "made",
    [
        "self.held = Holder()",
        "self.held = [Holder() for _ in range(2)]",
        "holder = Holder()\n        self.held = holder",
        "self.add_sublayer('held', Holder())",
        "self.held = []\n        self.held.append(Holder())",
        "self.held = build()",
        "self.held = Unknown()",
        "self.held = elsewhere.Unknown()",
    ],
)
def test_what_leads_to_a_table_stays(split: Any, made: str) -> None:
    init = INIT.replace("        self.fc =", f"        {made}\n        self.fc =").replace(
        "import paddle\n", "import paddle\nimport elsewhere\n"
    )
    more = """

class Holder(Layer):
    def __init__(self):
        super().__init__()
        self.inner = Embedding(8, 4, sparse=True)

    def forward(self, ids):
        return self.inner(ids)

def build():
    return Embedding(8, 4, sparse=True)
"""
    forward = "def forward(self, ids):\n    x = self.table(ids)\n    return self.fc(self.fc(self.held(x)))"
    found, _ = split(forward, more, init)
    assert "looks up in held" in found


def test_dense_tables_hold_nothing_back(split: Any) -> None:
    found, _ = split(
        with_head("x = self.table(ids)"), init=INIT.replace("sparse=sparse", "sparse=False")
    )
    assert found == "nothing that its forward uses must stay dynamic"


@pytest.mark.parametrize(
    ("last", "results"),
    [
        # An input that is given back as it came has no gradient in a program of Paddle 2.6.
        ("return y, x", ("y",)),
        ("out = [y]\nout.append(x)\nreturn out", ("out",)),
        ("same = x\nreturn y, same", ("y",)),
        # Nor has an output that the last operation reads.
        ("return y, paddle.exp(y)", ("y",)),
        ("z = paddle.exp(y)\nreturn y, z", ("y",)),
    ],
)
def test_outputs_whose_gradients_would_be_lost_are_made_in_forward(
    split: Any, last: str, results: tuple[str, ...]
) -> None:
    forward = (
        "def forward(self, ids):\n    x = self.table(ids)\n"
        "    y = self.out(self.fc(self.fc(x)))\n" + textwrap.indent(last, "    ")
    )
    part, new = split(forward)
    assert part.results == results
    kept = methods(new)[: methods(new).index("def forward_dense")]
    assert last.splitlines()[-1] in kept


def test_a_list_that_came_as_an_input_is_not_changed_in_the_method(split: Any) -> None:
    found, _ = split(
        """
        def forward(self, ids):
            parts = [self.table(ids)]
            parts.append(self.fc(self.fc(parts[0])))
            return parts
        """
    )
    assert "is worth a program of its own" in found


@pytest.mark.parametrize(
    "head",
    [
        "if flag:\n    x = self.table(ids)\n",
        "for one in ids:\n    x = self.table(one)\n",
        "x = self.table(ids)\nif flag:\n    del x\n",
    ],
)
def test_a_name_that_may_be_unbound_is_not_handed_over(split: Any, head: str) -> None:
    part, new = split(with_head(head))
    assert part.arguments == ("y",)
    assert "y = self.fc(x)" in methods(new).split("def forward_dense")[0]


def test_the_result_does_what_the_class_did(split: Any, tmp_path: Path) -> None:
    """Both sources run, on layers that note every call: same calls, same order, same value."""
    _, new = split(
        """
        def forward(self, ids, flag=True):
            parts = []
            for i, one in enumerate(ids):
                parts.append(self.table(one))
            total = sum(parts)
            scale = 2 if flag else 3
            for layer in self.steps:
                total = layer(total) * scale
            if flag:
                total = total + 1
            return total, self.table(i)
        """
    )
    old = (tmp_path / "net.py").read_text()
    assert "forward_dense" in new
    assert "forward_dense" not in old
    assert [run(old, flag) for flag in (True, False)] == [run(new, flag) for flag in (True, False)]


def run(source: str, flag: bool) -> tuple[Any, list[Any]]:
    """The value and the calls of one forward."""
    calls: list[Any] = []

    class Layer:
        pass

    def made(name: str) -> Any:
        def make(*sizes: int, sparse: bool = False) -> Any:
            def call(x: int) -> int:
                calls.append((name, sizes, x))
                return x * 2 + len(sizes)

            return call

        return make

    names: dict[str, Any] = {"Layer": Layer, "Embedding": made("E"), "Linear": made("L")}
    body: list[ast.stmt] = [n for n in ast.parse(source).body if isinstance(n, ast.ClassDef)]
    exec(compile(ast.Module(body, []), "net.py", "exec"), names)
    return names["Net"](True).forward([1, 2, 3], flag), calls


@pytest.mark.parametrize(
    ("computed", "after", "worth"),
    [
        ("x + x + x + x + x", "", False),
        ("x + x + x + x + x + x", "", True),
        ("self.fc(x)", "", False),
        ("self.fc(self.fc(x))", "", True),
        # Each statement but one that must move past the part is a line of the kit's that changes.
        ("self.fc(self.fc(x))", "y.numpy()\n", True),
        ("self.fc(self.fc(x))", "y.numpy()\n" * 2, False),
    ],
)
def test_a_part_is_worth_a_method(split: Any, computed: str, after: str, worth: bool) -> None:
    lines = ["x = self.table(ids)", f"y = {computed}", *after.splitlines(), "return y"]
    part, _ = split("def forward(self, ids):\n" + textwrap.indent("\n".join(lines), "    "))
    assert isinstance(part, StaticPart) == worth


@pytest.mark.parametrize(
    "source",
    [
        "class A:\n    def f(self): return 1\n",
        "class A:\n    def f(self):\n        a = 1; b = 2\n        return a\n",
        "class A:\n    f = 1\n",
    ],
)
def test_what_has_no_lines_of_its_own_is_refused(source: str) -> None:
    action = Extract((("body", 0), ("body", 0)), 0, 1, "part", (), (), "")
    with pytest.raises(CannotRewriteError):
        rewrite(source.encode(), [Op("f.py", EditKind.HELPER, action, Reason.said("why"))])


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("indent", ["\t", "  ", "    "])
def test_the_method_is_written_in_the_file_s_manner(end: str, indent: str) -> None:
    lines = [
        "class A:",
        " def f(self, x):",
        "  y = x",
        "  z = y",
        "  # kept",
        "  return z",
        "a = 1",
    ]
    source = end.join(_indented(line, indent) for line in lines) + end
    action = Extract((("body", 0), ("body", 0)), 1, 3, "part", ("y",), (), "Why it is here.")
    new = rewrite(
        source.encode(), [Op("f.py", EditKind.HELPER, action, Reason.said("why"))]
    ).new.decode()
    wanted = [
        *lines[:3],
        "  return self.part(y)",
        "",
        " # Why it is here.",
        " def part(self, y):",
        *lines[3:],
    ]
    assert new == end.join(_indented(line, indent) for line in wanted) + end


def _indented(line: str, indent: str) -> str:
    bare = line.lstrip(" ")
    return indent * (len(line) - len(bare)) + bare


def test_long_lists_of_names_are_broken_into_lines() -> None:
    names = tuple(f"embedding_of_field_{i}" for i in range(6))
    params = ", ".join(names)
    source = f"class A:\n    def f(self, {params}):\n        y = 0\n        return y\n"
    action = Extract((("body", 0), ("body", 0)), 1, 2, "part", names, (), "")
    new = rewrite(
        source.encode(), [Op("f.py", EditKind.HELPER, action, Reason.said("why"))]
    ).new.decode()
    assert all(len(line) < 80 for line in new.splitlines()[2:])
    ast.parse(new)


PARTED = """
def forward(self, ids):
    return self.forward_dense(self.table(ids))

def forward_dense(self, x):
    return self.out(self.fc(x))
"""
REFUSED = """
def forward(self, ids):
    return self.table(ids)
"""


def net(name: str, body: str) -> str:
    return INIT.replace("class Net", f"class {name}") + textwrap.indent(body, "    ")


@pytest.mark.parametrize(
    ("classes", "told"),
    [
        ([("Plain", REFUSED)], 1),
        # A file in which one class was split before is said to be so, whatever else it holds.
        ([("Parted", PARTED), ("Plain", REFUSED)], 0),
    ],
)
def test_a_class_is_told_of_where_no_other_in_its_file_is_split(
    tmp_path: Path, classes: list[tuple[str, str]], told: int
) -> None:
    for folder in ("nets", "others", "left"):
        (tmp_path / folder).mkdir()
        text = "\n".join(net(*one) for one in classes)
        (tmp_path / folder / "net.py").write_text(text)
    rule = Split(("nets/*", "others/*"), STAYS, "forward_dense", "why", UNLESS)
    ops, skipped = split_ops(Project(Tree(tmp_path)), (rule,))
    assert ops == ()
    # Either of the globs is enough.
    assert [skip.file for skip in skipped] == ["nets/net.py", "others/net.py"] * told
