"""What is wrong with hooks: each fault in a small trainer, and none in a sound one."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from codemod.audit.faults import audit
from codemod.audit.findings import Finding, Level
from codemod.audit.reach import Reach
from codemod.base.changeset import ChangeSet, KitFault, Source, Status
from codemod.base.reason import Reason
from codemod.cli.main import run
from codemod.code.tree import Tree
from codemod.engine import plan_change

if TYPE_CHECKING:
    from pathlib import Path

TRAIN = """\
import copy
import paddle


def main(config):
    model = build(config["m"])
{body}
    optimizer = paddle.optimizer.SGD(config["lr"], parameters=model.parameters())
    for x in config["data"]:
        loss = model(x)
        loss.backward()
"""
HOOK = "    if config.get('to_static', False):\n        model = paddle.jit.to_static(model)"
WRAP = "    model = paddle.DataParallel(model)"
DDP = "    ddp = paddle.DataParallel(model)"
COPY = "    ema = copy.deepcopy(model)"


def findings(root: Path, source: str) -> dict[str, Finding]:
    (root / "train.py").write_text(source)
    change_set = plan_change(Source(None, root, None)).change_set()
    return {finding.id: finding for finding in audit(Tree(root), change_set, ())}


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ([HOOK, WRAP], {}),
        ([COPY, HOOK, WRAP], {}),
        ([WRAP], {"not-hooked": Level.WARNING}),
        ([HOOK, COPY, WRAP], {"copy-after-hook": Level.WARNING}),
        ([HOOK, COPY, HOOK, WRAP], {}),
        ([DDP, HOOK], {"hook-after-wrap": Level.WARNING}),
        ([DDP, HOOK.replace("(model)", "(ddp)")], {"hook-on-wrapper": Level.ERROR}),
        ([WRAP, HOOK], {"hook-on-wrapper": Level.ERROR}),
        ([f"    if config['cards'] > 1:\n    {WRAP}", HOOK], {"hook-on-wrapper": Level.ERROR}),
        (
            [WRAP, "    model = paddle.amp.decorate(model)", HOOK],
            {"hook-on-wrapper": Level.ERROR},
        ),
        ([WRAP, "    model = model._layers", HOOK], {"hook-after-wrap": Level.WARNING}),
    ],
    ids=[
        "sound",
        "sound with a copy",
        "none",
        "copy after",
        "hooked again",
        "after wrap",
        "on wrapper",
        "on wrapper of the same name",
        "on wrapper in some runs",
        "on what a wrapper was made into",
        "on what a wrapper holds",
    ],
)
def test_hooks(tmp_path: Path, body: list[str], wanted: dict[str, Level]) -> None:
    found = findings(tmp_path, TRAIN.format(body="\n".join(body)))
    assert {name: finding.level for name, finding in found.items()} == wanted


def test_what_is_missing_stands_at_a_line_that_is_there(tmp_path: Path) -> None:
    source = TRAIN.format(body=WRAP)
    found = findings(tmp_path, source)["not-hooked"]
    assert source.splitlines()[(found.line or 0) - 1].strip() == 'model = build(config["m"])'


def test_a_hook_that_leaves_cases_out_is_told_as_such(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(TRAIN.format(body="\n".join([HOOK, WRAP])))
    made = plan_change(Source(None, tmp_path, None)).change_set()
    (hook,) = made.hooks
    more = replace(hook, status=Status.INSERTED, reason=Reason.said("Others would stop."))
    found = audit(Tree(tmp_path), replace(made, hooks=(hook, more)), ())
    assert [finding.id for finding in found] == ["hooked-in-part"]
    assert found[0].message == "main does not make model static in every case."
    assert found[0].remedy == "After `codemod apply`: Others would stop.", "it is not so yet"


def test_a_flag_of_type_bool(tmp_path: Path) -> None:
    flag = "p.add_argument('--to_static', type=bool, default=False)\n"
    found = findings(tmp_path, f"import argparse\np = argparse.ArgumentParser()\n{flag}")
    assert found["flag-type-bool"].line == 3


def test_blocked_configs_are_findings(tmp_path: Path) -> None:
    change_set = plan_change(Source(None, tmp_path, None)).change_set()
    rows = (Reach("a.yml", "A", Reason.said("no key"), None), Reach("b.yml", "B", None, None))
    (found,) = audit(Tree(tmp_path), change_set, rows)
    assert (found.id, found.file) == ("config-blocked", "a.yml")
    assert "apply" in found.remedy


def test_the_command(
    minikit: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["check", str(minikit), "--json"]) == 1
    made = json.loads(capsys.readouterr().out)
    assert [finding["id"] for finding in made["findings"]] == ["not-hooked"]
    assert run(["apply", str(minikit)]) == 0
    capsys.readouterr()
    assert run(["check", str(minikit)]) == 0
    assert "0 findings" in capsys.readouterr().out


MENDED = "The kit's own switch or hook goes wrong here: "


def test_what_the_rule_mends_is_a_finding_at_its_line(tmp_path: Path) -> None:
    (tmp_path / "paddlevideo/tasks").mkdir(parents=True)
    path = "paddlevideo/tasks/train.py"
    source = """\
import paddle


def train_model(cfg, parallel=True):
    model = build_model(cfg.MODEL)

    if cfg.get('to_static', False):
        model = paddle.jit.to_static(model)
    if parallel:
        model = paddle.DataParallel(model)
    model(cfg.data).backward()
"""
    (tmp_path / path).write_text(source)
    plan = plan_change(Source("PaddleVideo", tmp_path, None), ())
    change_set = plan.change_set()
    found = [f for f in audit(Tree(tmp_path), change_set, ()) if f.id == "hook-faulty"]
    assert [(f.file, f.line, f.level) for f in found] == [(path, 7, Level.WARNING)]
    assert found[0].message == f"{MENDED}the string 'false' is on."
    (tmp_path / path).write_bytes(change_set.changes[0].new)
    again = plan_change(Source("PaddleVideo", tmp_path, None), ()).change_set()
    assert not [f for f in audit(Tree(tmp_path), again, ()) if f.id == "hook-faulty"]


def test_a_more_exact_finding_at_the_line_stands_alone(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(
        "import argparse\n\np = argparse.ArgumentParser()\n"
        "p.add_argument('--to_static', type=bool, default=False)\n"
    )
    fault = KitFault("train.py", 4, Reason.said("bool('False') is True"))
    made = ChangeSet(Source(None, tmp_path, None), kit_faults=(fault,))
    assert [f.id for f in audit(Tree(tmp_path), made, ())] == ["flag-type-bool"]
    elsewhere = replace(made, kit_faults=(replace(fault, line=3),))
    ids = [f.id for f in audit(Tree(tmp_path), elsewhere, ())]
    assert sorted(ids) == ["flag-type-bool", "hook-faulty"]
