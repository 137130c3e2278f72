"""Every file that trains has a hook, or its reason is told; small repositories, one reason each."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from codemod.base.changeset import Source, Status, TrainingFiles, by_reason
from codemod.code.tree import Tree
from codemod.engine import plan_change
from codemod.engine.planner import make_plan
from codemod.kits.rule import GateRule, Rule, Trainer

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from codemod.base.changeset import ChangeSet

    Make = Callable[..., ChangeSet]

ENGINE = """\
    import paddle
    from loops import train_epoch

    class Engine:
        def __init__(self, config):
            self.epochs = config["epochs"]
            self.model = build(config)
            self.optimizer = paddle.optimizer.Adam(parameters=self.model.parameters())
            self.model = paddle.DataParallel(self.model)

        def train(self, batches):
            run = train_epoch
            run(self, batches)
    """
LOOP = """\
    def train_epoch(engine, batches):
        for batch in batches:
            loss = engine.model(batch)
            loss.backward()
            engine.optimizer.step()
    """


def reasons(change: ChangeSet) -> dict[str, str]:
    return {skip.file: str(skip.reason) for skip in change.skipped}


def test_a_loop_that_an_engine_runs_is_covered_by_the_engines_hook(change: Make) -> None:
    made = change({"engine.py": ENGINE, "loops.py": LOOP})
    assert reasons(made) == {
        "loops.py": "it is run by engine.py, where Engine.__init__ has the hook"
    }
    assert made.training_files == TrainingFiles(planned=1, covered=1, later=1)
    assert made.to_json(".")["training_files"] == {
        "total": 2,
        "hooked": 0,
        "planned": 1,
        "covered": 1,
        "unplaced": 0,
        "left_alone": 0,
    }


def test_a_loop_is_covered_where_an_engine_runs_the_method_of_its_base(change: Make) -> None:
    base = """\
    class Loop:
        def run(self, engine, batches):
            for batch in batches:
                self.one(engine, batch)
    """
    loop = """\
    from base import Loop

    class Supervised(Loop):
        def one(self, engine, batch):
            loss = engine.model(batch)
            loss.backward()
            engine.optimizer.step()
    """
    engine = ENGINE.replace("run = train_epoch", "loop = self.loop").replace("run(", "loop.run(")
    engine = engine.replace("loop.run(self", "self.loop.run(self").replace(
        "from loops", "from loop"
    )
    engine = engine.replace("import train_epoch", "import Supervised")
    made = change({"engine.py": engine, "loop.py": loop, "base.py": base})
    assert reasons(made)["loop.py"].startswith("it is run by engine.py")


def test_a_hook_that_is_not_taken_covers_nothing(change: Make) -> None:
    made = change({"engine.py": ENGINE, "loops.py": LOOP})
    lost = replace(made, hooks=tuple(replace(h, status=Status.UNPLACED) for h in made.hooks))
    assert lost.training_files == TrainingFiles(unplaced=2)
    assert replace(made, hooks=()).training_files == TrainingFiles(unplaced=1, left_alone=1)


def test_a_hook_that_is_refused_is_not_said_to_stand(change: Make, tmp_path: Path) -> None:
    """With PaddleGAN's hook refused, 21 files were said to be run "where Trainer has the hook"."""
    change({"engine.py": ENGINE, "loops.py": LOOP})
    made = plan_change(Source(None, tmp_path, None)).change_set(frozenset())
    why = "its model would be hooked by engine.py:Engine.__init__, and that hook is left out"
    assert reasons(made) == {"loops.py": why}
    assert made.training_files == TrainingFiles(left_alone=2)
    assert [*by_reason(made.skipped).values()] == [["loops.py:4"]], "a reader is told of it"


def test_a_hook_that_cannot_be_written_is_not_said_to_stand(change: Make, tmp_path: Path) -> None:
    change({"engine.py": ENGINE, "loops.py": LOOP})
    gate = GateRule("expression", test="settings.get('to_static', False)")
    rule = Rule(kits=(), trainers=(Trainer(id="t", gates=(gate,)),))
    made = make_plan(Source(None, tmp_path, None), Tree(tmp_path), rule).change_set()
    assert [hook.status for hook in made.hooks] == [Status.UNPLACED]
    assert "that hook is left out" in reasons(made)["loops.py"]
    assert made.training_files == TrainingFiles(unplaced=2)


@pytest.mark.parametrize(
    ("loop", "covered"),
    [
        ("train_epoch(self, batches)", True),
        ("getattr(loops, 'train_' + self.mode)(self, batches)", True),
        ("self.task.train_epoch(batches)", True),
        ("getattr(loops, self.names.get('loop', 'train_epoch'))(self, batches)", True),
        ("self.train_epoch(batches)", False),
        ("self.step(batches)", False),
    ],
)
def test_only_what_an_engine_calls_is_covered_by_its_hook(
    change: Make, loop: str, covered: bool
) -> None:
    engine = (
        ENGINE.replace("run = train_epoch", loop)
        .replace("run(self, batches)", "")
        .replace(
            "from loops import train_epoch",
            "import loops\n    import registry\n    from registry import train_epoch",
        )
    )
    made = change(
        {
            "engine.py": engine.replace("getattr(loops", "getattr(registry"),
            "registry.py": "    from loops import train_epoch\n    ",
            "loops.py": LOOP,
        }
    )
    assert made.training_files.covered == covered, reasons(made)


