"""What a recipe asks for besides a command: files that are written for the run."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from codemod.base.changeset import Source
from codemod.base.errors import UsageError
from codemod.training.launch import Setting, commands, commit_of
from codemod.training.recipes import Recipe
from codemod.training.run_spec import RunSpec


def test_a_file_is_written_where_the_recipe_has_its_text(tmp_path: Path) -> None:
    setting = Setting(
        RunSpec("", "a.yaml", 1), tmp_path, tmp_path / "runs", Path(sys.executable), "cpu", 1
    )
    recipe = Recipe(argv=("train.py", "{overlay}"), overlay="_base_: {root}/{config}\n")
    commands(recipe, setting, tmp_path)
    assert [file.name for file in setting.out.iterdir()] == ["overlay.yml"]
    assert (setting.out / "overlay.yml").read_text() == f"_base_: {tmp_path}/a.yaml\n"
    commands(
        replace(recipe, argv=("train.py",), overlay=""),
        replace(setting, folder=tmp_path / "b"),
        tmp_path,
    )
    assert not list((tmp_path / "b" / "out").iterdir())


def test_a_kit_s_own_launcher_is_named(tmp_path: Path) -> None:
    setting = Setting(
        RunSpec("", "a.py", 1), tmp_path, tmp_path / "runs", Path(sys.executable), "cpu", 1
    )
    recipe = Recipe(argv=("{launcher}", "{config}"))
    off, _ = commands(recipe, replace(setting, kit="PaddleNLP"), tmp_path)
    launcher = Path(off.argv[1])
    assert launcher.is_file() and launcher.parts[-3:] == ("rules", "PaddleNLP", "launch.py")
    with pytest.raises(UsageError, match="unknown placeholder"):
        commands(recipe, setting, tmp_path)


PACKAGE = {
    "paddle/__init__.py": "",
    "paddle/utils/__init__.py": "",
    "paddle/utils/download.py": "def get_path_from_url(*_args):\n    raise OSError('fetched')\n",
    "paddlenlp/__init__.py": "",
    "paddlenlp/corpus.py": "from paddle.utils.download import get_path_from_url\n",
    "paddlenlp/transformers/__init__.py": "",
    "paddlenlp/transformers/auto/__init__.py": "",
    "paddlenlp/transformers/auto/modeling.py": """
class _BaseAutoModelClass:
    @classmethod
    def _from_pretrained(cls, asked, **options):
        return asked
class AutoModel(_BaseAutoModelClass):
    @classmethod
    def from_pretrained(cls, asked, **options):
        return cls._from_pretrained(asked, **options)
""",
}
for place, owner in (
    ("auto/tokenizer", "AutoTokenizer"),
    ("model_utils", "PretrainedModel"),
    ("tokenizer_utils_base", "PretrainedTokenizerBase"),
):
    PACKAGE[f"paddlenlp/transformers/{place}.py"] = f"""
class {owner}:
    @classmethod
    def from_pretrained(cls, asked, **options):
        return asked
"""
SCRIPT = """
import os, sys
from paddlenlp.corpus import get_path_from_url
from paddlenlp.transformers.auto.modeling import AutoModel
from paddlenlp.transformers.auto.tokenizer import AutoTokenizer
from paddlenlp.transformers.model_utils import PretrainedModel
from paddlenlp.transformers.tokenizer_utils_base import PretrainedTokenizerBase
class Tokenizer(PretrainedTokenizerBase): pass
for kind in (AutoModel, AutoTokenizer, PretrainedModel, Tokenizer):
    print(os.path.relpath(kind.from_pretrained("ernie-3.0", dropout=0.1)), kind.from_pretrained("other"))
get_path_from_url("https://example.org/words.zip", "home/Words", "an md5")
print(open("home/Words/words/train.tsv").read())
get_path_from_url("https://example.org/more.zip", "home/More", "an md5")
"""


def test_what_a_script_of_paddlenlp_would_fetch_is_taken_from_the_samples(tmp_path: Path) -> None:
    (tmp_path / "samples" / "models" / "ernie-3.0").mkdir(parents=True)
    (tmp_path / "samples" / "datasets" / "Words" / "words").mkdir(parents=True)
    (tmp_path / "samples" / "datasets" / "Words" / "words" / "train.tsv").write_text("a text")
    for name, content in {**PACKAGE, "train.py": SCRIPT}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    launcher = Path(__file__).parents[2] / "rules" / "PaddleNLP" / "launch.py"
    places = {"SAMPLES": str(tmp_path / "samples"), "PYTHONPATH": str(tmp_path)}
    run = subprocess.run(
        [sys.executable, str(launcher), "train.py"],
        cwd=tmp_path,
        env={**os.environ, **places},
        capture_output=True,
        text=True,
        check=False,
    )
    *told, text = [line for line in run.stdout.splitlines() if "placeholders" not in line]
    assert told == ["samples/models/ernie-3.0 other"] * 4 and text == "a text"
    last = run.stderr.splitlines()[-1]
    assert last.startswith("FileNotFoundError: no samples for https://example.org/more.zip in ")


def test_a_fresh_start_of_a_script_sees_no_earlier_one_and_tables_are_json(tmp_path: Path) -> None:
    samples = tmp_path / "samples"
    (samples / "tables").mkdir(parents=True)
    started = tmp_path / "started"
    started.mkdir()
    files = {
        "datasets.py": "def load_dataset(kind, data_files): return kind, data_files['train']\n",
        "cached.py": "import os, datasets\nprint(os.listdir(), os.path.dirname(os.getcwd()))\n"
        "open('cache', 'w').close()\nprint(*datasets.load_from_disk('saved'))\n",
    }
    for name, content in {**PACKAGE, **files}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    launcher = Path(__file__).parents[2] / "rules" / "PaddleNLP" / "launch.py"
    places = {"SAMPLES": str(samples), "PYTHONPATH": str(tmp_path), "FRESH": "1"}
    for _ in range(2):
        run = subprocess.run(
            [sys.executable, str(launcher), str(tmp_path / "cached.py")],
            cwd=started,
            env={**os.environ, **places},
            capture_output=True,
            text=True,
            check=True,
        )
        *_, folder, table = run.stdout.splitlines()
        assert folder == f"[] {started}" and table == "json saved/train.json"


def test_a_measurement_is_of_its_commit_where_hooks_alone_are_edited(
    tmp_path: Path, commit: Callable[[Path], str]
) -> None:
    for name in ("train.py", "net.py", "a.yml"):
        (tmp_path / name).write_text("x: 1\n")
    plain = Source("Kit", tmp_path, None)
    assert commit_of(plain) is None
    source = Source("Kit", tmp_path, commit(tmp_path), "git")
    (tmp_path / "run.log").write_text("of a run")
    assert commit_of(source) == source.revision
    (tmp_path / "train.py").write_text("to_static(net)\n")
    (tmp_path / "a.yml").write_text("x: 1\nto_static: false\n")
    assert commit_of(source) == source.revision
    (tmp_path / "net.py").write_text("x: 2\n")
    assert commit_of(source) is None
    (tmp_path / "net.py").unlink()
    assert commit_of(source) is None
