"""What `--json` prints: one object, of the form that `codemod schema` tells."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
import yaml

from codemod.base.files.workspace import Workspace
from codemod.base.json_form import to_json
from codemod.cli import forms as form_module
from codemod.cli.commands import probe as probe_command
from codemod.cli.commands.parity import parity_object
from codemod.cli.forms import form, forms
from codemod.cli.main import COMMANDS, LazyGroup, run
from codemod.cli.output import versioned
from codemod.experiments.probe.request import ProbeOutcome
from codemod.experiments.reduce.request import Printed, Reduced
from codemod.experiments.reduce.signature import Signature
from codemod.judging.evidence import base
from codemod.judging.evidence.result import (
    FIGURES,
    DynamicResult,
    Grade,
    ModeResult,
    ProbePart,
    Result,
)
from codemod.judging.evidence.rows import EvidenceRow
from codemod.judging.since import ReleaseChange
from codemod.judging.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import click

    Said = Callable[..., tuple[int, Any, str]]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Said:
    """Run a command with --json: exit code, the one object on standard output, the raw text."""

    def call(*words: object) -> tuple[int, Any, str]:
        code = run([*map(str, words), "--json"])
        out = capsys.readouterr().out
        return code, json.loads(out), out

    return call


def closed(schema: Any) -> Any:
    """The schema with no keys but those that it names, so that a key without a form is seen."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: closed(value) for key, value in schema.items()}
    if schema.get("type") == "object" and "properties" in schema and "$schema" not in schema:
        named = {*schema["properties"], "version"}
        made["propertyNames"] = {"enum": sorted(named)}
    return made


def holds(command: str, found: Any) -> None:
    schema = closed(form(command))
    validator = jsonschema.Draft202012Validator(schema)
    faults = sorted(validator.iter_errors(found), key=lambda fault: list(fault.path))
    assert not faults, [jsonschema.exceptions.best_match([fault]).message for fault in faults]
    assert found["version"] == 1


def with_json(group: click.Command, before: str = "") -> Iterator[str]:
    """The commands that take --json."""
    import click

    context = click.Context(group)
    if isinstance(group, click.Group):
        for name in group.list_commands(context):
            found = group.get_command(context, name)
            assert found is not None
            yield from with_json(found, f"{before} {name}".strip())
    elif any("--json" in parameter.opts for parameter in group.params):
        yield before


def test_every_command_with_json_has_a_form_and_the_other_way_round() -> None:
    from codemod.cli.main import cli

    assert isinstance(cli, LazyGroup) and set(COMMANDS) >= {"schema"}
    assert sorted([*with_json(cli), "error"]) == sorted(forms())


@pytest.mark.parametrize("command", forms())
def test_every_form_is_a_schema(command: str) -> None:
    jsonschema.Draft202012Validator.check_schema(form(command))
    assert run(["schema", *command.split()]) == 0


def test_forms_are_listed_and_a_slip_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["schema"]) == 0
    assert capsys.readouterr().out.split("\n")[:-1] == forms()
    assert run(["schema", "nonsense"]) == 2
    assert "One of: kits, apply" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("kits", ["kits"]),
        ("apply", ["apply", "minikit", "--dry-run"]),
        ("apply", ["apply", "minikit", "nowhere", "--dry-run"]),
        ("diff", ["diff", "minikit"]),
        ("check", ["check", "minikit"]),
        ("check", ["check", "minikit", "minikit/."]),
        ("doctor", ["doctor"]),
        ("env", ["env", "PaddleSeg", "--dockerfile"]),
        ("evidence list", ["evidence", "list"]),
        ("evidence list", ["evidence", "list", "PaddleGAN"]),
        ("evidence rejudge", ["evidence", "rejudge"]),
        ("explain", ["explain"]),
        ("explain", ["explain", "D-77"]),
        ("explain", ["explain", "D-77", "pass-partial"]),
        ("rules list", ["rules", "list"]),
        ("rules test", ["rules", "test", "PaddleGAN"]),
        ("report", ["report"]),
        ("error", ["diff", "./nowhere"]),
        ("error", ["diff", "--nonsense"]),
        ("error", ["nonsense"]),
        ("error", ["probe", "PaddleSeg", "--count", "many"]),
        ("error", ["spec"]),
    ],
)
@pytest.mark.usefixtures("small_base")
def test_what_is_printed_is_of_its_form(
    command: str, words: list[str], minikit: Path, said: Said
) -> None:
    code, found, _ = said(*words)
    holds(command, found)
    assert (code >= 2) is (command == "error" or "nowhere" in words)


def test_the_patch_is_in_diff_s_object(
    minikit: Path, said: Said, capsys: pytest.CaptureFixture[str]
) -> None:
    """Bytes that are no UTF-8 come back from it, too."""
    train = minikit / "tools" / "train.py"
    train.write_bytes(b"# coding: latin-1\n# caf\xe9\n" + train.read_bytes())
    _, found, _ = said("diff", minikit)
    holds("diff", found)
    assert run(["diff", str(minikit), "-o", "it.patch"]) == 0
    assert found["patch"].encode("utf-8", "surrogateescape") == Path("it.patch").read_bytes()


def test_a_baseline_s_change_is_of_the_form(minikit: Path, said: Said) -> None:
    said("check", minikit, "--baseline", "base.json", "--write-baseline")
    (minikit / "tools" / "more.py").write_bytes((minikit / "tools" / "train.py").read_bytes())
    _, found, _ = said("check", minikit, "--baseline", "base.json")
    holds("check", found)
    assert "change" in found


