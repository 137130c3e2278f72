"""Which classes a config names: by its keys, by folders, by defaults, and by places in files."""

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING, Any

import pytest

from codemod.code.tree import Tree
from codemod.hazards.reach.builds import Builder
from codemod.hazards.reach.index import Index
from codemod.hazards.reach.roots import RootFinder
from codemod.kits.config_rule import ConfigRule, NamedNets

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from codemod.hazards.reach.roots import Roots

    Finder = Callable[..., Roots]

NET = "class {}(nn.Layer):\n    def forward(self, x):\n        return x\n"
FOUND = dedent(
    """
    class Whole(nn.Layer):
        def __init__(self, backbone, head="Head", missing="nowhere"):
            super().__init__()

    class Head(nn.Layer):
        def __init__(self, loss="Loss", size=3):
            super().__init__()

    class Loss:
        def __init__(self, reduce="mean", again="Head"):
            self.reduce = reduce

        def __call__(self, x):
            return x

    class Other:
        pass

    class Backbone(nn.Layer):
        pass

    class Wide(Backbone):
        pass

    def narrow(**kwargs):
        return Backbone(**kwargs)

    def number():
        return 3
    """
)


@pytest.fixture
def finder(tmp_path: Path) -> Finder:
    """The roots of one config in a kit of these files; `FOUND` where none are given."""

    def roots(
        config: dict[str, Any],
        files: dict[str, str] | None = None,
        path: str = "configs/a.yml",
        **rule: Any,
    ) -> Roots:
        for name, text in (files or {"kit/parts.py": FOUND}).items():
            file = tmp_path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("import paddle.nn as nn\n" + text, encoding="utf-8")
        index = Index(Tree(tmp_path))
        keys = {"routes": (), "model": ("model",)} | rule
        return RootFinder(index, Builder(index), ConfigRule(**keys)).roots(path, config)

    return roots


def nets(found: Roots) -> list[str]:
    return [net.name for net in found.nets]


def components(found: Roots) -> list[tuple[str, str]]:
    return [(one.key, one.owner.name) for one in found.components]


def files_of(found: Roots) -> list[str]:
    return [net.module.path for net in found.nets]


def test_the_net_is_what_stands_at_the_top(finder: Finder) -> None:
    model = {"name": "Whole", "backbone": {"name": "Wide", "depth": 50}, "head": {"name": "Head"}}
    found = finder({"model": model, "other": {"name": "Backbone"}})
    assert found.config == "configs/a.yml"
    assert nets(found) == ["Whole"]
    assert components(found) == [
        ("model", "Whole"),
        ("backbone", "Wide"),
        ("head", "Head"),
        ("loss", "Loss"),
        ("again", "Head"),
    ]


def test_nets_side_by_side_are_all_trained(finder: Finder) -> None:
    found = finder({"model": {"student": "Wide", "teacher": ["Backbone", "Wide"]}})
    assert nets(found) == ["Wide", "Backbone"]
    assert components(found) == [("student", "Wide"), ("teacher", "Backbone"), ("teacher", "Wide")]


def test_a_class_may_be_the_key_of_its_block(finder: Finder) -> None:
    found = finder({"model": {"Wide": {"depth": 50}, "Backbone": None}})
    assert components(found) == [("Wide", "Wide"), ("Backbone", "Backbone")]
    found = finder({"model": {"neck": {"type": "Wide"}, "head": {"framework": "Head"}}})
    assert components(found)[:2] == [("neck", "Wide"), ("head", "Head")]
    # A block that says its name is not named by its key.
    found = finder({"model": {"Backbone": {"name": "Wide"}}})
    assert components(found) == [("Backbone", "Wide")]
    assert components(finder({"model": {"Backbone": 3, "Wide": "off"}})) == []


