"""Launch recipes: data without code, checked when read."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from typing import TYPE_CHECKING

import pytest
import yaml

from codemod.base.errors import UsageError
from codemod.kits.catalogue import load_kits
from codemod.kits.folder import RECIPE, kit_file
from codemod.training.launch import device_values
from codemod.training.recipes import Recipe, command_line, fill, known_kits, read_recipe, run_text
from codemod.training.samples import kinds_of

if TYPE_CHECKING:
    from pathlib import Path

VALUES = dict.fromkeys(
    (
        "config",
        "config_dir",
        "config_name",
        "data",
        "out",
        "overlay",
        "device",
        "use_gpu",
        "seed",
        "steps",
        "root",
        "launcher",
    ),
    "X",
)
KNOWN = known_kits()


@pytest.mark.parametrize("kit", KNOWN)
def test_shipped_recipes_are_sound(kit: str) -> None:
    recipe = read_recipe(kit, "any.yml")
    assert kit in load_kits()
    assert recipe.data in ("", *kinds_of(kit))
    off = command_line(recipe, False, ("a=1",), VALUES)
    on = command_line(recipe, True, ("a=1",), VALUES)
    if not recipe.why_not:
        assert set(off) < set(on) or len(off) < len(on), "the gate must change the command"
    assert off[-1] == on[-1] == "a=1", "the user's options come last"


@pytest.mark.parametrize("kit", KNOWN)
def test_why_a_config_cannot_be_trained_is_said_in_both_languages(kit: str) -> None:
    """A pull request's text tells it; in Chinese an English reason stood there."""
    file = kit_file(kit, RECIPE)
    assert file is not None
    cases = yaml.safe_load(file.read_text("utf-8")).get("cases", ())
    told = [(case["why_not"], case.get("why_not_zh", "")) for case in cases if "why_not" in case]
    assert all(re.search(r"[\u4e00-\u9fff]", zh) for _, zh in told), told


def named_by(glob: str) -> str:
    """A config's path that the glob fits."""
    name = re.sub(r"\[!(.*?)\]", lambda but: min({*"xyz"} - {*but.group(1)}), glob)
    name = re.sub(r"\[(.).*?\]", r"\1", name).replace("*", "x").replace("?", "x")
    assert fnmatch(name, glob), (name, glob)
    return name


def every_recipe(kit: str) -> list[Recipe]:
    """All that a kit's recipe and its cases make, each once."""
    file = kit_file(kit, RECIPE)
    assert file is not None
    cases = yaml.load(file.read_text(encoding="utf-8"), yaml.CSafeLoader).get("cases", [])
    names = ["any.yml", *(named_by(glob) for case in cases for glob in case["configs"])]
    made = (read_recipe(kit, name) for name in names)
    return list({run_text(recipe): recipe for recipe in made}.values())


def told(recipe: Recipe, device: str) -> str:
    """All that a recipe hands to the kit for a run on a device: command, variables, config."""
    values = {**VALUES, **device_values(device)}
    texts = (*(f"{name}={text}" for name, text in recipe.env.items()), recipe.overlay)
    return " ".join((*command_line(recipe, False, (), values), *fill(texts, values)))


ON_CPU = r"use_(gpu|cuda)\W+(False|0)|(device|place)\W+cpu|--(no[-_]cuda|cpu)|CUDA_VISIBLE_DEVICES"
ON_GPU = r"use_(gpu|cuda)\W+(True|1)|(device|place)\W+gpu"
# Its trainer takes the card wherever Paddle is built for one, and asks nobody.
ASKS_PADDLE = ("Paddle3D",)


@pytest.mark.parametrize("kit", KNOWN)
def test_every_recipe_trains_where_it_is_told(kit: str) -> None:
    """A device that is written into a recipe would be a CPU's run told as a card's."""
    recipes = every_recipe(kit)
    assert recipes
    for recipe in recipes:
        on_cpu, on_gpu = told(recipe, "cpu"), told(recipe, "gpu:0")
        assert re.findall(ON_CPU, on_gpu, re.I) == re.findall(ON_GPU, on_cpu, re.I) == []
        # A script that no case names gets its switch and nothing else.
        if (recipe.set or recipe.args) and not recipe.why_not:
            assert (on_cpu == on_gpu) is (kit in ASKS_PADDLE), on_cpu
        assert on_gpu == told(recipe, "gpu:1"), "the run sees its card alone, as the first one"


@pytest.mark.parametrize(
    "fixed",
    [
        "set: [Global.use_gpu=False]",
        "set: ['use_gpu: False']",
        "args: [--device, cpu]",
        "args: [--no-cuda]",
        "args: [--device, gpu]",
        "env: {CUDA_VISIBLE_DEVICES: '0'}",
        "overlay: 'runner: {use_gpu: False}'",
    ],
)
def test_a_device_in_a_recipe_is_seen(tmp_path: Path, fixed: str) -> None:
    recipe = read_recipe("kit", "x", write(tmp_path, f"{{argv: [a], {fixed}}}"))
    on_cpu, on_gpu = told(recipe, "cpu"), told(recipe, "gpu:0")
    assert re.findall(ON_CPU, on_gpu, re.I) or re.findall(ON_GPU, on_cpu, re.I)


