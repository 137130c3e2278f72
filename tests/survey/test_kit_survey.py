"""One kit: every config in exactly one row, every family of the plan with a row and a reason."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from codemod.audit import reach
from codemod.base.changeset import ChangeSet, Hook, Skip, Source, Status
from codemod.base.reason import Reason
from codemod.code.tree import Tree
from codemod.kits.catalogue import find_kit
from codemod.kits.config_rule import config_rule
from codemod.reports.survey.families import catalogue
from codemod.reports.survey.kit_survey import survey_kit
from codemod.reports.survey.rows import RowState

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from codemod.reports.survey.rows import KitSurvey, Row


def named(survey: KitSurvey, name: str) -> Row:
    return next(row for row in survey.rows if row.name == name)


def test_each_config_is_in_one_row_and_each_family_has_one(
    surveyed: Callable[[], KitSurvey],
) -> None:
    survey = surveyed()
    paths = Counter(unit.path for row in survey.rows for unit in row.units)
    assert paths == {
        "configs/ann/ann_a.yml": 1,
        "configs/ann/ann_b.yml": 1,
        "configs/odd/odd.yml": 1,
        "Matting/configs/dim/dim.yml": 1,
    }
    plan = [row.name for row in survey.rows if row.plan]
    assert plan == [family.name for family in catalogue("PaddleSeg").families]
    assert len({row.id for row in survey.rows}) == len(survey.rows)
    assert [row.name for row in survey.rows if not row.plan] == ["odd"]


def test_the_main_configs_are_those_that_check_counts(
    surveyed: Callable[[], KitSurvey], segkit: Path
) -> None:
    kit = find_kit("PaddleSeg")
    rule = config_rule(kit)
    assert rule is not None
    made = ChangeSet(Source("PaddleSeg", segkit, None))
    checked = {row.config for row in reach.survey(kit, rule, Tree(segkit), made)}
    units = [unit for row in surveyed().rows for unit in row.units]
    assert {unit.path for unit in units if not unit.root and not unit.script} == checked


def test_what_is_known_of_a_config(surveyed: Callable[[], KitSurvey]) -> None:
    survey = surveyed()
    unit = named(survey, "ANN").units[1]
    assert (unit.path, unit.model) == ("configs/ann/ann_b.yml", "ANN")
    assert (unit.data, unit.inputs) == ("Cityscapes", "Tensor[N,3,H,W]")
    assert (unit.before, unit.trainer) == (None, "paddleseg/core/train.py:train")
    other = named(survey, "DIM").units[0]
    assert other.root == "Matting"
    assert other.before is not None
    assert "Matting/ppmatting/core/train.py:train" in str(other.before)


def test_unreadable_configs_are_named(surveyed: Callable[[], KitSurvey]) -> None:
    assert list(surveyed().unreadable) == ["configs/lost/lost.yml"]
    assert "nowhere.yml" in surveyed().unreadable["configs/lost/lost.yml"]


def test_families_without_a_config_say_why(surveyed: Callable[[], KitSurvey]) -> None:
    survey = surveyed()
    found = {name: named(survey, name) for name in ("EISeg", "RVM", "SegNeXt", "UNet", "ENet")}
    states = {name: row.state for name, row in found.items()}
    assert states == {
        "EISeg": RowState.CODE_ONLY,
        "RVM": RowState.MOVED,
        "SegNeXt": RowState.MOVED,
        "UNet": RowState.ABSENT,
        "ENet": RowState.ABSENT,
    }
    traces = {name: row.trace for name, row in found.items()}
    assert traces["EISeg"] is not None
    assert traces["EISeg"].where == "EISeg/eiseg/app.py"
    assert traces["RVM"] is not None
    assert traces["RVM"].link == "https://github.com/A/B/tree/release/1.0/rvm"
    assert traces["SegNeXt"] is not None
    assert (traces["SegNeXt"].where, traces["SegNeXt"].link) == (
        "README.md:3",
        "https://example.com/segnext",
    )
    assert traces["UNet"] is not None
    assert traces["UNet"].where == "README.md:5"
    assert traces["ENet"] is None


def test_scripts_that_train_are_listed_once_each(tmp_path: Path) -> None:
    shared = "from t import Trainer\nif __name__ == '__main__':\n    Trainer(m).train()\n"
    files = {
        "slm/model_zoo/bert/run_a.py": shared,
        "slm/model_zoo/bert/utils.py": "from t import Trainer\n",
        "slm/model_zoo/own/run_b.py": "loss.backward()\n",
        "slm/model_zoo/odd/run_c.py": "loss.backward()\n",
        "llm/config/llama/sft.json": '{"model_name_or_path": "some/llama", "do_train": true}\n',
        "llm/config/llama/ptq.json": '{"model_name_or_path": "some/llama", "do_ptq": true}\n',
    }
    for path, text in files.items():
        target = tmp_path / "kit" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    why = Reason.said("r")
    trainer = ("paddlenlp/trainer/trainer.py", "Trainer.__init__", 9, "model", "g", why)
    own = ("slm/model_zoo/own/run_b.py", "do_train", 3, "model", "g", why)
    hooks = (Hook("a", Status.PRESENT, *trainer), Hook("b", Status.INSERTED, *own))
    skip = Skip("slm/model_zoo/odd/run_c.py", Reason.said("do_train: abstained: two nets"))
    made = ChangeSet(Source("PaddleNLP", tmp_path / "kit", None), hooks, skipped=(skip,))
    survey = survey_kit(find_kit("PaddleNLP"), made, tmp_path / "ws")
    units = {unit.path: unit for row in survey.rows for unit in row.units}
    trains_nothing = {"slm/model_zoo/bert/utils.py", "llm/config/llama/ptq.json"}
    assert set(units) == files.keys() - trains_nothing
    assert units["slm/model_zoo/bert/run_a.py"].before is None
    assert (
        str(units["slm/model_zoo/own/run_b.py"].before)
        == "no hook in slm/model_zoo/own/run_b.py:do_train"
    )
    assert units["slm/model_zoo/own/run_b.py"].after is None
    assert str(units["slm/model_zoo/odd/run_c.py"].after) == "do_train: abstained: two nets"
    assert [unit.path for unit in named(survey, "bert").units] == ["slm/model_zoo/bert/run_a.py"]
    assert not units["llm/config/llama/sft.json"].script
