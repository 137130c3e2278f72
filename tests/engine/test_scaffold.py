"""A draft rule gives the hooks that discovery gave, and names what it left."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import pytest

from codemod.base.changeset import Hook, Source, Status
from codemod.engine import plan_change
from codemod.engine.gate.gates import DEFAULT_GATES, LAST_RESORT
from codemod.engine.scaffold import scaffold
from codemod.kits.rule import load

if TYPE_CHECKING:
    from pathlib import Path

FLAG = """\
    import argparse
    import paddle

    def main(args):
        model = Net()
        optimizer = paddle.optimizer.Adam(parameters=model.parameters())
        for batch in range(args.epochs):
            model(batch).backward()

    if __name__ == "__main__":
        parser = argparse.ArgumentParser()
        parser.add_argument("--epochs", type=int)
        main(parser.parse_args())
    """
MAPPING = """\
    import paddle

    class Trainer:
        def __init__(self, cfg):
            self.rate = cfg["rate"]
            self.model = build(cfg["model"])
            self.optimizer = paddle.optimizer.SGD(self.rate, parameters=self.model.parameters())

        def train(self):
            self.model(1).backward()
    """
WRAPPED = FLAG.replace("Net()", "paddle.DataParallel(Net())")
NONE = FLAG.replace("main(args)", "main()").replace("args.epochs", "3")
HIGH_LEVEL = """\
    import paddle

    def main(args):
        model = paddle.Model(Net())
        model.fit(args.data)
    """


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "Some Kit"
    files = {
        "scripts/[a].py": FLAG,
        "scripts/b.py": FLAG,
        "lib/trainer.py": MAPPING,
        "scripts/none.py": NONE,
        "scripts/wrapped.py": WRAPPED,
        "scripts/fit.py": HIGH_LEVEL,
    }
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(textwrap.dedent(text))
    return root


def placed(hooks: tuple[Hook, ...]) -> set[tuple[str, str, str, str | None]]:
    return {
        (hook.file, hook.scope, hook.target, hook.gate)
        for hook in hooks
        if hook.status is Status.INSERTED
    }


def test_the_draft_gives_the_same_hooks(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = plan_change(Source(None, repository, None))
    assert len(placed(found.hooks)) == 4
    data = tmp_path / "data"
    (data / "rules" / "Draft").mkdir(parents=True)
    (data / "rules" / "Draft" / "rule.yaml").write_text(scaffold(Source(None, repository, None)))
    (data / "kits.yaml").write_text(
        "kits:\n  Draft:\n    git: https://example.org/draft\n"
        f"    revision: {'0' * 40}\n    paddle: '>=2.5'\n    python: '>=3.8'\n"
        "    marks: [lib]\n    configs: ['*.yaml']\n"
    )
    monkeypatch.setenv("CODEMOD_DATA", str(data))
    again = plan_change(Source("Draft", repository, None))
    assert placed(again.hooks) == placed(found.hooks)
    assert all(hook.status is not Status.UNPLACED for hook in again.hooks)


def test_the_draft_tells_what_it_leaves_and_what_to_check(repository: Path, tmp_path: Path) -> None:
    text = scaffold(Source(None, repository, None))
    assert "# Not placed: scripts/wrapped.py:" in text
    assert "# Left alone: scripts/fit.py: main: " in text
    assert "# scripts/b.py: model if args.to_static, on by --to_static" in text
    file = tmp_path / "draft.yaml"
    file.write_text(text)
    rule = load(file)
    assert rule.kits == ("Some Kit",)
    kinds = {gate.kind for t in rule.trainers for gate in t.gates}
    assert kinds == {gate.kind for gate in (*DEFAULT_GATES, LAST_RESORT)}, "what is looked for"


def test_a_repository_without_training_has_an_empty_draft(tmp_path: Path) -> None:
    (tmp_path / "infer.py").write_text("import paddle\n")
    file = tmp_path.parent / "empty.yaml"
    file.write_text(scaffold(Source(None, tmp_path, None)))
    assert load(file).trainers == ()