def test_a_branch_is_of_the_form(
    minikit: Path, commit: Callable[[Path], str], said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(minikit)
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "A")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "a@example.invalid")
    _, found, _ = said("branch", minikit)
    holds("branch", found)


# One kit's rows for a form that changed; all of them are data.
EACH_KIT = [
    pytest.param(file.stem, marks=[] if file.stem == "Paddle3D" else pytest.mark.slow)
    for file in base.files()
]


@pytest.mark.parametrize("kit", EACH_KIT)
def test_the_base_s_rows_are_of_the_form(kit: str, said: Said) -> None:
    _, found, _ = said("evidence", "list", kit)
    holds("evidence list", found)


def test_evidence_that_is_added_is_of_the_form(
    tmp_path: Path, said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    from codemod.judging.evidence.probe_results import path_of
    from codemod.judging.evidence.result_files import write_result

    place = Workspace.at(tmp_path / "ws")
    result = probed()
    file = path_of(place, result.kit, result.config, result.paddle)
    place.make("probes", result.kit)
    write_result(file, result)
    code, found, _ = said("evidence", "add", "--to", tmp_path / "to", "--workspace", place.root)
    assert code == 0
    holds("evidence add", found)
    (added,) = found["added"]
    assert (added["kit"], added["results"]) == ("PaddleSeg", 1)


def test_verified_evidence_is_of_the_form(
    small_base: Path, tmp_path: Path, said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data"
    (data / "evidence").mkdir(parents=True)
    (data / "evidence" / "PaddleSeg.jsonl").write_text("{}\n")
    monkeypatch.setenv("CODEMOD_DATA", str(data))
    code, found, _ = said("evidence", "verify")
    holds("evidence verify", found)
    assert (code, bool(found["findings"])) == (1, True)


def probed() -> Result:
    mode = ModeResult(Verdict.PASS, steps=2, reason="equal to the bit")
    part = ProbePart(model="Net", family="net", adapter=1, grade=Grade.NET, built=True)
    return Result(
        "PaddleSeg",
        "configs/small.yml",
        "3.3.1",
        {"ast": mode, "sot": mode},
        DynamicResult("ok", steps=2),
        revision="0" * 40,
        probe=part,
        date="2026-01-01T00:00:00+00:00",
        recorder="3",
    )


def test_probes_are_of_the_form(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = ProbeOutcome((probed(),), {"configs/odd.yml": "no model"}, 1, {"x.yml": "node lost"})
    probe_command._print(outcome, as_json=True)
    holds("probe", json.loads(capsys.readouterr().out))


def test_what_changed_between_releases_is_of_the_form() -> None:
    one = to_json(ReleaseChange("3.0.0", "3.1.1", Verdict.PASS, Verdict.CRASH))
    content = probe_command._content(ProbeOutcome((probed(),), {}, 1))
    holds("probe", versioned({**content, "changed": [{"config": "x", "mode": "ast", **one}]}))


def test_forms_and_rows_name_the_figures_of_a_mode() -> None:
    whole = yaml.safe_load(Path(form_module.__file__).with_name("forms.yaml").read_text("utf-8"))
    forms_of = whole["forms"]
    rest = ("reason", "said", "first", "hazard")
    assert tuple(forms_of["ParityMode"]) == ("verdict", *FIGURES, *rest)
    assert set(forms_of["Row"]) == {one.name for one in fields(EvidenceRow)}
    # A row has a mode's figures as the mode has them.
    of_mode = {one.name: (one.type, one.default) for one in fields(ModeResult)}
    of_row = {one.name: (one.type, one.default) for one in fields(EvidenceRow)}
    assert {n: of_row[n] for n in FIGURES if n in of_row}.items() <= of_mode.items()


@pytest.mark.parametrize("kit", EACH_KIT)
def test_every_kept_parity_run_is_of_the_form(kit: str) -> None:
    for result in base.parity_results(kit):
        holds("parity", {"version": 1, **parity_object(result, Path("result.json"))})


def test_a_reduced_program_is_of_the_form() -> None:
    loss = Signature("loss")
    shown = {"3.3.1": {"ast": loss, "sot": None}}
    printed = {"3.3.1": Printed("Paddle 3.3.1: modes differ", 1)}
    made = Reduced("ast", "3.3.1", loss, "program.py", 20, 12, 90, 1.5, True, True, shown, printed)
    holds("reduce", versioned(made.to_json()))


def test_an_observed_spec_is_of_the_form() -> None:
    """What `spec` prints has no cheap run; its fields are named in the form as the code has them."""
    found = {
        "version": 1,
        "kit": "PaddleSeg",
        "config": "c.yml",
        "paddle": "3.3.1",
        "gate": None,
        "evaluated": True,
        "no_evaluation": None,
        "smaller_batch": True,
        "layers": [],
        "check": None,
        "shrunk_by": [],
        "unchecked": None,
        "written": [],
    }
    holds("spec", found)


def test_a_line_that_names_the_encoding_in_that_encoding_is_no_bug(
    minikit: Path, said: Said
) -> None:
    """Python's own reader of such lines raises a SyntaxError; the file stays as it is."""
    train = minikit / "tools" / "train.py"
    train.write_bytes(b"# coding: latin-1, caf\xe9\n" + train.read_bytes())
    code, found, _ = said("diff", minikit)
    assert (code, found.get("error"), found["files_changed"]) == (1, None, 0)
