"""Models that one class builds and a class derived from it wraps and trains."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from codemod.base.changeset import Status

if TYPE_CHECKING:
    from collections.abc import Callable

    from codemod.base.changeset import ChangeSet

    Make = Callable[..., ChangeSet]

BASE = """\
    import paddle

    class Base:
        def __init__(self, args):
            self.args = args
            self.model = Net()

        def prepare(self):
            self.model = paddle.nn.SyncBatchNorm.convert_sync_batchnorm(self.model)
    """
TRAINER = """\
    import argparse
    import paddle
    from base import Base

    class Trainer(Base):
        def setup(self):
            BODY
            self.model = paddle.DataParallel(self.model)
            self.optimizer = paddle.optimizer.Adam(parameters=self.model.parameters())

        def train(self):
            for batch in range(self.args.epochs):
                loss = self.model(batch)
                loss.backward()

    if __name__ == "__main__":
        parser = argparse.ArgumentParser()
        parser.add_argument("--epochs", type=int)
        trainer = Trainer(parser.parse_args())
        trainer.setup()
        trainer.train()
    """
PLAIN = """\
    from train import Trainer

    class Plain(Trainer):
        def setup(self):
            self.optimizer = paddle.optimizer.Adam(parameters=self.model.parameters())

    def run(args):
        plain = Plain(args)
        plain.setup()
        plain.train()
    """
# A second trainer that wraps first: the conversion comes after, and with it the first one's hook.
CONVERTS_LATE = """\
class Plain(Trainer):
        def train(self):
            self.model = paddle.DataParallel(self.model)
            self.prepare()
            super().train()
"""


def files(body: str = "pass", **more: str) -> dict[str, str]:
    made = {"base.py": BASE, "train.py": TRAINER.replace("BODY", body)}
    made |= {f"{name}.py": text for name, text in more.items()}
    return {path: textwrap.dedent(text) for path, text in made.items()}


def placed(change: ChangeSet) -> list[tuple[str, str, str, str | None]]:
    hooks = (hook for hook in change.hooks if hook.status is Status.INSERTED)
    return [(hook.file, hook.scope, hook.target, hook.gate) for hook in hooks]


def test_a_model_of_a_base_class_is_hooked_there_by_the_options_of_the_derived(
    change: Make,
) -> None:
    assert placed(change(files())) == [("base.py", "Base.__init__", "self.model", "args.to_static")]


def test_the_hook_comes_after_what_an_inherited_method_converts(change: Make) -> None:
    hook = ("base.py", "Base.prepare", "self.model", "self.args.to_static")
    assert placed(change(files("self.prepare()"))) == [hook]


def test_a_method_that_extends_the_one_above_is_followed_to_it(change: Make) -> None:
    body = "super().setup()"
    base = BASE.replace("def prepare", "def setup")
    made = {**files(body), "base.py": textwrap.dedent(base)}
    hook = ("base.py", "Base.setup", "self.model", "self.args.to_static")
    assert placed(change(made)) == [hook]


def test_a_method_that_a_derived_class_overrides_builds_the_model(change: Make) -> None:
    base = BASE.replace("self.model = Net()", "self.build()")
    trainer = TRAINER.replace(
        "    class Trainer(Base):\n",
        "    class Trainer(Base):\n        def build(self):\n            self.model = Net()\n\n",
    )
    made = {"base.py": base, "train.py": trainer.replace("BODY", "pass")}
    change_of = change({path: textwrap.dedent(text) for path, text in made.items()})
    assert [hook[:3] for hook in placed(change_of)] == [("train.py", "Trainer.build", "self.model")]


def test_paths_that_need_the_hook_in_two_places_are_both_named(change: Make) -> None:
    late = PLAIN.replace("class Plain(Trainer):", CONVERTS_LATE)
    found = change(files("self.prepare()", plain=late))
    assert placed(found) == []
    reasons = [str(skip.reason) for skip in found.skipped if skip.file == "base.py"]
    assert any(
        "from train.py:19 the hook belongs in the method at base.py:8" in reason
        and "from plain.py:13 in the one at base.py:4" in reason
        for reason in reasons
    )


def test_a_path_that_does_not_run_the_method_of_the_hook_leaves_it_there(change: Make) -> None:
    found = change(files("self.prepare()", plain=PLAIN))
    gate = 'getattr(self.args, "to_static", False)'
    assert placed(found) == [("base.py", "Base.prepare", "self.model", gate)]
    assert any("plain.py" in str(skip.reason) for skip in found.skipped)


def test_a_class_that_nobody_makes_says_so_where_another_class_converts(change: Make) -> None:
    made = files("self.prepare()")
    made["train.py"] = made["train.py"].partition("if __name__")[0]
    found = change(made)
    assert placed(found) == []
    assert any(skip.reason.code == "engine.abstained" for skip in found.skipped)


CHECKED = """\
    import paddle
    from base import Base

    CONFIG = {"epochs": 1}

    def checked(config):
        CHECK
        return config

    class Trainer(Base):
        def setup(self):
            self.model = paddle.DataParallel(self.model)
            self.optimizer = paddle.optimizer.Adam(parameters=self.model.parameters())

        def train(self):
            for batch in range(self.args["epochs"]):
                loss = self.model(batch)
                loss.backward()

    if __name__ == "__main__":
        trainer = Trainer(checked(dict(CONFIG)))
        trainer.setup()
        trainer.train()
    """


def test_a_config_that_a_base_class_keeps_has_no_key_more_where_all_are_compared(
    change: Make,
) -> None:
    def of(check: str) -> ChangeSet:
        return change(files() | {"train.py": textwrap.dedent(CHECKED.replace("CHECK", check))})

    plain = of("assert config")
    assert [hook.switch for hook in plain.hooks] == ["to_static: True in the config"]
    compared = of('assert list(config) == ["epochs"]')
    assert [hook.switch for hook in compared.hooks] == ["PADDLE_TO_STATIC=1"]
    assert "train.py:7 compares all keys" in str(compared.hooks[0].reason)


def test_a_constructor_above_is_followed_where_it_compares_all_keys(change: Make) -> None:
    heir = CHECKED.replace("CHECK", "assert config").replace(
        "class Trainer(Base):\n",
        "class Trainer(Base):\n"
        "        def __init__(self, args):\n"
        "            super().__init__(args)\n"
        "            self.model = Net()\n\n",
    )

    def of(check: str) -> ChangeSet:
        base = BASE.replace("self.model = Net()", check)
        made = {"base.py": base, "train.py": heir}
        return change({path: textwrap.dedent(text) for path, text in made.items()})

    assert [hook.switch for hook in of("pass").hooks] == ["to_static: True in the config"]
    compared = of('assert list(args) == ["epochs"]')
    assert [hook.switch for hook in compared.hooks] == ["PADDLE_TO_STATIC=1"]
    assert "base.py:6 compares all keys" in str(compared.hooks[0].reason)