def test_matting_has_a_trainer_data_and_switch_of_its_own() -> None:
    seg = read_recipe("PaddleSeg", "configs/fastscnn/fastscnn_cityscapes_1024x1024_160k.yml")
    matting = read_recipe("PaddleSeg", "Matting/configs/modnet/modnet-mobilenetv2.yml")
    assert (seg.data, matting.data) == ("segmentation", "matting")
    assert "model.num_classes=2" in seg.set
    off, on = (command_line(matting, gate, (), VALUES) for gate in (False, True))
    assert set(on) - set(off) == {"to_static_training=True"}
    assert off[0] == "Matting/tools/train.py" and not any("num_classes" in word for word in off)


def test_a_model_s_file_is_trained_by_a_script_for_that_model_alone() -> None:
    others = "ernie ernie_doc ernie_gen ernie_layout bert glm artist opt auto encodec t5"
    names = ["electra", "albert", "ernie_m", *others.split()]
    recipes = {
        name: read_recipe("PaddleNLP", f"paddlenlp/transformers/{name}/modeling.py")
        for name in names
    }
    trained = [name for name, recipe in recipes.items() if not recipe.why_not]
    assert trained == ["electra", "albert", "ernie_m"]
    for name in trained:
        off = command_line(recipes[name], False, (), VALUES)
        assert off[1].endswith("text_classification/multi_class/train.py")
        assert [word for word in off if "models" in word] == [f"X/models/{name}"]


def test_a_language_model_s_json_is_read_by_the_kit_s_script() -> None:
    recipe = read_recipe("PaddleNLP", "llm/config/qwen/sft_argument.json")
    off, on = (command_line(recipe, gate, (), VALUES) for gate in (False, True))
    assert off[:3] == ("X", "run_finetune.py", "X/X") and recipe.cwd == "llm"
    assert off[-1] == "X/models/qwen2" and set(on) - set(off) == {"--to_static"}


def test_a_switch_in_a_yaml_file_is_another_file() -> None:
    for script in ("slm/examples/simultaneous_translation/stacl", "tests/transformer"):
        recipe = read_recipe("PaddleNLP", f"{script}/train.py")
        off, on = (command_line(recipe, gate, (), VALUES) for gate in (False, True))
        assert on[: len(off)] == off and on[len(off) :] == ("--config", "X/X-to_static.yaml")
        assert "X/X.yaml" in off and "attrdict3" in recipe.requirements


def write(path: Path, text: str) -> Path:
    file = path / "launch.yaml"
    file.write_text(text)
    return file


def test_cases_add_to_their_kit(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        """
argv: [train.py]
set: [a=1]
flag: --opt
style: once
gate_set: [static=True]
size: 32
cases:
  - {configs: ["big/*"], set: [b=2], size: 64}
""",
    )
    small, big = (read_recipe("kit", config, file) for config in ("small/x.yml", "big/x.yml"))
    assert (small.size, big.size) == (32, 64)
    assert command_line(small, False, (), VALUES) == ("train.py", "--opt", "a=1")
    assert command_line(big, True, ("c=3",), VALUES) == (
        "train.py",
        "--opt",
        "a=1",
        "b=2",
        "static=True",
        "c=3",
    )


def test_a_case_leaves_out_options_that_its_trainer_lacks(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        """
argv: [train.py]
args: [--seed, "{seed}", --quiet, --sizes, "1", "2", --out, here]
set: [a=1, b.c=2, b=3]
style: bare
cases:
  - {configs: ["other/*"], unset: [--seed, --sizes, b.c]}
""",
    )
    other = read_recipe("kit", "other/x.yml", file)
    assert command_line(other, False, (), VALUES) == (
        "train.py",
        "--quiet",
        "--out",
        "here",
        "a=1",
        "b=3",
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{argv: [a], typo: 1}", r"launch.yaml:1: `typo` is not a known key"),
        ("{argv: a}", "must be a list"),
        ("{cwd: a}", "lacks argv"),
        ("[1]", "must be a mapping"),
        ("{argv: [", r"launch.yaml:2: not valid YAML"),
        ("{argv: [a], count: abc}", r"launch.yaml:1: `count` must be a whole number"),
        ("{argv: [a], cases: 5}", "`cases` must be a list"),
        (
            "argv: [a]\ncases:\n- {configs: [x], env: [a]}",
            r"launch.yaml:3: .*env` must be a mapping",
        ),
        ("{argv: [a], style: evry}", "is `evry`. Write one of: each, once, bare"),
        ("{argv: [a], cases: [{set: [a]}]}", "lacks configs"),
        ("{argv: [a], cases: [{configs: [x], sett: [a]}]}", "not a known key"),
        ("{argv: ['{nothing}']}", "unknown placeholder"),
    ],
)
def test_faults_are_told(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        command_line(read_recipe("kit", "x", write(tmp_path, text)), False, (), VALUES)


def test_a_kit_without_recipe_is_told() -> None:
    with pytest.raises(UsageError, match="no recipe to launch kit"):
        read_recipe("kit", "x")
