from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from codemod.base.changeset import EditKind, Hook, Status
from codemod.base.errors import UsageError
from codemod.base.patch.git_patch import file_patch
from codemod.base.reason import Reason
from codemod.reports.pullrequest.doc_edits import doc_edits, doc_lines
from codemod.reports.pullrequest.tipc_edits import tipc_edits

if TYPE_CHECKING:
    from pathlib import Path

HEADER = "=" * 27 + "to_static_train_benchmark_params" + "=" * 27
SECTION_PARSER = """\
dataline=$(cat ${FILENAME})
IFS=$'\\n'
lines=(${dataline})
line_num=`grep -n -w "to_static_train_benchmark_params" $FILENAME  | cut -d ":" -f 1`
to_static_key=$(func_parser_key "${lines[line_num]}")
to_static_trainer=$(func_parser_value "${lines[line_num]}")
"""
LINE_PARSER = """\
dataline=$(cat ${FILENAME})
IFS=$'\\n'
lines=(${dataline})
to_static_key=$(func_parser_key "${lines[4]}")
to_static_trainer=$(func_parser_value "${lines[4]}")
"""
FUNCTIONS = """\
func_parser_key() { IFS=":"; array=(${1}); echo ${array[0]}; }
func_parser_value() { IFS=":"; array=(${1}); echo ${array[1]}; }
"""


def config(model: str, *rest: str, train: str = "tools/train.py -c a.yml") -> str:
    lines = [
        "===========================train_params===========================",
        f"model_name:{model}",
        f"norm_train:{train}",
        "pact_train:null",
        "null:null",
        "##",
        "===========================train_benchmark_params==========================",
        "batch_size:8",
        *rest,
    ]
    return "\n".join(lines) + "\n"


def path(model: str) -> str:
    return f"test_tipc/configs/{model}/{model}_train_infer_python.txt"


def kit(parser: str, **configs: str) -> dict[str, bytes]:
    files = {path(model): text.encode() for model, text in configs.items()}
    return {**files, "test_tipc/test_train_inference_python.sh": parser.encode()}


def read_by_bash(parser: str, data: bytes, tmp_path: Path) -> str:
    """What the kit's own shell code makes of the config."""
    file = tmp_path / "config.txt"
    file.write_bytes(data)
    script = f'{FUNCTIONS}FILENAME={file}\n{parser}\necho "$to_static_key|$to_static_trainer"\n'
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_the_section_goes_where_other_configs_have_it(tmp_path: Path) -> None:
    at_end = config("A", HEADER, "to_static_train:--to_static")
    files = kit(SECTION_PARSER, A=at_end, B=config("B"))
    ((edit, change),), skips = tipc_edits(files, [path("B")], [])
    assert skips == [] and edit.kind is EditKind.TIPC
    assert (edit.lines_added, edit.lines_removed) == (2, 0)
    assert change.new.decode() == config("B", HEADER, "to_static_train:--to_static")
    assert read_by_bash(SECTION_PARSER, change.new, tmp_path) == "to_static_train|--to_static"


def test_the_section_goes_before_the_one_that_follows_it_elsewhere(tmp_path: Path) -> None:
    benchmark = "===========================train_benchmark_params=========================="
    first = config("A").replace(benchmark, f"{HEADER}\nto_static_train:--on True\n{benchmark}")
    files = kit(SECTION_PARSER, A=first, B=config("B"))
    ((_, change),), _ = tipc_edits(files, ["test_tipc/configs/B"], ["--on"])
    lines = change.new.decode().splitlines()
    assert lines[lines.index(HEADER) + 1 :][:2] == ["to_static_train:--on True", benchmark]
    assert read_by_bash(SECTION_PARSER, change.new, tmp_path) == "to_static_train|--on True"


def test_the_fixed_line_form(tmp_path: Path) -> None:
    other = config("A").replace("null:null\n##", "to_static_train:-o Global.to_static=True\n##")
    files = kit(LINE_PARSER, A=other, B=config("B"))
    ((edit, change),), _ = tipc_edits(files, [path("B")], [])
    assert (edit.lines_added, edit.lines_removed) == (1, 1)
    seen = read_by_bash(LINE_PARSER, change.new, tmp_path)
    assert seen == "to_static_train|-o Global.to_static=True"
    taken = kit(LINE_PARSER, B=config("B").replace("null:null\n##", "fpgm_train:x\n##"))
    edits, skips = tipc_edits(taken, [path("B")], ["--to_static"])
    assert edits == [] and "line 5 is taken: fpgm_train:x" in str(skips[0].reason)


@pytest.mark.parametrize(
    ("train", "value"),
    [
        ("tools/train.py -c a.yml -o Global.seed=1 b=2", "Global.on=true"),
        ("tools/train.py -c a.yml -o", "Global.on=true"),
        ("tools/train.py -c a.yml -o ", "Global.on=true"),
        ("tools/train.py -c a.yml", "-o Global.on=true"),
        ("tools/train.py -o a=1 --seed 3", "-o Global.on=true"),
    ],
)
def test_a_bare_override_gets_its_option_only_where_none_is_open(train: str, value: str) -> None:
    shown = config("A", HEADER, "to_static_train:Global.on=true", train="x.py -o a=1")
    files = kit(SECTION_PARSER, A=shown, B=config("B", train=train))
    ((_, change),), _ = tipc_edits(files, [path("B")], [])
    assert change.new.decode().splitlines()[-1] == f"to_static_train:{value}"


