"""The command itself, on a small kit of our own and real Paddle."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from codemod.base.changeset import Source
from codemod.base.errors import UsageError
from codemod.base.files.workspace import Workspace
from codemod.cli.main import run
from codemod.training.run_spec import parse_modes
from codemod.work import comparing
from codemod.work.missing_hooks import missing_hooks
from tests.parity.conftest import PROGRAMS, paddle_python

LAUNCH = """
argv: [known_equal.py, --model, "{config_name}"]
gate_args: [--to-static]
"""


def minikit(folder: Path) -> Path:
    """A kit whose configs are the names of the small models."""
    kit = folder / "minikit"
    kit.mkdir()
    for name in ("common.py", "known_equal.py"):
        shutil.copy(PROGRAMS / name, kit / name)
    (kit / "gated").touch()
    (folder / "launch.yaml").write_text(LAUNCH)
    return kit


@pytest.mark.slow
def test_result_is_kept_and_a_known_run_is_not_run_again(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    kit = minikit(tmp_path)
    words = [
        "parity",
        str(kit),
        "-c",
        "gated",
        "--steps",
        "6",
        "--device",
        "cpu",
        "--json",
        "--launch",
        str(tmp_path / "launch.yaml"),
        "--workspace",
        str(tmp_path / "ws"),
        "--python",
        str(paddle_python("2.6.2")),
    ]
    assert run(words) == 0
    first = json.loads(capfd.readouterr().out)
    assert set(first) == {"version", "kit", "config", "device", "paddle", "modes", "report"}
    assert [fields["verdict"] for fields in first["modes"].values()] == ["pass", "pass"]
    assert first["modes"]["ast"]["programs"] == 1
    assert first["modes"]["sot"]["noise_floor"] == 0.0

    def forbidden(*_: object) -> None:
        raise AssertionError("a known run was run again")

    ran = comparing._run
    monkeypatch.setattr(comparing, "_run", forbidden)
    (kit / "README").write_text("no run reads this")
    assert run(words) == 0
    assert json.loads(capfd.readouterr().out) == first
    assert run(["report", "--workspace", str(tmp_path / "ws"), "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["results"][0]["modes"] == {
        "ast": "pass",
        "sot": "pass",
    }
    assert (tmp_path / "ws" / "results" / "index.html").is_file()
    monkeypatch.setattr(comparing, "_run", ran)
    common = kit / "common.py"
    whole = common.read_text()
    common.write_text(f"raise RuntimeError('broken')\n{whole}")
    assert run(words) == 1, "a broken tree is not known, whatever was measured before"
    verdicts = {one["verdict"] for one in json.loads(capfd.readouterr().out)["modes"].values()}
    assert verdicts == {"dynamic-fails"}
    common.write_text(whole)
    assert run(words) == 0
    assert json.loads(capfd.readouterr().out)["modes"]["ast"]["verdict"] == "pass"


@pytest.mark.slow
def test_runs_side_by_side_have_no_speed_up(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CODEMOD_PROGRESS")
    kit = minikit(tmp_path)
    words = ["parity", str(kit), "-c", "mlp", "--steps", "6", "--device", "cpu", "--jobs", "2"]
    words += ["--launch", str(tmp_path / "launch.yaml"), "--workspace", str(tmp_path / "ws")]
    (kit / "mlp").touch()
    assert run([*words, "--python", str(paddle_python("2.6.2")), "--modes", "ast"]) == 0
    out, err = capfd.readouterr()
    assert "pass" in out
    assert [err.count(f"({name})\n") for name in ("dynamic", "ast")] == [1, 1], err
    (result,) = (tmp_path / "ws" / "results").rglob("*.json")
    content = json.loads(result.read_text())
    assert content["timings"] == "shared"
    assert content["modes"]["ast"]["speedup"] is None
    assert content["modes"]["ast"]["step_ms"] > 0
    assert "--jobs 2" in content["command"]
    assert "shared the machine" in result.with_suffix(".html").read_text()


def test_wrong_usage_is_told_before_anything_runs(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    kit = minikit(tmp_path)
    workspace = ["--workspace", str(tmp_path / "ws")]
    known = ["--launch", str(tmp_path / "launch.yaml"), *workspace]
    for words, code, message in (
        (["-c", "gated", *workspace], 2, "no recipe to launch minikit"),
        (["-c", "absent", *known], 2, "has no config absent"),
        (["-c", "gated", "--modes", "dynamic", *known], 2, "No static mode"),
        (["-c", "gated", "--modes", "jit", *known], 2, "no mode 'jit'"),
        (["-c", "gated", "--python", "/bin/true", *known], 3, "Paddle cannot be imported"),
    ):
        assert run(["parity", str(kit), *words]) == code
        assert message in capfd.readouterr().err
    assert not (tmp_path / "ws" / "results").exists()


@pytest.mark.usefixtures("small_base")
def test_a_report_without_runs_of_ones_own_shows_the_base(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["report", "--workspace", str(tmp_path)]) == 0
    assert " results, 0 of this workspace" in capfd.readouterr().out
    assert (tmp_path / "results" / "index.html").is_file()


def test_modes() -> None:
    assert parse_modes("sot, dynamic ,ast") == ("ast", "sot")
    assert parse_modes("sot") == ("sot",)
    assert parse_modes("cinn,ast") == ("ast", "cinn")


def test_a_checkout_without_any_hook_is_refused(tmp_path: Path) -> None:
    engine = tmp_path / "ppcls" / "engine" / "engine.py"
    engine.parent.mkdir(parents=True)
    text = (
        "import paddle\n\n\nclass Engine:\n    def __init__(self, config):\n"
        "        self.config = config\n        self.out = config['Global']['output_dir']\n"
        "        self.model = build_model(config)\n"
        "        self.model = paddle.DataParallel(self.model)\n\n"
        "    def train(self, loader, optimizer):\n        for image, label in loader:\n"
        "            loss = self.loss(self.model(image), label)\n"
        "            loss.backward()\n            optimizer.step()\n"
    )
    engine.write_text(text)
    place = Workspace.at(tmp_path / "ws")
    kit = Source("PaddleClas", tmp_path, None)
    for _ in ("planned", "kept"):
        with pytest.raises(UsageError, match="1 hook is not in this checkout yet") as refused:
            missing_hooks(kit, Path("a"), place)
        assert refused.value.remedy == "`codemod apply PaddleClas --path a` inserts it."
    assert missing_hooks(Source(None, tmp_path, None), None, place) == ""
    model = "self.model = build_model(config)\n"
    hook = "        if self.config['Global'].get('to_static', False):\n"
    hook += "            self.model = paddle.jit.to_static(self.model)\n"
    engine.write_text(text.replace(model, model + hook))
    assert missing_hooks(kit, None, place) == ""
    # Kept once for each text, and asked anew where a file has another name.
    assert len(list((place.root / "hooks").iterdir())) == 2
    engine.rename(engine.with_name("other.py"))
    assert missing_hooks(kit, None, place) == ""
    assert len(list((place.root / "hooks").iterdir())) == 3
    for file in (place.root / "hooks").iterdir():
        file.write_bytes(b'{"standing": ')
    assert missing_hooks(kit, None, place) == ""