def test_a_named_class_has_its_arguments_at_the_top_of_the_config(finder: Finder) -> None:
    config = {
        "architecture": "Whole",
        "Whole": {"backbone": "Wide", "itself": "Whole"},
        "Backbone": {"loss": "Loss"},
    }
    found = finder(config, model=("architecture",))
    assert nets(found) == ["Whole"]
    assert ("backbone", "Wide") in components(found)
    assert "Backbone" not in [name for _, name in components(found)]


def test_a_default_names_a_class_where_the_config_sets_nothing_else(finder: Finder) -> None:
    # The default of a default too; `Head` and `Loss` name each other.
    found = finder({"model": {"name": "Whole"}})
    assert components(found) == [
        ("model", "Whole"),
        ("head", "Head"),
        ("loss", "Loss"),
        ("again", "Head"),
    ]
    found = finder({"model": {"name": "Whole", "HEAD": "Wide"}})
    assert components(found) == [("model", "Whole"), ("HEAD", "Wide")]


def test_factories_and_what_can_be_called_are_named(finder: Finder) -> None:
    model = {"a": "narrow", "b": "number", "c": "Other", "d": "Loss", "e": "nn.Wide"}
    model |= {"f": "kit.Wide", "g": "not a name", "h": "paddle.nn.Backbone"}
    found = finder({"model": model})
    assert components(found)[:3] == [("a", "Backbone"), ("d", "Loss"), ("f", "Wide")]
    assert {key for key, _ in components(found)} <= {"a", "d", "f", "again", "loss"}


def test_what_is_aside_of_the_net_is_left_out(finder: Finder) -> None:
    model = {"name": "Whole", "teacher": {"name": "Wide"}, "head": {"teacher": {"name": "Wide"}}}
    found = finder({"model": model}, aside=("model.teacher",))
    assert ("teacher", "Wide") in components(found)
    found = finder({"model": model}, aside=("model.teacher", "*.teacher"))
    assert ("teacher", "Wide") not in components(found)
    # So is what it is by default.
    found = finder({"model": {"name": "Whole"}}, aside=("*.loss",))
    assert components(found) == [("model", "Whole"), ("head", "Head")]


def test_several_keys_hold_nets_each_deep_in_the_config(finder: Finder) -> None:
    config = {"train": {"net": "Wide"}, "second": "Backbone", "rest": "Head"}
    found = finder(config, model=("train.net", "second", "train.none.deep"))
    assert nets(found) == ["Wide", "Backbone"]
    assert nets(finder(config, model=("rest",), nets=("second",))) == ["Backbone"]
    assert nets(finder({}, model=("train.net",))) == []


@pytest.mark.parametrize(
    ("place", "wanted"),
    [
        ("{folder}/parts.py:*", ["Whole", "Head", "Backbone", "Wide"]),
        ("{folder}/parts.py:W*", ["Whole", "Wide"]),
        ("kit/{parent}/parts.py:Wide", ["Wide"]),
        ("kit/*/parts.py:Loss", []),
        ("other/parts.py:*", []),
        ("{folder}/parts.py:Maker.make", ["Backbone", "Wide"]),
        ("{folder}/parts.py:Maker.none", []),
        ("{folder}/parts.py:narrow.make", []),
    ],
)
def test_a_net_that_no_key_names_has_a_place(finder: Finder, place: str, wanted: list[str]) -> None:
    maker = """
class Maker:
    def make(self, wide):
        return Wide() if wide else Backbone()
"""
    files = {"kit/first/parts.py": FOUND + maker, "kit/second/net.py": FOUND}
    found = finder({"model": "Head"}, files, "kit/first/config.yaml", nets=(place, "model"))
    assert nets(found) == (wanted or ["Head"])
    assert set(files_of(found)) <= {"kit/first/parts.py"} or not wanted


