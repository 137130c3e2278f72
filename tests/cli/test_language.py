"""What a command says in Chinese is Chinese throughout: no sentence of it is left in English."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

from bench.architecture import TOP
from codemod.audit.kinds import kinds
from codemod.base.changeset import ChangeSet, FileChange, Source
from codemod.base.reason import Reason
from codemod.base.terminal.spoken import LANGUAGE, told
from codemod.cli.commands import fix, parity
from codemod.cli.main import run
from codemod.cli.output import mode_reason
from codemod.judging.evidence.fix_proofs import PROOFS
from codemod.judging.evidence.result import ModeResult
from codemod.judging.verdict import Explanation, Verdict
from codemod.kits.catalogue import load_kits
from codemod.work.mending import said_of
from tests.cli.test_check import break_reach, kit
from tests.cli.test_laws import EVERY, takes

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["kit"]

# What a module of `cli/commands` renders reasons with.
RENDERS = re.compile(r"\b(told|mode_reason|print_audit|print_hooks|rendered)\(")
# In English alone, with what they need to speak Chinese as well.
ENGLISH = {
    "evidence": "what is judged anew goes to whoever keeps the base",
    "reduce": "it writes its issue in both languages; the summary is of names",
    "spec": "what was fed is told in shapes and names, and the notes among them",
}
# Code, names of files, addresses and options are the same in both languages.
NAMES = re.compile(r"`[^`]*`|'[^']*'|[\w.-]*[/_.:=][\w./:=-]*|--?[a-z-]+")
SENTENCE = re.compile(r"[A-Za-z]+[,:;]? [a-z]+ [a-z]+")


def english(text: str) -> list[str]:
    """What is left of English sentences."""
    return SENTENCE.findall(NAMES.sub("#", text))


@pytest.fixture
def chinese() -> Iterator[None]:
    with click.Context(click.Command("x")) as context:
        context.meta[LANGUAGE] = "zh"
        yield


def test_every_command_that_renders_reasons_has_the_option() -> None:
    files = sorted((TOP / "codemod/cli/commands").glob("*.py"))
    names = {file.stem for file in files if RENDERS.search(file.read_text(encoding="utf-8"))}
    lacking = {words[0] for words in EVERY if not takes(words, "language")}
    assert {"check", "doctor", "explain", "parity", "probe"} <= names
    assert names & lacking == set(ENGLISH)
    assert takes(("fix",), "language")


def test_the_law_sees_a_sentence_and_no_name() -> None:
    assert english("警告：training reaches no hook")
    assert not english("警告 D-55：`a b c d` 在 ppocr/modeling/net.py:4，见 codemod fix")


@pytest.mark.parametrize("id_", kinds())
def test_a_kind_of_finding_in_chinese(id_: str) -> None:
    summary, remedy = kinds()[id_].told("zh")
    for text in (summary, remedy):
        assert re.search("[\u4e00-\u9fff]", text)
        assert not english(text)


@pytest.mark.parametrize("form", ["text", "github", "sarif"])
def test_check_in_chinese(kit: Path, form: str, capfd: pytest.CaptureFixture[str]) -> None:
    break_reach(kit)
    comment, words = kit.parent / "comment.md", ["--language", "zh", "--comment", "comment.md"]
    assert run(["check", "PaddleOCR", "--path", str(kit), "--format", form, *words]) == 1
    text = capfd.readouterr().out
    if form == "sarif":
        (log,) = json.loads(text)["runs"]
        assert log["language"] == "zh-CN"
        rules = [rule["fullDescription"]["text"] for rule in log["tool"]["driver"]["rules"]]
        text = "\n".join([*rules, *(one["message"]["text"] for one in log["results"])])
    assert "crnn.yml" in text or form == "sarif"
    assert re.search("CRNN.*到达不了|个配置", text)
    assert not english(text)
    said = comment.read_text(encoding="utf-8")
    assert "2 个配置中有 1 个到达转换" in said
    assert not english(said.partition("-->")[2])


def test_what_is_planned_and_written_in_chinese(
    kit: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    place = ["--path", str(kit), "--language", "zh"]
    said = []
    for words in (["apply", "--dry-run"], ["diff"], ["apply"], ["diff"]):
        assert run([words[0], "PaddleOCR", *words[1:], *place]) in (0, 1)
        out, err = capfd.readouterr()
        said.append(err if words == ["diff"] else out)
    # The lines of the code stand among those of the dry run.
    told_of = [
        line for text in said for line in text.splitlines() if line[:1] not in ("+", "-", " ")
    ]
    assert "没有写入任何内容" in said[0]
    assert "1 个文件进行训练" in said[1]
    assert "已插入" in said[2]
    assert "`apply` 已改动此处的" in said[3]
    assert not any(english(line) for line in told_of)


def test_doctor_in_chinese(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert run(["doctor", "--language", "zh"]) == 0
    text = capfd.readouterr().out
    assert "缺少 git           不在 PATH 中\n" in text
    assert "安装 git。" in text
    assert not english(text)


@pytest.mark.parametrize("name", load_kits())
def test_proofs_of_fixes_in_chinese(name: str) -> None:
    for proof in PROOFS.read(name, None):
        if proof.why or not proof.reason:  # older ones have their reason in English alone
            said = said_of(proof).text("zh")
            assert said.startswith("动态图训练：")
            assert not english(said)


@pytest.mark.usefixtures("chinese")
def test_the_total_of_fix_in_chinese() -> None:
    source = Source("PaddleGAN", Path(), None)
    one = ChangeSet(source, (), changes=(FileChange("a.py", b"a\n", b"b\n"),))
    totals = [
        fix._total(change, dry_run, named)
        for change in (ChangeSet(source, ()), one)
        for dry_run, named in ((True, True), (True, False), (False, False))
    ]
    assert told(totals[-1]) == "PaddleGAN：已修改 1 个文件，+0 -0 行"
    assert not any(english(told(total)) for total in totals)


@pytest.mark.usefixtures("chinese")
def test_a_mode_of_parity_in_chinese() -> None:
    said = Reason.of("judging.first", step=0, name="loss", kind="drift")
    hazard = Explanation("D-28", "global-state", "Hand it over as an argument.", "net.py", 4)
    result = ModeResult(Verdict.LOSS_DIFFERS, str(said), said=(said,), hazard=hazard)
    assert mode_reason(result).startswith("loss 不同。首次出现在第 0 步：loss")
    (known,) = parity._explained(result)
    assert told(known) == "D-28 global-state（net.py:4）：改为参数传入，或存为 buffer。"


def test_in_english_a_mode_s_reason_is_as_it_stands_on_file() -> None:
    assert mode_reason(ModeResult(Verdict.PASS, "It is so.")) == "It is so."
