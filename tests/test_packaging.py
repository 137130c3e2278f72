"""The wheel is whole: it runs without the source checkout."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import trove_classifiers
from packaging.markers import default_environment
from packaging.metadata import Metadata
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from codemod.base.version import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TOP = Path(__file__).parent.parent


@pytest.fixture(scope="module", autouse=True)
def _one_day() -> Iterator[None]:
    """The version of a tree with uncommitted changes has the date, which a test may not see turn."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", "1577836800")
        yield


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=TOP, check=True, capture_output=True)
    (made,) = folder.glob("paddle_codemod-*.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel: Path) -> Path:
    """The wheel, unpacked as an installer would."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(wheel.parent / "site")
    return wheel.parent / "site"


def held(wheel: Path) -> set[str]:
    """The names of a wheel's files."""
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def run(installed: Path, cwd: Path, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-P" if sys.version_info >= (3, 11) else "-B", "-m", "codemod", *words],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_kits_and_rules_travel_in_the_wheel(installed: Path, tmp_path: Path) -> None:
    assert "PaddleYOLO" in run(installed, tmp_path, "kits")
    packed = {file.name for file in (installed / "codemod/data/rules").iterdir()}
    assert packed == {file.name for file in (TOP / "rules").iterdir() if file.name[0] not in "._"}
    assert (installed / "codemod/data/kits.yaml").read_bytes() == (TOP / "kits.yaml").read_bytes()


def test_programs_that_explain_shows_travel_too(installed: Path, tmp_path: Path) -> None:
    said = run(installed, tmp_path, "explain", "returned_twice.py")
    assert "import paddle" in said and "2.6.2  differs: " in said


def test_the_license_travels_in_the_wheel(installed: Path) -> None:
    (packed,) = installed.glob("*.dist-info/licenses/LICENSE")
    assert packed.read_bytes() == (TOP / "LICENSE").read_bytes()
    assert b"Apache License" in packed.read_bytes()


def version_of(installed: Path) -> str:
    """What the installed package says of itself."""
    (metadata,) = installed.glob("*.dist-info/METADATA")
    return str(Metadata.from_email(metadata.read_bytes()).version)


def test_the_command_tells_the_version_of_its_package(installed: Path, tmp_path: Path) -> None:
    assert run(installed, tmp_path, "--version") == f"paddle-codemod {version_of(installed)}\n"


def test_a_tree_that_was_never_installed_has_no_version(tmp_path: Path) -> None:
    shutil.copytree(TOP / "codemod/base", tmp_path / "codemod/base")
    shutil.copy(TOP / "codemod/__init__.py", tmp_path / "codemod")
    program = (
        f"import sys; sys.path = [{str(tmp_path)!r}, *[p for p in sys.path if 'site-' not in p]];"
        "from codemod.base.version import version; print(version())"
    )
    said = subprocess.run(
        [sys.executable, "-S", "-c", program], capture_output=True, text=True, check=True
    )
    assert said.stdout.strip() == UNKNOWN


def built_version(tree: Path) -> str:
    """The version that a build of this tree would have."""
    asked = [sys.executable, "-m", "hatchling", "version"]
    done = subprocess.run(asked, cwd=tree, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def small_tree(tmp_path: Path) -> Path:
    """What says the version of a tree, without git."""
    tree = tmp_path / "tree"
    (tree / "codemod").mkdir(parents=True)
    shutil.copy(TOP / "codemod/__init__.py", tree / "codemod")
    for name in ("pyproject.toml", "README.md", "LICENSE", ".git_archival.txt", ".gitattributes"):
        shutil.copy(TOP / name, tree)
    return tree


def test_the_version_is_the_tag(
    small_tree: Path,
    tmp_path: Path,
    commit: Callable[[Path], str],
    git: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    assert built_version(small_tree) == UNKNOWN
    first = commit(small_tree)
    assert built_version(small_tree).startswith(f"0.0.1.dev1+g{first[:7]}")
    git(small_tree, "tag", "--annotate", "v7.8.9", "--message=7.8.9")
    assert built_version(small_tree) == "7.8.9"
    git(small_tree, "archive", "--output", str(tmp_path / "packed.tar"), "HEAD")
    with tarfile.open(tmp_path / "packed.tar") as archive:
        archive.extractall(tmp_path / "packed", filter="data")
    assert built_version(tmp_path / "packed") == "7.8.9"
    git(small_tree, "commit", "--quiet", "--allow-empty", "--message=next")
    next_ = git(small_tree, "rev-parse", "HEAD")
    assert built_version(small_tree).startswith(f"7.8.10.dev1+g{next_[:7]}")


def test_the_metadata_is_what_an_index_takes(installed: Path) -> None:
    """What `twine check` and the index ask for, by the library that reads it there."""
    (file,) = installed.glob("*.dist-info/METADATA")
    read = Metadata.from_email(file.read_bytes(), validate=True)
    assert read.keywords and read.author and read.license_expression == "Apache-2.0"
    assert read.description_content_type == "text/markdown" and read.description
    assert set(read.classifiers or []) <= trove_classifiers.classifiers
    assert str(read.requires_python) == ">=3.10"
    pythons = re.findall(r"Python :: 3\.(\d+)", " ".join(read.classifiers or []))
    assert pythons == ["10", "11", "12", "13"]


def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path, installed: Path) -> None:
    files = [Path(name) for name in held(wheel)]
    tops = {file.parts[0] for file in files}
    assert tops == {"codemod", f"paddle_codemod-{version_of(installed)}.dist-info"}
    assert not [file for file in files if file.suffix in (".pyc", ".so", ".orig", ".rej")]
    assert Path("codemod/py.typed") in files, "types are for whoever imports it, too"


@pytest.mark.slow
def test_the_source_package_makes_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build"]
    whole = subprocess.run([*build, "-t", "sdist", "-d", str(tmp_path)], cwd=TOP, check=False)
    assert whole.returncode == 0
    (sdist,) = tmp_path.glob("paddle_codemod-*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    (top,) = (tmp_path / "unpacked").iterdir()
    subprocess.run([*build, "-t", "wheel", "-d", str(tmp_path)], cwd=top, check=True)
    (again,) = tmp_path.glob("*.whl")
    assert held(again) == held(wheel)


@pytest.mark.slow
@pytest.mark.parametrize("check", [("twine", "check", "--strict"), ("check_wheel_contents",)])
def test_a_release_passes_its_checks(tmp_path: Path, check: tuple[str, ...]) -> None:
    options: dict[str, Any] = {"cwd": TOP, "capture_output": True, "text": True}
    built = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", str(tmp_path)], **options, check=False
    )
    assert built.returncode == 0, built.stderr
    files = [
        str(file) for file in tmp_path.iterdir() if check[0] == "twine" or file.suffix == ".whl"
    ]
    done = subprocess.run([sys.executable, "-m", *check, *files], **options, check=False)
    assert done.returncode == 0, done.stdout
    # W004 is left out for the programs of Paddle's faults, which nobody imports, and for no more.
    for file in files:
        if file.endswith(".whl"):
            names = [Path(name) for name in zipfile.ZipFile(file).namelist()]
            modules = [name.with_suffix("") for name in names if name.suffix == ".py"]
            odd = {one.parent for one in modules if not all(map(str.isidentifier, one.parts))}
            assert odd <= {Path("codemod/data/docs/paddle-issues")}


def test_the_changelog_has_every_tag() -> None:
    text = (TOP / "CHANGELOG.md").read_text(encoding="utf-8")
    assert "\n## [Unreleased]" in text and "\n## [0.1.0]" in text
    asked = ["git", "tag", "--list", "v[0-9]*"]
    tags = subprocess.run(asked, cwd=TOP, capture_output=True, text=True, check=True).stdout
    assert [tag for tag in tags.split() if f"\n## [{tag[1:]}]" not in text] == []


def test_the_installed_tool_does_its_main_job(
    installed: Path, tmp_path: Path, minikit: Path
) -> None:
    assert "1 hook inserted" in run(installed, tmp_path, "apply", str(minikit))
    assert "restored tools/train.py" in run(installed, tmp_path, "revert", str(minikit))


def test_the_lock_file_names_no_index_and_pins_by_hash() -> None:
    text = (TOP / "requirements.lock").read_text()
    assert "://" not in text
    assert "index-url" not in text
    pins = [line for line in text.splitlines() if line and line[0].isalpha()]
    assert len(pins) > 20
    assert all("==" in pin and pin.endswith("\\") for pin in pins)


def test_every_extra_that_a_locked_package_asks_for_is_locked_as_well() -> None:
    """pip looks for the newest `name[extra]` where the lock pins `name` alone, and finds no hash."""
    locked = {
        canonicalize_name(line.name): line.extras
        for line in map(Requirement, _locked_lines("requirements.lock"))
    }
    here = {key: str(value) for key, value in default_environment().items()}
    missing = []
    for package in metadata.distributions():
        if canonicalize_name(package.metadata["Name"]) not in locked:
            continue
        for wanted in map(Requirement, package.requires or ()):
            asked = any(
                wanted.marker is None or wanted.marker.evaluate({**here, "extra": extra})
                for extra in ("", *locked[canonicalize_name(package.metadata["Name"])])
            )
            lacks = wanted.extras - locked.get(canonicalize_name(wanted.name), wanted.extras)
            if asked and lacks:
                missing.append(f"{package.metadata['Name']}: {wanted}")
    assert not missing


def _locked_lines(name: str) -> list[str]:
    """The requirements of a lock file that hold here, without their hashes."""
    text = (TOP / name).read_text(encoding="utf-8")
    lines = re.findall(r"^[a-z0-9][^\\\n]*", text, re.M)
    return [
        line for line in lines if (marker := Requirement(line).marker) is None or marker.evaluate()
    ]
