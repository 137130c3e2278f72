"""A hook in a base class covers a derived one only where that comes to it, as in PaddleRS."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from codemod.base.changeset import TrainingFiles

if TYPE_CHECKING:
    from collections.abc import Callable

    from codemod.base.changeset import ChangeSet

    Make = Callable[..., ChangeSet]

BASE = """\
import paddle


def apply_to_static(to_static, net):
    if to_static:
        net = paddle.jit.to_static(net)


class BaseModel:
    def __init__(self, generator, criterion=None, to_static=False):
        self.nets = {}
        self.nets["generator"] = build_generator(generator)
        apply_to_static(to_static, self.nets["generator"])
        self.optimizer = paddle.optimizer.Adam(parameters=self.nets["generator"].parameters())

    def train_iter(self, batch):
        loss = self.nets["generator"](batch)
        loss.backward()
        self.optimizer.step()
"""
DERIVED = """\
from base import BaseModel


class Derived(BaseModel):
    def __init__(self, generator, criterion=None, to_static=False):
        {call}
        {after}

    def train_iter(self, batch):
        loss = self.nets["generator"](batch).abs()
        loss.backward()
        self.optimizer.step()
"""
HANDS = "super().__init__(generator, criterion, to_static=to_static)"
PLACE = "base.py:BaseModel.__init__"
OFF = f"Derived does not hand to_static on to BaseModel, so that the hook in {PLACE} stays off"


@pytest.mark.parametrize(
    ("call", "after", "why"),
    [
        (HANDS, "self.flag = True", None),
        ("super(Derived, self).__init__(generator, criterion, to_static)", "", None),
        ("BaseModel.__init__(self, generator, to_static=to_static)", "", None),
        ("super().__init__(*generator)", "", None),
        ("super().__init__(generator, **criterion)", "", None),
        ("super().__init__(generator, criterion)", "", OFF),
        (
            HANDS,
            "self.nets['generator'] = build_generator(generator)",
            f"""Derived makes self.nets['generator'] anew after BaseModel, so that the hook in {PLACE} is lost""",
        ),
        (
            "self.nets = {'generator': build_generator(generator)}",
            "",
            f"Derived has its own __init__ and does not call BaseModel's, where the hook stands ({PLACE})",
        ),
    ],
)
def test_a_base_covers_what_comes_to_its_hook(
    change: Make, call: str, after: str, why: str | None
) -> None:
    made = change({"base.py": BASE, "derived.py": DERIVED.format(call=call, after=after)})
    (told,) = (str(skip.reason) for skip in made.skipped if skip.file == "derived.py")
    assert told == (why or f"Derived is derived from BaseModel, and {PLACE} has the hook")
    covered = why is None
    assert made.training_files == TrainingFiles(
        hooked=1, covered=int(covered), left_alone=int(not covered)
    )


@pytest.mark.parametrize(
    ("middle", "covered"),
    [
        ("", True),
        (
            "    def __init__(self, *args, **options):\n        super().__init__(*args, **options)",
            True,
        ),
        ("    def __init__(self, generator):\n        super().__init__(generator)", False),
    ],
)
def test_each_class_between_has_to_come_to_the_hook(
    change: Make, middle: str, covered: bool
) -> None:
    between = (
        f"from base import BaseModel\n\n\nclass Middle(BaseModel):\n    size = 1\n\n{middle}\n"
    )
    derived = DERIVED.format(call="super().__init__(generator, criterion, to_static)", after="")
    derived = derived.replace("from base import BaseModel", "from middle import Middle")
    derived = derived.replace("(BaseModel)", "(Middle)")
    made = change({"base.py": BASE, "middle.py": between, "derived.py": derived})
    assert made.training_files.covered == int(covered)


def test_a_trainer_that_imports_a_hooked_module_by_way_of_others_is_not_covered(
    change: Make,
) -> None:
    """23 of 25 reasons were untrue: imports that lead to a module with a hook were enough."""
    trainer = """\
    from tasks import prepare

    def train_loop(self, batches):
        for batch in batches:
            outputs = self.run(self.net, batch)
            outputs["loss"].backward()
            self.optimizer.step()
    """
    tasks = "from base import BaseModel\n\n\ndef prepare(config):\n    return BaseModel(config)\n"
    made = change({"base.py": BASE, "tasks.py": tasks, "trainer.py": trainer})
    (skip,) = (one for one in made.skipped if one.file == "trainer.py")
    assert not skip.covered and "has the hook" not in str(skip.reason)
