"""The fewest configs that come to each part of a change, of a small kit laid out as PaddleClas."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from codemod.base.changeset import ChangeSet, Hook, Source, Status
from codemod.base.reason import Reason
from codemod.code.tree import Tree
from codemod.engine import plan_change
from codemod.engine.hook_files import digest
from codemod.judging.verdict import Verdict
from codemod.kits.catalogue import load_kits
from codemod.kits.config_rule import config_rule
from codemod.reports.pullrequest.claims.proving_set import ProvingSet, proving_set, runnable
from tests.pullrequest.test_text import run_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pytest

    from codemod.reports.pullrequest.claims.cited_evidence import CitedRun

ENGINE = """\
import paddle
from ppcls.arch import apply_to_static, build_model
from ppcls.utils.ema import ExponentialMovingAverage


class Engine(object):
    def __init__(self, config, mode="train"):
        self.config = config
        self.model = build_model(self.config, mode)
        apply_to_static(self.config, self.model, is_rec=self.is_rec)
        self.ema = "EMA" in self.config
        if self.ema:
            self.model_ema = ExponentialMovingAverage(self.model)
        if self.config["Global"]["distributed"]:
            self.model = paddle.DataParallel(self.model)

    def train(self):
        self.model(1).backward()
        self.optimizer.step()
"""
ARCH = """\
from paddle.jit import to_static


def build_model(config, mode):
    return make(config["Arch"])


def apply_to_static(config, model, is_rec):
    support_to_static = config['Global'].get('to_static', False)

    if support_to_static:
        model = to_static(model)
    return model
"""
EMA = """\
from copy import deepcopy


class ExponentialMovingAverage(object):
    def __init__(self, model):
        self.module = deepcopy(model)
