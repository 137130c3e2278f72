"""What `codemod reduce` refuses before it makes an environment, each with its reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from codemod.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

STEP = "def step(net):\n    return net\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def build(:\n", "is no Python"),
        ("\xff", "has no function `build`"),
        (STEP, "has no function `build`"),
        ("def build():\n    return 1\n", "has no function `step`"),
    ],
)
def test_a_file_that_is_no_program(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "net.py"
    program.write_text(text, encoding="utf-8")
    refused(["--program", str(program)], said, capsys)


def test_a_program_and_a_kit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "net.py"
    program.write_text(STEP)
    refused(["PaddleClas", "--program", str(program)], "Name either", capsys)
    refused(["PaddleClas"], "Name either", capsys)


@pytest.mark.parametrize(
    ("config", "said"), [("nope.yaml", "has no config nope.yaml"), ("*.yaml", "names 2 configs")]
)
def test_a_config_is_one_of_the_kit_s(
    config: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one.yaml", "other.yaml"):
        (tmp_path / name).write_text("a: 1\n")
    (tmp_path / "net.py").write_text("import paddle\n")
    workspace = str(tmp_path / "workspace")
    words = ["PaddleClas", "--path", str(tmp_path), "-c", config, "--workspace", workspace]
    refused(words, said, capsys)


def refused(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["reduce", *words])
    assert ended.value.code == 2
    assert said in capsys.readouterr().err