def test_a_net_may_lie_where_the_name_of_the_model_says(finder: Finder) -> None:
    # As in PaddleNLP: a folder of configs is named like older code than that of its weights.
    files = {"kit/old/net.py": FOUND, "kit/new/net.py": FOUND, "kit/newest/net.py": FOUND}
    named = (
        NamedNets(("maker/Name3-*",), ("kit/newest/net.py:Wide",)),
        NamedNets(("maker/Name2-*", "maker/Name3*"), ("kit/new/net.py:Wide",)),
    )

    def placed(**config: str) -> list[str]:
        rule = {"nets": ("kit/{parent}/net.py:Wide",), "named": named}
        return files_of(finder(config, files, "kit/old/config.json", **rule))

    assert placed(model="maker/Name2-7B") == ["kit/new/net.py"]
    assert placed(model="maker/Name3-7B") == ["kit/newest/net.py"]
    assert placed(model="maker/Name3.5") == ["kit/new/net.py"]
    assert placed(model="maker/Name-7B") == placed() == ["kit/old/net.py"]


def test_words_are_the_keys_and_texts_that_are_set_to_something(finder: Finder) -> None:
    found = finder({"use": True, "off": False, "none": None, "list": [{"inner": 1}], "zero": "x"})
    assert found.words >= {"use", "list", "inner", "zero"}
    assert not found.words & {"off", "none"}


@pytest.mark.parametrize(
    ("files", "path", "model", "meant"),
    [
        # The words of the key and of the config's folders, in any case, with or without an `s`.
        (["kit/Heads/a.py", "kit/necks/a.py"], "c/a.yml", {"head": "Net"}, "kit/Heads/a.py"),
        (["kit/Heads/a.py", "kit/necks/a.py"], "c/a.yml", {"necks": "Net"}, "kit/necks/a.py"),
        (["kit/rec/a.py", "kit/det/a.py"], "configs/det/a.yml", "Net", "kit/det/a.py"),
        (["kit/rec/a.py", "kit/det/a.py"], "configs/rec/a.yml", "Net", "kit/rec/a.py"),
        # The task that the block at the top says.
        (
            ["kit/table/a.py", "kit/words/a.py"],
            "c/a.yml",
            {"model_type": "table", "net": "Net"},
            "kit/table/a.py",
        ),
        # A file that begins with the word, before one that only has it.
        (["kit/a_det_a.py", "kit/det_a.py"], "configs/det/a.yml", "Net", "kit/det_a.py"),
        # Other programs' folders come last, unless the config is theirs.
        (["deploy/det/a.py", "kit/a.py"], "configs/det/a.yml", "Net", "kit/a.py"),
        (["kit/deploy/det/a.py", "kit/a.py"], "configs/det/a.yml", "Net", "kit/a.py"),
        (["deploy/a.py", "kit/a.py"], "deploy/a.yml", "Net", "deploy/a.py"),
        (["ours/net/a.py", "kit/a.py"], "configs/a.yml", {"net": "Net"}, "kit/a.py"),
    ],
)
def test_of_several_files_the_one_that_fits_is_meant(
    finder: Finder, files: list[str], path: str, model: Any, meant: str
) -> None:
    texts = dict.fromkeys(files, NET.format("Net"))
    found = finder({"model": model}, texts, path, apart=("ours",))
    assert files_of(found) == [meant]


def test_files_that_fit_equally_are_all_meant(finder: Finder) -> None:
    texts = dict.fromkeys(("kit/one/a.py", "kit/two/a.py"), NET.format("Net"))
    assert files_of(finder({"model": "Net"}, texts)) == [*texts]
    # Of the block's texts only that of a type says where the net stands.
    assert files_of(finder({"model": {"note": "two", "net": "Net"}}, texts)) == [*texts]


def test_a_class_that_is_registered_is_meant_before_one_that_is_not(finder: Finder) -> None:
    plain = NET.format("Net")
    texts = {"kit/head/a.py": plain, "kit/other/a.py": "@register\n" + plain}
    assert files_of(finder({"model": {"head": "Net"}}, texts)) == ["kit/other/a.py"]