"""
CONFIG = "Global:\n  output_dir: out\nArch:\n  name: {name}\nLoss:\n  Train: []\n"
CONFIGS = {
    "a": CONFIG.format(name="A"),
    "b": CONFIG.format(name="B") + "EMA:\n  decay: 0.9\n",
    "c": CONFIG.format(name="C"),
}


def made(config: str, ran: dict[str, str], off: dict[str, str] | None = None) -> CitedRun:
    return replace(run_of(config, Verdict.PASS), ran=ran, off=off or {})


def chosen(root: Path, configs: dict[str, str], ran: Mapping[str, str] | None = None) -> ProvingSet:
    """What is to be trained after runs of `ran`: configs and the lines that each has executed."""
    kit = load_kits()["PaddleClas"]
    files = {
        "ppcls/__init__.py": "",
        "ppcls/engine/__init__.py": "",
        "ppcls/engine/engine.py": ENGINE,
        "ppcls/arch/__init__.py": ARCH,
        "ppcls/utils/ema.py": EMA,
        "tools/train.py": "from ppcls.engine.engine import Engine\n",
        **{f"ppcls/configs/{name}.yaml": text for name, text in configs.items()},
    }
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    change_set = plan_change(Source(kit.name, root, None)).change_set()
    assert {change.path for change in change_set.changes} >= {"ppcls/engine/engine.py"}
    runs = [
        made(f"ppcls/configs/{name}.yaml", {c.path: f"{digest(c.new)} {lines}"})
        for name, lines in (ran or {}).items()
        for c in change_set.changes
    ]
    return proving_set(Tree(root), change_set, kit, config_rule(kit), runs)


def test_a_repair_behind_the_average_is_proved_by_a_config_that_averages(tmp_path: Path) -> None:
    assert chosen(tmp_path, CONFIGS) == ProvingSet(("ppcls/configs/b.yaml",), ())


def test_a_config_that_the_recipe_knows_comes_before_another(tmp_path: Path) -> None:
    """What the recipe has no case for may want data that nobody makes."""
    known = "ImageNet/MobileViT/MobileViT_XS"
    configs = {known: CONFIGS["b"], "Aside/a": CONFIGS["b"]}
    for name in configs:
        (tmp_path / f"ppcls/configs/{name}.yaml").parent.mkdir(parents=True, exist_ok=True)
    assert chosen(tmp_path, configs).configs == (f"ppcls/configs/{known}.yaml",)


def test_without_such_a_config_any_that_trains_is_taken(tmp_path: Path) -> None:
    without = {name: text for name, text in CONFIGS.items() if name != "b"}
    assert chosen(tmp_path, without).configs == ("ppcls/configs/a.yaml",)


def test_files_that_no_config_comes_to_are_told(tmp_path: Path) -> None:
    assert set(chosen(tmp_path, {}).beyond) >= {"ppcls/engine/engine.py"}


def test_what_runs_have_executed_is_not_trained_again(tmp_path: Path) -> None:
    assert chosen(tmp_path, CONFIGS, {"a": "1-99"}) == ProvingSet((), ())


def test_what_a_run_left_out_is_trained_by_another_config(tmp_path: Path) -> None:
    """The run of `a` did not come to the average; it is not taken a second time."""
    assert chosen(tmp_path, CONFIGS, {"a": "1"}).configs == ("ppcls/configs/b.yaml",)


def test_a_config_that_failed_for_want_of_data_has_not_run(tmp_path: Path) -> None:
    """It came to the lines and ended in an error with the switch off: another config is taken."""
    kit = load_kits()["PaddleClas"]
    configs = {**CONFIGS, "bb": CONFIGS["b"]}
    assert chosen(tmp_path, configs).configs == ("ppcls/configs/b.yaml",)
    change_set = plan_change(Source(kit.name, tmp_path, None)).change_set()
    lines = {c.path: f"{digest(c.new)} 1-999" for c in change_set.changes}
    ended = (Reason.of("judging.dynamic-fails", how="fails", last="no data"),)
    failed = [replace(made("ppcls/configs/b.yaml", lines, lines), said=ended)]
    found = [
        proving_set(Tree(tmp_path), change_set, kit, config_rule(kit), runs).configs
        for runs in (failed, [*failed, replace(failed[0], config="ppcls/configs/bb.yaml")])
    ]
    assert found == [
        ("ppcls/configs/bb.yaml",),
        ("ppcls/configs/a.yaml", "ppcls/configs/b.yaml"),
    ]


def test_runs_of_other_bytes_prove_nothing(tmp_path: Path) -> None:
    kit = load_kits()["PaddleClas"]
    first = chosen(tmp_path, CONFIGS)
    change_set = plan_change(Source(kit.name, tmp_path, None)).change_set()
    runs = [made("ppcls/configs/b.yaml", {c.path: "0 1-99" for c in change_set.changes})]
    again = proving_set(Tree(tmp_path), change_set, kit, config_rule(kit), runs)
    assert first.configs == ("ppcls/configs/b.yaml",)
    assert again.configs == ("ppcls/configs/a.yaml",)


def test_what_the_recipe_says_cannot_be_trained_proves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = tmp_path / "data" / "rules" / "PaddleClas" / "recipe.yaml"
    recipe.parent.mkdir(parents=True)
    monkeypatch.setenv("CODEMOD_DATA", str(tmp_path / "data"))
    shut = "{configs: [ppcls/configs/b.yaml], why_not: it wants a GPU}"
    recipe.write_text(f"argv: [tools/train.py]\ncases: [{shut}]\n")
    assert chosen(tmp_path / "kit", CONFIGS).configs == ("ppcls/configs/a.yaml",)
    recipe.write_text(
        "argv: [tools/train.py]\ncases: [{configs: ['*'], why_not: it wants a GPU}]\n"
    )
    found = chosen(tmp_path / "kit", CONFIGS)
    assert found.configs == ()
    assert "ppcls/engine/engine.py" in found.beyond


def test_a_script_that_the_recipe_says_cannot_be_trained_is_not_run() -> None:
    def change(script: str) -> ChangeSet:
        why = Reason.said("why")
        hook = Hook("script", Status.INSERTED, script, "main", 1, "model", None, why)
        return ChangeSet(Source("PaddleNLP", Path(), None), (hook,))

    ran = "slm/examples/lexical_analysis/train.py"
    assert runnable(change(ran), "PaddleNLP") == {ran}
    assert runnable(change("slm/model_zoo/gpt-3/run_pretrain.py"), "PaddleNLP") == frozenset()