def test_without_another_config_the_hook_s_switch_is_the_value() -> None:
    files = kit(SECTION_PARSER, B=config("B"))
    ((_, change),), _ = tipc_edits(files, [path("B")], ["--to_static"])
    assert change.new.decode().endswith(f"{HEADER}\nto_static_train:--to_static\n")
    for switches in ([], ["to_static: True in the config"]):
        edits, skips = tipc_edits(files, [path("B")], switches)
        assert edits == [] and "names no command line option" in str(skips[0].reason)


def test_a_value_that_no_hook_reads_is_not_taken_over() -> None:
    shown = config("A", HEADER, "to_static_train:model.to_static=True", train="x.py -o a=1")
    files = kit(SECTION_PARSER, A=shown, B=config("B", train="x.py -o a=1"))
    edits, skips = tipc_edits(files, [path("B")], ["--to_static"])
    assert edits == [] and "`model.to_static=True`, but the hooks by `--to_static`" in (
        str(skips[0].reason)
    )
    for switch in ("-o model.to_static=True", "model.to_static: True in the config"):
        edits, _ = tipc_edits(files, [path("B")], ["--other", switch])
        assert len(edits) == 1


def test_what_the_kit_would_not_read_is_not_written() -> None:
    edits, skips = tipc_edits(kit("echo nothing\n", B=config("B")), [path("B")], ["--to_static"])
    assert edits == [] and "reads no to_static_train chain" in str(skips[0].reason)
    off = config("B", "=====disable_to_static_train_benchmark=====", "to_static_train:x=False")
    edits, skips = tipc_edits(kit(SECTION_PARSER, B=off), [path("B")], ["--to_static"])
    assert edits == [] and "switched the chain of this model off" in str(skips[0].reason)
    none = config("B", train="null")
    edits, skips = tipc_edits(kit(SECTION_PARSER, B=none), [path("B")], ["--to_static"])
    assert edits == [] and "no norm_train command" in str(skips[0].reason)


def test_an_empty_line_above_would_mislead_the_kit_s_parser(tmp_path: Path) -> None:
    gap = config("B").replace("##\n", "##\n\n")
    edits, skips = tipc_edits(kit(SECTION_PARSER, B=gap), [path("B")], ["--to_static"])
    assert edits == [] and "empty line" in str(skips[0].reason)
    wrong = (gap + f"{HEADER}\nto_static_train:--to_static\n").encode()
    assert read_by_bash(SECTION_PARSER, wrong, tmp_path) != "to_static_train|--to_static"


def test_a_second_run_adds_nothing_and_odd_endings_survive() -> None:
    crlf = config("B").replace("\n", "\r\n").removesuffix("\r\n")
    files = kit(SECTION_PARSER, B=crlf)
    ((edit, change),), _ = tipc_edits(files, [path("B")], ["--to_static"])
    assert change.new.count(b"\r\n") == change.new.count(b"\n")
    assert (edit.lines_added, edit.lines_removed) == (3, 1)
    again, skips = tipc_edits({**files, path("B"): change.new}, [path("B")], ["--to_static"])
    assert again == [] and skips == []
    tail = config("B") + "\n\n"
    ((_, kept),), _ = tipc_edits(kit(SECTION_PARSER, B=tail), [path("B")], ["--to_static"])
    assert kept.new.decode().endswith("to_static_train:--to_static\n\n\n")


def test_an_unknown_config_names_what_is_near() -> None:
    with pytest.raises(UsageError, match=r"Did you mean test_tipc/configs/Net/Net_train"):
        tipc_edits(kit(SECTION_PARSER, Net=config("Net")), [path("Nat")], [])


def hook(gate: str) -> Hook:
    return Hook("r", Status.INSERTED, "train.py", "main", 3, "model", gate, Reason.said("why"))


def test_the_training_document_gets_its_line_in_its_language() -> None:
    table = "| 参数 | 用途 |\n| --- | --- |\n| keep_checkpoint_max | 个数 |\n\n## 下一节\n"
    files = {
        "docs/train/train_cn.md": table.encode(),
        "docs/train/train.md": table.replace("个数", "count").encode(),
    }
    edits, skips = doc_edits("PaddleSeg", files, [hook("to_static_training")])
    assert skips == [] and [edit.kind for edit, _ in edits] == [EditKind.DOC] * 2
    chinese, english = (change.new.decode() for _, change in edits)
    assert chinese.splitlines()[3].startswith("| to_static_training")
    assert "是否开启动转静训练" in chinese and "Whether to train" in english
    assert b"+| to_static_training" in file_patch(edits[0][1])
    done = {change.path: change.new for _, change in edits}
    assert doc_edits("PaddleSeg", done, [hook("to_static_training")]) == ([], [])


def test_a_document_is_left_alone_with_a_reason() -> None:
    here = {"docs/train/train_cn.md": b"# nothing\n", "docs/train/train.md": b"x\n"}
    _, skips = doc_edits("PaddleSeg", here, [hook("to_static_training")])
    assert "was not found" in str(skips[0].reason)
    _, skips = doc_edits("PaddleSeg", here, [hook("args.other")])
    assert "no hook has the switch `to_static_training`" in str(skips[0].reason)
    _, skips = doc_edits("PaddleSeg", {}, [hook("to_static_training")])
    assert "no such document" in str(skips[0].reason)
    _, skips = doc_edits(None, {}, [])
    assert "no training document" in str(skips[0].reason)


def test_the_table_of_documents_is_well_formed() -> None:

    from codemod.kits.catalogue import load_kits

    for kit_name in load_kits():
        for place in doc_lines(kit_name):
            assert place.text.endswith("\n") and place.unless in place.text