def test_a_script_hands_its_model_to_what_it_calls_and_to_nothing_else(change: Make) -> None:
    script = """\
        import argparse
        import paddle
        from loops import Updater
        import elsewhere

        def main(args):
            model = paddle.DataParallel(Net(args.width))
            updater = Updater(model, paddle.optimizer.Adam(parameters=model.parameters()))

        def plain(args):
            model = Net(args.width)
            optimizer = paddle.optimizer.Adam(parameters=model.parameters())
            for batch in range(args.width):
                model(batch).backward()

        if __name__ == "__main__":
            parser = argparse.ArgumentParser()
            parser.add_argument("--width", type=int)
            plain(parser.parse_args())
        """
    updater = """\
        class Updater:
            def __init__(self, model, optimizer):
                self.net = model
                self.optimizer = optimizer

            def update(self, batch):
                compute(self.net, batch).backward()
                self.optimizer.step()
        """
    other = updater.replace("Updater", "Other")
    made = change({"train.py": script, "loops.py": updater, "elsewhere.py": other})
    told = reasons(made)
    assert told["loops.py"] == "it is given its model by train.py:plain, which has the hook"
    assert told["elsewhere.py"] == (
        "no optimizer is built here, and its model was not followed to where it is built"
    )


def test_a_class_derived_from_a_hooked_one_is_covered(change: Make) -> None:
    derived = """\
        from engine import Engine

        class Other(Engine):
            def step(self, batch):
                compute(self, batch).backward()
                self.optimizer.step()
        """
    made = change({"engine.py": ENGINE, "other.py": derived, "loops.py": ""})
    told = reasons(made)["other.py"]
    assert told == "Other is derived from Engine, and engine.py:Engine.__init__ has the hook"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            """\
            import paddle
            model = load()
            model = paddle.DataParallel(model)
            print(model(1))
            """,
            "it wraps a model, but nothing in it updates weights: it evaluates only",
        ),
        (
            """\
            import paddle
            def saliency(model, batch):
                batch.stop_gradient = False
                model(batch).max().backward()
                return batch.grad
            """,
            "it takes gradients, but nothing in it updates weights: it does not train",
        ),
        (
            """\
            import torch
            def train(net, optimizer):
                loss = net(1)
                loss.backward()
                optimizer.step()
            """,
            "it trains with PyTorch",
        ),
        (
            """\
            import paddle
            from paddlenlp.trainer import Trainer
            class Mine(Trainer):
                def training_step(self, batch):
                    self.compute_loss(batch).backward()
            """,
            "Mine is derived from paddlenlp.trainer.Trainer, which is not in this repository",
        ),
        (
            """\
            class Module:
                def backward(self, loss):
                    loss.backward()
            """,
            "Module.backward is what others call to differentiate: no model is trained here",
        ),
        (
            """\
            import paddle
            def train(batches):
                params = collect()
                optimizer = paddle.optimizer.Adam(parameters=params)
                for batch in batches:
                    compute(batch).backward()
                    optimizer.step()
            """,
            "the optimizer gets params, which was not followed to a model that is built and called for the loss",
        ),
        (
            """\
            from ..solver import build_optimizer
            class Model(BaseModel):
                def setup_optimizers(self, lr, cfg):
                    parameters = []
                    for net in self.nets.values():
                        parameters += net.parameters()
                    self.optimizers["all"] = build_optimizer(cfg, lr, parameters)
                def train_iter(self):
                    self.loss.backward()
            """,
            "the optimizer gets parameters, which was not followed to a model that is built and called for the loss",
        ),
        (
            """\
            class Trainer:
                def __init__(self, cfg):
                    self.model = build_model(cfg)
                    self.optimizers = self.model.setup_optimizers(cfg.lr)
                def train(self):
                    self.loss.backward()
                    self.optimizers.step()
            """,
            "the optimizer comes from self.model.setup_optimizers in line 4, and what it updates was not followed to a model that is built and called for the loss",
        ),
        (
            """\
            class Steps:
                def train(self, optimizers):
                    self.loss.backward()
                    save_optimizer(optimizers)
            """,
            "no optimizer is built here, and its model was not followed to where it is built",
        ),
        (
            """\
            import paddle
            def wrap(model):
                optimizer = None
                return paddle.DataParallel(model)
            """,
            "wrap wraps what it is given: the hook belongs to its callers",
        ),
    ],
)
def test_a_file_without_a_hook_has_its_reason(change: Make, text: str, reason: str) -> None:
    made = change({"file.py": text})
    assert reasons(made) == {"file.py": reason}
    assert made.training_files == TrainingFiles(left_alone=1)
    assert not made.wants_a_human


def test_tests_are_counted_too_unless_only_a_comment_names_the_call(change: Make) -> None:
    made = change(
        {
            "tests/test_step.py": "def test_step():\n    loss.backward()\n",
            "tests/test_other.py": "# loss.backward() is called elsewhere\n",
        }
    )
    assert reasons(made) == {"tests/test_step.py": "tests and documents are left alone"}
    assert made.training_files.total == 1


def test_what_no_rule_asked_for_is_not_counted(change: Make) -> None:
    made = change({"config.py": "def load():\n    return {}\n"})
    assert made.training_files.total == 0
    assert not made.skipped
