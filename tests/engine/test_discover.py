"""What discovery hooks in a repository that no rule knows, and what it leaves alone."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import pytest

from codemod.base.changeset import Status

if TYPE_CHECKING:
    from collections.abc import Callable

    from codemod.base.changeset import ChangeSet

    Make = Callable[..., ChangeSet]

MAIN = """\
    import argparse
    import copy
    import paddle

    def main(args):
        BODY

    if __name__ == "__main__":
        parser = argparse.ArgumentParser()
        parser.add_argument("--epochs", type=int)
        main(parser.parse_args())
    """


def script(body: str) -> dict[str, str]:
    text = textwrap.dedent(MAIN)
    return {"train.py": text.replace("    BODY\n", textwrap.indent(textwrap.dedent(body), "    "))}


def places(change: ChangeSet, status: Status = Status.INSERTED) -> list[tuple[str, str, str]]:
    return [(h.file, h.scope, h.target) for h in change.hooks if h.status is status]


LOOP = """\
    print(args.epochs)
    optimizer = paddle.optimizer.Adam(parameters=model.parameters())
    for batch in range(args.epochs):
        loss = model(batch)
        loss.backward()
    """


def test_optimized_called_and_differentiated_is_a_model(change: Make) -> None:
    assert places(change(script("model = Net()\n" + textwrap.dedent(LOOP)))) == [
        ("train.py", "main", "model")
    ]


def test_a_teacher_a_copy_and_a_criterion_are_none(change: Make) -> None:
    body = """\
        model = paddle.DataParallel(Net())
        teacher = Net()
        teacher = paddle.DataParallel(teacher)
        ema = copy.deepcopy(model)
        criterion = Loss()
        """
    assert places(change(script(textwrap.dedent(body) + textwrap.dedent(LOOP)))) == []
    body = body.replace("paddle.DataParallel(Net())", "Net()")
    found = change(script(textwrap.dedent(body) + textwrap.dedent(LOOP)))
    assert places(found) == [("train.py", "main", "model")]


def test_a_model_around_an_optimized_one_trains_with_it(change: Make) -> None:
    body = """\
        model = Net()
        stack = Stack(model)
        stack = paddle.DataParallel(stack)
        optimizer = paddle.optimizer.Adam(parameters=model.parameters())
        for batch in range(args.epochs):
            loss = stack(batch)
            loss.backward()
        """
    found = change(script(body))
    assert places(found) == [("train.py", "main", "stack")]
    text = found.changes[0].new.decode()
    assert text.index("to_static(stack)") < text.index("DataParallel(stack)")


def test_a_model_wrapped_by_the_caller_is_hooked_there(change: Make) -> None:
    files = script("model = Net()\nmodel = paddle.DataParallel(model)\nfit(model, args)\n")
    files["train.py"] = files["train.py"].replace(
        "import paddle\n", "import paddle\nfrom loop import fit\n"
    )
    files["loop.py"] = f"import paddle\n\n\ndef fit(model, args):\n{LOOP}"
    assert places(change(files)) == [("train.py", "main", "model")]


def test_a_function_of_one_epoch_is_not_hooked_each_time(change: Make) -> None:
    files = script("""\
        model = Net()
        for epoch in range(args.epochs):
            fit(model, args)
        """)
    files["train.py"] = files["train.py"].replace(
        "import paddle\n", "import paddle\nfrom loop import fit\n"
    )
    files["loop.py"] = f"import paddle\n\n\ndef fit(model, args):\n{LOOP}"
    assert places(change(files)) == [("train.py", "main", "model")]


def test_a_trainer_that_receives_its_model(change: Make) -> None:
    files = script("Trainer(args, Net()).train()\n")
    files["train.py"] = files["train.py"].replace(
        "def main",
        textwrap.dedent("""\
        class Trainer:
            def __init__(self, args, model):
                self.args = args
                self.model = model
                self.optimizer = self.optimize(model)

            def optimize(self, model):
                return paddle.optimizer.Adam(parameters=model.parameters())

            def train(self):
                model = self.model
                for batch in range(self.args.epochs):
                    model(batch).backward()


        def main"""),
    )
    assert places(change(files)) == [("train.py", "Trainer.__init__", "self.model")]


def test_an_attribute_is_hooked_after_its_owner_is_built(change: Make) -> None:
    found = change(
        script("""\
        module = Module()
        module.model = paddle.DataParallel(module.model)
        optimizer = paddle.optimizer.Adam(parameters=module.model.parameters())
        for batch in range(args.epochs):
            module.model(batch).backward()
        """)
    )
    assert places(found) == [("train.py", "main", "module.model")]
    text = found.changes[0].new.decode()
    assert text.index("= Module()") < text.index("to_static(module.model)")


@pytest.mark.parametrize("wrapper", ["wrap_sharding_2_3", "ShardingStage2", "Strange"])
def test_a_wrapper_of_the_repository_s_own(change: Make, wrapper: str) -> None:
    found = change(
        script(f"""\
        model = Net()
        if args.sharding:
            model, other = {wrapper}(model, 1)
        elif args.cards:
            model = paddle.DataParallel(model)
        optimizer = paddle.optimizer.Adam(parameters=model.parameters())
        for batch in range(args.epochs):
            model(batch).backward()
        """)
    )
    text = found.changes[0].new.decode()
    assert text.index("= Net()") < text.index("to_static(model)") < text.index(wrapper)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (
            """\
            model = Net()
            optimizer = paddle.optimizer.Adam(parameters=model.parameters())
            for batch in range(args.epochs):
                loss = model.get_loss(batch)
                loss.backward()
            """,
            "model.get_loss(...)",
        ),
        (
            """\
            model = Net()
            optimizer = paddle.optimizer.Adam(parameters=model.parameters())
            for batch in range(args.epochs):
                with paddle.no_grad():
                    label = model(batch)
                model(batch).backward()
            """,
            "under no_grad",
        ),
        ("model = paddle.Model(Net())\nmodel.fit(range(args.epochs))\n", "has none"),
    ],
)
def test_what_must_be_left_alone_says_why(change: Make, body: str, reason: str) -> None:
    found = change(script(body))
    assert found.hooks == () and found.changes == ()
    assert any(reason in str(skip.reason) for skip in found.skipped)


@pytest.mark.parametrize("mode", ["model.eval()", "pass"])
def test_no_grad_in_eval_mode_or_after_training_does_no_harm(change: Make, mode: str) -> None:
    first = "with paddle.no_grad():\n        label = model(batch)\n"
    steps = (mode + "\n    " + first, "    model.train()\n    model(batch).backward()\n")
    order = steps if mode != "pass" else ("model(batch).backward()\n    ", first)
    body = (
        "model = Net()\noptimizer = paddle.optimizer.Adam(parameters=model.parameters())\n"
        "for batch in range(args.epochs):\n    " + "".join(order)
    )
    assert places(change(script(body))) == [("train.py", "main", "model")]


def test_a_high_level_model_with_inputs_is_hooked_inside(change: Make) -> None:
    found = change(
        script("""\
        model = paddle.Model(Net(), inputs=[spec])
        model.prepare(paddle.optimizer.Adam(parameters=model.parameters()))
        model.fit(range(args.epochs))
        """)
    )
    assert places(found) == [("train.py", "main", "model.network")]
    text = found.changes[0].new.decode()
    assert text.index("paddle.Model(") < text.index("to_static(") < text.index(".prepare(")


def test_a_model_without_any_config_is_switched_by_the_variable(change: Make) -> None:
    text = textwrap.dedent(MAIN).replace("main(args)", "main()").replace("    BODY\n", "")
    body = textwrap.dedent(LOOP).replace("args.epochs", "3")
    text = text.replace(
        "def main():\n", "def main():\n" + textwrap.indent("model = Net()\n" + body, "    ")
    )
    (hook,) = change({"train.py": text}).hooks
    assert (hook.file, hook.scope, hook.target) == ("train.py", "main", "model")
    assert hook.switch == "PADDLE_TO_STATIC=1"
    assert "no config" in str(hook.reason)


ENGINE = """\
    class Engine:
        def __init__(self, config):
            self.config = config
            self.model = build(config["Model"])
            self.optimizer = build_optimizer(config["Optimizer"], self.model)
    """
LOOPS = {
    "function": "def train_epoch(engine):\n    engine.model(1).backward()\n",
    "object": (
        "class Loop:\n    def __init__(self, trainer):\n        self.trainer = trainer\n\n"
        "    def step(self):\n        self.trainer.model(1).backward()\n"
    ),
}


@pytest.mark.parametrize("loop", list(LOOPS.values()), ids=list(LOOPS))
def test_a_loop_leads_to_the_engine_that_built_its_model(change: Make, loop: str) -> None:
    files = {"new/engine.py": ENGINE, "new/loop.py": loop, "old/engine.py": ENGINE}
    assert places(change(files)) == [("new/engine.py", "Engine.__init__", "self.model")]


def test_two_engines_as_near_are_not_chosen_from(change: Make) -> None:
    files = {"a/engine.py": ENGINE, "b/engine.py": ENGINE, "c/loop.py": LOOPS["function"]}
    assert places(change(files)) == []
