"""Which kit a folder is taken for, and which folders are refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from codemod.base.errors import UsageError
from codemod.base.files.workspace import Workspace
from codemod.kits.sources import changed, remarks, resolve

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from codemod.base.changeset import Source

    Git = Callable[..., str]
    Make = Callable[..., Path]
    Find = Callable[..., Source]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """A folder with a trainer, the given sub-folders, and a README."""

    def made(name: str, *folders: str, readme: bool = True) -> Path:
        root = tmp_path / name
        for folder in ("tools", *folders):
            (root / folder).mkdir(parents=True, exist_ok=True)
        (root / "tools" / "train.py").write_text("import paddle\n")
        if readme:
            (root / "README.md").write_text("# A kit\n")
        return root

    return made


@pytest.fixture
def find(tmp_path: Path) -> Find:
    def found(target: object, path: Path | None = None, *, fetch: bool = True) -> Source:
        workspace = Workspace.at(tmp_path / "workspace")
        source = (resolve if fetch else changed)(str(target), path, workspace)
        assert source is not None
        return source

    return found


@pytest.mark.parametrize(
    ("folder", "marks", "kit"),
    [
        ("PaddleOCR-main", ("ppocr",), "PaddleOCR"),
        ("ocr", ("ppocr",), "PaddleOCR"),
        ("detection-2.6", ("ppdet",), "PaddleDetection"),
        ("yolo", ("ppdet", "configs/yolov7"), "PaddleYOLO"),
        ("rank", ("models/rank",), "PaddleRec"),
    ],
)
def test_marks_alone_make_a_kit_and_that_is_told(
    folder: str,
    marks: tuple[str, ...],
    kit: str,
    make: Make,
    find: Find,
) -> None:
    root = make(folder, *marks)
    assert find(root).kit == kit
    told = f"{root} is taken for {kit}, by its folder {marks[0]}."
    assert remarks(str(root), None, kit) == (told,)


def test_a_name_decides_between_kits_with_the_same_marks(make: Make, find: Find, git: Git) -> None:
    root = make("PaddleDetection", "ppdet", "configs/yolov7")
    assert find(root).kit == "PaddleDetection"
    fork = make("mine", "ppcls", "ppocr")
    git(fork, "init", "--quiet")
    git(fork, "remote", "add", "origin", "https://example.invalid/me/PaddleClas.git")
    assert find(fork).kit == "PaddleClas"
    assert remarks(str(fork), None, "PaddleClas") == ()


def test_marks_of_several_kits_are_refused_unless_one_is_named(make: Make, find: Find) -> None:
    root = make("both", "ppcls", "ppocr")
    with pytest.raises(UsageError, match=r"several kits: PaddleClas \(ppcls\) and PaddleOCR"):
        find(root)
    assert find("paddleocr", root).kit == "PaddleOCR"


def test_that_no_rule_is_used_is_told_unless_a_kit_is_named(make: Make, find: Find) -> None:
    root = make("unknown")
    assert find(root).kit is None
    (told,) = remarks(str(root), None, None)
    assert "so no rule is used" in told
    assert remarks("PaddleSeg", root, "PaddleSeg") == ()
    assert remarks("paddleseg", None, "PaddleSeg") == ()


def test_a_checkout_of_another_kit_is_refused(make: Make, find: Find) -> None:
    root = make("x", "ppocr")
    with pytest.raises(UsageError, match="checkout of PaddleOCR, not of PaddleSeg") as fault:
        find("PaddleSeg", root)
    assert fault.value.exit_code == 2
    assert "Name PaddleOCR" in fault.value.remedy
    # A fork has the marks of what it is like, and the other way round.
    assert find("PaddleYOLO", make("y", "ppdet")).kit == "PaddleYOLO"
    assert find("PaddleDetection", make("z", "ppdet", "configs/yolov7")).kit == "PaddleDetection"
    assert find("PaddleSeg", make("old")).kit == "PaddleSeg"


@pytest.mark.parametrize("named", [True, False])
def test_a_part_of_a_kit_is_refused(named: bool, make: Make, find: Find) -> None:
    root = make("x", "ppocr")
    target = ("PaddleOCR", root / "tools") if named else (root / "tools", None)
    with pytest.raises(UsageError, match="is a part of PaddleOCR, whose top is") as fault:
        find(*target)
    assert fault.value.exit_code == 2


def test_a_kit_within_a_kit_is_a_part_and_a_clone_within_one_is_not(
    make: Make, find: Find, commit: Callable[[Path], str]
) -> None:
    make("video", "paddlevideo")
    inner = make("video/applications/quality", "paddlevideo")
    with pytest.raises(UsageError, match="is a part of PaddleVideo"):
        find(inner)
    commit(inner)
    assert find(inner).kit == "PaddleVideo"


def test_a_folder_beside_one_with_a_kit_s_mark_is_no_part(make: Make, find: Find) -> None:
    make("home", "ppocr", readme=False)
    assert find(make("home/project")).kit is None


def test_a_part_of_an_unknown_repository_is_read_alone_and_that_is_told(
    make: Make, find: Find, commit: Callable[[Path], str]
) -> None:
    root = make("unknown")
    commit(root)
    assert find(root / "tools").kit is None
    _, told = remarks(str(root / "tools"), None, None)
    assert (
        told
        == f"{root / 'tools'} is a part of the repository {root}, of which nothing else is read."
    )


def test_a_folder_that_holds_repositories_is_refused(
    make: Make, find: Find, commit: Callable[[Path], str]
) -> None:
    commit(make("work/kits/one"))
    make("work/kits/two-main", "ppocr")
    root = make("work", readme=False)
    with pytest.raises(UsageError, match="several repositories: kits/one, kits/two-main") as fault:
        find(root)
    assert fault.value.exit_code == 2
    with pytest.raises(UsageError, match="several repositories"):
        find("PaddleOCR", root)
    # Only what it tracks is read, so it can be changed.
    (root / ".gitignore").write_text("kits\n")
    commit(root)
    assert find(root).kit is None


def test_one_repository_below_is_enough_and_archives_of_unknown_ones_count(
    make: Make, find: Find
) -> None:
    make("downloads/PaddleOCR-main", "ppocr")
    with pytest.raises(UsageError, match="another repository: PaddleOCR-main"):
        find(make("downloads", readme=False))
    for name in ("one", "two"):
        (make(f"archives/{name}") / "setup.py").touch()
    with pytest.raises(UsageError, match="several repositories: one, two"):
        find(make("archives", readme=False))


def test_an_archive_of_the_named_kit_from_when_its_code_lay_deeper_is_read(
    make: Make, find: Find
) -> None:
    root = make("seg-2020")
    make("seg-2020/dygraph", "paddleseg")
    assert find("PaddleSeg", root).kit == "PaddleSeg"
    with pytest.raises(UsageError, match="another repository: dygraph"):
        find("PaddleOCR", root)


def test_packages_of_one_unknown_repository_are_not_repositories(make: Make, find: Find) -> None:
    for name in ("one", "two"):
        (make(f"suite/{name}") / "setup.py").touch()
    assert find(make("suite")).kit is None
    # Vendored kits without a top of their own, as some repositories have them.
    make("vendors/models/ppdet", readme=False)
    make("vendors/models/ppcls", readme=False)
    assert find(make("vendors")).kit is None


def test_a_change_can_be_taken_out_of_any_folder(make: Make, find: Find) -> None:
    root = make("x", "ppocr")
    assert find(root / "tools", fetch=False).root == root / "tools"
    assert find("PaddleSeg", root, fetch=False).root == root
