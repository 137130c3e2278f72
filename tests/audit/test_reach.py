"""Which configs reach a hook: inheritance, conditions, needs that the code decides."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from codemod.audit.faults import unreadable
from codemod.audit.reach import survey
from codemod.base.changeset import ChangeSet, FileChange, Hook, Source, Status
from codemod.base.reason import Reason
from codemod.code.tree import Tree
from codemod.kits.catalogue import find_kit
from codemod.kits.config_rule import ConfigRule, Configs, Need, Route, lookup

if TYPE_CHECKING:
    from pathlib import Path

HOOK = Hook("train", Status.PRESENT, "tools/train.py", "main", 3, "model", "g", Reason.said("r"))
ROUTE = Route(hooks=("tools/train.py:main",))


def kit_in(root: Path, files: dict[str, str]) -> Source:
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return Source("PaddleSeg", root, None)


def blocked(
    source: Source, rule: ConfigRule, hooks: tuple[Hook, ...], changes: tuple[FileChange, ...] = ()
) -> dict[str, tuple[str | None, str | None]]:
    made = ChangeSet(source, hooks, (), changes)
    rows = survey(find_kit("PaddleSeg"), rule, Tree(source.root), made)
    return {
        row.config: (str(row.before or "") or None, str(row.after or "") or None) for row in rows
    }


def test_base_files_tags_and_unreadable_ones(tmp_path: Path) -> None:
    source = kit_in(
        tmp_path,
        {
            "configs/a.yml": "_base_: ./b/base.yml\nmodel: {head: !Head {n: 3}}\n",
            "configs/b/base.yml": "_base_: [two.yml]\nmodel: {type: Net, head: {m: 1}}\n",
            "configs/b/two.yml": "train: yes\n",
            "configs/own.yml": "_base_: b/base.yml\nmodel: {_inherited_: False, type: Own}\n",
            "configs/lost.yml": "_base_: nowhere.yml\nmodel: {}\n",
            "configs/text.yml": "PLACEHOLDER\n",
            "configs/bad.yml": "a: [\n",
        },
    )
    configs = Configs(Tree(source.root), ("_base_",))
    merged = configs.load("configs/a.yml")
    assert lookup(merged, "model.type") == "Net"
    assert lookup(merged, "model.head.n") == 3
    assert lookup(merged, "model.head.m") == 1
    assert lookup(merged, "train") is True
    assert lookup(configs.load("configs/own.yml"), "model.head") is None
    assert configs.load("configs/lost.yml") is None
    assert "nowhere.yml" in configs.faults["configs/lost.yml"].text()
    assert configs.load("configs/text.yml") is None
    assert configs.load("configs/bad.yml") is None
    assert len(configs.faults["configs/bad.yml"].text().splitlines()) == 1
    told = {one.file: one.message for one in unreadable(configs, sorted(configs.faults))}
    assert told["configs/lost.yml"] == (
        "It cannot be read: its base configs/nowhere.yml cannot be read (it is missing)."
    )
    assert told["configs/text.yml"] == "It cannot be read: it holds no mapping."
    assert not list(unreadable(configs, ["configs/own.yml"]))


def test_a_base_that_comes_back_to_itself_is_told(tmp_path: Path) -> None:
    source = kit_in(
        tmp_path, {"configs/a.yml": "_base_: b.yml\n", "configs/b.yml": "_base_: a.yml\n"}
    )
    configs = Configs(Tree(source.root), ("_base_",))
    assert configs.load("configs/a.yml") is None
    assert configs.faults["configs/a.yml"].text() == (
        "its base configs/b.yml cannot be read (its base configs/a.yml cannot be read "
        "(it comes back to itself))"
    )


def test_before_and_after(tmp_path: Path) -> None:
    source = kit_in(tmp_path, {"configs/a.yml": "model: {type: A}\n"})
    rule = ConfigRule(routes=(ROUTE,), trains=("model",))
    inserted = replace(HOOK, status=Status.INSERTED)
    assert blocked(source, rule, (HOOK,)) == {"configs/a.yml": (None, None)}
    before, after = blocked(source, rule, (inserted,))["configs/a.yml"]
    assert before is not None
    assert "tools/train.py:main" in before
    assert after is None


LISTED = Need(key=("model.type",), listed="KNOWN", files=("nets.py",), why="unlisted")


@pytest.mark.parametrize(
    ("need", "reaching"),
    [
        (Need(key=("size",), why="no size"), {"a"}),
        (Need(key=("model.type",), one_of=("A",), why="not A"), {"a"}),
        (Need(key=("model.type",), one_of=("A",), absent=True, why="is A"), {"b"}),
        (LISTED, {"b"}),
        (replace(LISTED, one_of=("A",)), set()),
        (replace(LISTED, one_of=("B",), absent=True), {"a"}),
        (replace(LISTED, one_of=("A",), absent=True), {"a", "b"}),
        (Need(key=("model.type",), accepts="to_static", files=("nets.py",), why="no arg"), {"a"}),
        (Need(key=("size",), when=("model.type=A",), why="A needs a size"), {"a", "b"}),
        (Need(key=("size",), files=("nets.py",), unless="class B", why="no size"), {"a", "b"}),
    ],
    ids=[
        "key",
        "one of",
        "absent",
        "listed",
        "listed and another",
        "neither listed nor named",
        "named and not listed",
        "accepts",
        "when",
        "unless",
    ],
)
def test_needs(tmp_path: Path, need: Need, reaching: set[str]) -> None:
    source = kit_in(
        tmp_path,
        {
            "configs/a.yml": "model: {type: A}\nsize: 3\n",
            "configs/b.yml": "model: {type: B}\n",
            "nets.py": "KNOWN = ['B']\nclass A:\n    def __init__(self, to_static=False): ...\nclass B: ...\n",
        },
    )
    rule = ConfigRule(routes=(Route(ROUTE.hooks, needs=(need,)),), trains=("model",))
    rows = blocked(source, rule, (HOOK,))
    assert {path[8] for path, (before, _) in rows.items() if before is None} == reaching
    for before, _ in rows.values():
        assert before is None or before.startswith(need.why)


def test_an_edit_can_void_a_need(tmp_path: Path) -> None:
    old, new = b"KNOWN = []\n", b"KNOWN = []\n# without a spec\n"
    source = kit_in(tmp_path, {"configs/a.yml": "model: {type: A}\n", "nets.py": old.decode()})
    need = Need(
        ("model.type",), "unlisted", listed="KNOWN", files=("nets.py",), unless="without a spec"
    )
    rule = ConfigRule(routes=(Route(ROUTE.hooks, needs=(need,)),), trains=("model",))
    rows = blocked(source, rule, (HOOK,), (FileChange("nets.py", old, new),))
    assert rows == {"configs/a.yml": ("unlisted (model.type: A)", None)}


def test_routes_by_condition_and_path(tmp_path: Path) -> None:
    source = kit_in(
        tmp_path,
        {
            "configs/a.yml": "model: {type: A}\nmethod: semi\n",
            "configs/b.yml": "model: {type: B}\n",
            "configs/own/c.yml": "model: {type: C}\n",
        },
    )
    routes = (
        Route(("tools/semi.py:*",), when=("method=semi",)),
        Route(ROUTE.hooks, when=("!method", "path!=configs/own/*")),
    )
    rows = blocked(source, ConfigRule(routes=routes, trains=("model",)), (HOOK,))
    assert rows["configs/b.yml"][0] is None
    assert rows["configs/a.yml"][0] == "no hook in tools/semi.py:*"
    assert rows["configs/own/c.yml"][0] == "no trainer of the kit runs it"


def test_one_of_several_keys_makes_a_config_trainable(tmp_path: Path) -> None:
    source = kit_in(
        tmp_path, {f"configs/{name}.yml": f"{name}: {{n: 1}}\n" for name in ("one", "two", "three")}
    )
    rule = ConfigRule(routes=(ROUTE,), trains=("one|two",))
    assert set(blocked(source, rule, (HOOK,))) == {"configs/one.yml", "configs/two.yml"}


def test_a_block_is_named_and_not_printed(tmp_path: Path) -> None:
    source = kit_in(tmp_path, {"configs/a.yml": "runner: {epochs: 3}\n"})
    need = Need(key=("runner",), absent=True, why="refused")
    rule = ConfigRule(routes=(replace(ROUTE, needs=(need,)),))
    assert blocked(source, rule, (HOOK,))["configs/a.yml"] == ("refused (runner)",) * 2
