from __future__ import annotations

import base64
import hashlib
import os
import re
import signal
import socket
import subprocess
import sys
import zipfile
from typing import TYPE_CHECKING

import pytest

from codemod.base.errors import EnvironmentFault, UsageError
from codemod.base.files.workspace import Workspace
from codemod.base.terminal.doing import shown_by
from codemod.kits.catalogue import find_kit
from codemod.kits.sources import changed, resolve
from codemod.kits.sources.fetch import kept

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Git = Callable[..., str]

KITS = """\
kits:
  MiniKit:
    git: {git}
    revision: {revision}
{package}    paddle: ">=2.3"
    python: ">=3.8"
    marks: [tools]
    configs: ["configs/*.yml"]
"""
PACKAGE = "    package: {{name: minikit-train, version: 1.2.0, root: {root}, trainer: {trainer}}}\n"
REFUSED = "https://127.0.0.1:9/owner/MiniKit"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace.at(tmp_path / "workspace")


@pytest.fixture
def upstream(
    tmp_path: Path, minikit: Path, commit: Callable[[Path], str], git: Git
) -> tuple[Path, str]:
    """A bare repository of the kit with a picture in it, and its newest commit."""
    (minikit / "docs").mkdir()
    (minikit / "docs" / "big.png").write_bytes(os.urandom(4096))
    (minikit / ".version").write_text("0.1.0")
    revision = commit(minikit)
    bare = tmp_path / "server" / "owner+MiniKit" / "repo"
    git(tmp_path, "clone", "--quiet", "--bare", str(minikit), str(bare))
    return bare, revision


@pytest.fixture
def write_kits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Put a kits.yaml of one kit in force."""

    def write(git: str, revision: str = "a" * 40, package: str = "") -> None:
        folder = tmp_path / "data"
        folder.mkdir(exist_ok=True)
        text = KITS.format(git=git, revision=revision, package=package)
        (folder / "kits.yaml").write_text(text)
        monkeypatch.setenv("CODEMOD_DATA", str(folder))

    return write


@pytest.fixture
def wheel(tmp_path: Path, minikit: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The kit as a wheel, in a folder that stands for the package index."""
    folder = tmp_path / "index"
    folder.mkdir()
    info = "minikit_train-1.2.0.dist-info"
    files = {
        "mini/tools/train.py": (minikit / "tools" / "train.py").read_bytes(),
        f"{info}/METADATA": b"Metadata-Version: 2.1\nName: minikit-train\nVersion: 1.2.0\n",
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    hashes = {name: hashlib.sha256(data).digest() for name, data in files.items()}
    rows = [
        f"{name},sha256={base64.urlsafe_b64encode(hashes[name]).rstrip(b'=').decode()},{len(data)}"
        for name, data in files.items()
    ]
    with zipfile.ZipFile(folder / "minikit_train-1.2.0-py3-none-any.whl", "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
        archive.writestr(f"{info}/RECORD", "\n".join([*rows, f"{info}/RECORD,,\n"]))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    return folder


# --- folders ----------------------------------------------------------------------------


def test_a_folder_is_a_source_without_a_kit(minikit: Path, workspace: Workspace) -> None:
    source = resolve(str(minikit), None, workspace)
    assert (source.kit, source.root, source.revision) == (None, minikit, None)


def test_a_checkout_s_revision_is_recorded(
    minikit: Path, workspace: Workspace, commit: Callable[[Path], str]
) -> None:
    revision = commit(minikit)
    assert resolve(str(minikit), None, workspace).revision == revision


def test_a_name_with_a_path_says_which_rules_apply(minikit: Path, workspace: Workspace) -> None:
    source = resolve("paddleseg", minikit, workspace)
    assert (source.kit, source.root) == ("PaddleSeg", minikit)
    assert not workspace.root.exists()


@pytest.mark.parametrize("by", ["name", "remote"])
def test_a_checkout_of_a_known_kit_is_recognised(
    by: str, minikit: Path, workspace: Workspace, git: Git
) -> None:
    (minikit / "paddleseg").mkdir()
    root = minikit
    if by == "name":
        root = minikit.rename(minikit.with_name("PaddleSeg"))
    else:
        git(root, "init", "--quiet")
        git(root, "remote", "add", "mine", "git@example.invalid:me/PaddleSeg.git")
    assert resolve(str(root), None, workspace).kit == "PaddleSeg"
    (root / "paddleseg").rmdir()
    assert resolve(str(root), None, workspace).kit is None


def test_a_name_wins_over_a_folder_of_that_name_and_says_so(
    minikit: Path,
    workspace: Workspace,
    write_kits: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    write_kits(REFUSED)
    minikit.rename(minikit.with_name("MiniKit"))
    monkeypatch.chdir(minikit.parent)
    with pytest.raises(EnvironmentFault):
        resolve("MiniKit", None, workspace)
    assert "write ./MiniKit for the folder" in capsys.readouterr().err
    assert resolve("./MiniKit", None, workspace).root.name == "MiniKit"


def test_a_folder_that_is_no_kit_s_name_needs_no_slash(
    minikit: Path, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(minikit.parent)
    assert resolve("minikit", None, workspace).root == minikit


def test_bad_targets_get_one_sentence(tmp_path: Path, minikit: Path, workspace: Workspace) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "empty").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "a.py").write_text("import torch\n")
    expected = {
        str(tmp_path / "nowhere"): "There is no folder",
        str(tmp_path / "file"): "is a file",
        str(tmp_path / "empty"): "is empty",
        str(tmp_path / "other"): "is not a Paddle kit",
        "PadleSeg": "neither a kit nor a folder",
        " ": "target is empty",
    }
    for target, message in expected.items():
        with pytest.raises(UsageError, match=message) as caught:
            resolve(target, None, workspace)
        assert caught.value.remedy
    with pytest.raises(UsageError, match="--path has nothing to say"):
        resolve(str(minikit), minikit, workspace)
    with pytest.raises(UsageError, match="neither a kit"):
        resolve("nonsense", minikit, workspace)


# --- git --------------------------------------------------------------------------------


def test_a_revision_is_fetched_shallow_and_without_pictures_then_kept(
    upstream: tuple[Path, str],
    minikit: Path,
    workspace: Workspace,
    write_kits: Callable[..., None],
    git: Git,
) -> None:
    bare, revision = upstream
    (minikit / "late.py").touch()
    git(minikit, "add", "--all")
    git(minikit, "commit", "--quiet", "--message=later")
    git(minikit, "push", "--quiet", str(bare), "main")
    git(bare, "config", "uploadpack.allowFilter", "true")
    write_kits(f"file://{bare}", revision)
    source = resolve("minikit", None, workspace)
    assert (source.kit, source.revision, source.origin) == ("MiniKit", revision, "git")
    assert source.root == workspace.root / "kits" / "MiniKit"
    assert (source.root / "tools/train.py").is_file()
    assert not (source.root / "docs").exists()
    assert not (source.root / "late.py").exists()
    assert git(source.root, "rev-list", "--count", "HEAD").strip() == "1"
    assert git(source.root, "status", "--porcelain") == ""
    (bare / "HEAD").unlink()
    assert resolve("MiniKit", None, workspace) == source, "kept: the server is not asked again"


def test_the_samples_of_a_kit_are_fetched_with_its_code(
    upstream: tuple[Path, str], workspace: Workspace, write_kits: Callable[..., None]
) -> None:
    bare, revision = upstream
    write_kits(f"file://{bare}", revision, '    samples: ["docs/**"]\n')
    assert (resolve("MiniKit", None, workspace).root / "docs" / "big.png").is_file()


def test_another_pinned_revision_replaces_a_clean_copy_and_spares_an_edited_one(
    upstream: tuple[Path, str],
    minikit: Path,
    workspace: Workspace,
    write_kits: Callable[..., None],
    git: Git,
) -> None:
    bare, first = upstream
    write_kits(f"file://{bare}", first)
    root = resolve("MiniKit", None, workspace).root
    (minikit / "late.py").touch()
    git(minikit, "add", "--all")
    git(minikit, "commit", "--quiet", "--message=later")
    git(minikit, "push", "--quiet", str(bare), "main")
    second = git(minikit, "rev-parse", "HEAD").strip()
    write_kits(f"file://{bare}", second)
    edited = root / "tools" / "train.py"
    before = edited.read_bytes()
    edited.write_bytes(b"# mine\n" + before)
    with pytest.raises(UsageError, match=rf"{first[:12]} with changes in it"):
        resolve("MiniKit", None, workspace)
    assert edited.read_bytes() == b"# mine\n" + before
    edited.write_bytes(before)
    assert resolve("MiniKit", None, workspace).revision == second
    assert (root / "late.py").exists()
    assert resolve("MiniKit", None, workspace, first).revision == first


@pytest.mark.parametrize(
    "place", ["MiniKit", "MiniKit.git", "owner+MiniKit/repo", "fork+MiniKit/repo"]
)
def test_a_mirror_folder_stands_in_for_the_network(
    place: str,
    tmp_path: Path,
    upstream: tuple[Path, str],
    workspace: Workspace,
    write_kits: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    git: Git,
) -> None:
    bare, revision = upstream
    mirror = tmp_path / "mirror" / place
    mirror.parent.mkdir(parents=True)
    bare.rename(mirror)
    picture = git(mirror, "rev-parse", f"{revision}:docs/big.png").strip()
    loose = mirror / "objects" / picture[:2] / picture[2:]
    _explode(mirror, git)
    loose.unlink()  # a mirror may lack its large files
    write_kits(REFUSED, revision)
    monkeypatch.setenv("CODEMOD_MIRROR", str(tmp_path / "mirror"))
    source = resolve("MiniKit", None, workspace)
    assert (source.revision, source.origin) == (revision, "git")
    assert (source.root / "configs/small.yml").is_file()
    assert (source.root / ".version").is_file(), "code may read it when it is imported"
    assert not (source.root / "docs" / "big.png").exists()
    assert git(source.root, "status", "--porcelain") == ""


def _explode(repository: Path, git: Git) -> None:
    """Turn the packs of a repository into loose objects."""
    packs = list((repository / "objects" / "pack").glob("*.pack"))
    for pack in packs:
        aside = repository / pack.name
        pack.rename(aside)
        pack.with_suffix(".idx").unlink()
        with aside.open("rb") as stream:
            command = ["git", "-C", str(repository), "unpack-objects", "-q"]
            subprocess.run(command, stdin=stream, check=True)
        aside.unlink()


def test_a_mirror_that_lacks_the_kit_or_the_revision_is_told(
    tmp_path: Path,
    upstream: tuple[Path, str],
    workspace: Workspace,
    write_kits: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bare, _ = upstream
    write_kits(REFUSED, "b" * 40)
    monkeypatch.setenv("CODEMOD_MIRROR", str(bare.parent.parent))
    with pytest.raises(EnvironmentFault, match=r"cannot be fetched from .*MiniKit"):
        resolve("MiniKit", None, workspace)
    (tmp_path / "void").mkdir()
    monkeypatch.setenv("CODEMOD_MIRROR", str(tmp_path / "void"))
    with pytest.raises(EnvironmentFault, match=r"the mirror .* does not hold it"):
        resolve("MiniKit", None, workspace)
    monkeypatch.setenv("CODEMOD_MIRROR", str(tmp_path / "nowhere"))
    with pytest.raises(UsageError, match="which is not a folder"):
        resolve("MiniKit", None, workspace)


def test_a_mirror_address_gets_the_kit_s_name_appended(
    upstream: tuple[Path, str],
    workspace: Workspace,
    write_kits: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bare, revision = upstream
    bare.rename(bare.parent.parent / "MiniKit")
    write_kits(REFUSED, revision)
    monkeypatch.setenv("CODEMOD_MIRROR", f"file://{bare.parent.parent}/")
    assert resolve("MiniKit", None, workspace).revision == revision


def test_no_network_and_no_package_is_one_sentence(
    workspace: Workspace, write_kits: Callable[..., None]
) -> None:
    write_kits(REFUSED)
    with pytest.raises(EnvironmentFault) as caught:
        resolve("MiniKit", None, workspace)
    assert caught.value.exit_code == 3
    assert f"MiniKit cannot be fetched from {REFUSED}" in caught.value.message
    assert "--path DIR" in caught.value.remedy
    assert list((workspace.root / "kits").iterdir()) == []


def test_a_server_that_never_answers_does_not_hang(
    workspace: Workspace, write_kits: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("codemod.kits.sources.clone.ANSWER_SECONDS", 1)
    with socket.create_server(("127.0.0.1", 0)) as server:
        write_kits(f"https://127.0.0.1:{server.getsockname()[1]}/owner/MiniKit")
        with pytest.raises(EnvironmentFault, match="no answer in 1 s"):
            resolve("MiniKit", None, workspace)


def test_without_git_the_message_says_so(
    workspace: Workspace, write_kits: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_kits(REFUSED)
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(EnvironmentFault, match="git is not installed"):
        resolve("MiniKit", None, workspace)


KILLED = """
import os, pathlib, signal, sys
from codemod.kits.sources import clone, fetch, resolve
from codemod.base.files.workspace import Workspace

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

module, name = sys.argv[1].split(".")
setattr({"clone": clone, "fetch": fetch}[module], name, die)
resolve("MiniKit", None, Workspace.at(pathlib.Path(sys.argv[2])))
"""


@pytest.mark.parametrize("moment", ["clone._check_out", "fetch._settle", "fetch._record"])
def test_a_clone_that_was_cut_off_is_not_taken_for_a_kit(
    moment: str,
    upstream: tuple[Path, str],
    workspace: Workspace,
    write_kits: Callable[..., None],
) -> None:
    bare, revision = upstream
    write_kits(f"file://{bare}", revision)
    command = [sys.executable, "-c", KILLED, moment, str(workspace.root)]
    code = subprocess.run(command, capture_output=True, check=False).returncode
    assert code == -signal.SIGKILL
    assert kept(find_kit("MiniKit"), workspace) is None
    source = resolve("MiniKit", None, workspace)
    assert (source.root / "tools/train.py").is_file()
    assert [place.name for place in (workspace.root / "kits").iterdir()] == ["MiniKit"]


def test_a_revision_must_be_a_whole_commit(
    workspace: Workspace, write_kits: Callable[..., None]
) -> None:
    write_kits(REFUSED)
    with pytest.raises(UsageError, match="not a commit of 40"):
        resolve("MiniKit", None, workspace, "--upload-pack=id")


# --- packages ---------------------------------------------------------------------------


def test_the_package_stands_in_when_git_cannot_be_reached(
    wheel: Path,
    workspace: Workspace,
    write_kits: Callable[..., None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    write_kits(REFUSED, package=PACKAGE.format(root="mini", trainer="true"))
    source = resolve("MiniKit", None, workspace)
    assert "Using the package minikit-train 1.2.0" in capsys.readouterr().err
    assert (source.revision, source.origin) == ("1.2.0", "package")
    assert (source.root / "tools" / "train.py").is_file()
    assert resolve("MiniKit", None, workspace) == source
    assert "to try git again" in capsys.readouterr().err


def test_a_package_without_training_code_does_not_stand_in(
    wheel: Path, workspace: Workspace, write_kits: Callable[..., None]
) -> None:
    write_kits(REFUSED, package=PACKAGE.format(root="mini", trainer="false"))
    with pytest.raises(EnvironmentFault, match="cannot be fetched from"):
        resolve("MiniKit", None, workspace)


def test_neither_git_nor_package_is_one_sentence(
    wheel: Path, workspace: Workspace, write_kits: Callable[..., None]
) -> None:
    (wheel / "minikit_train-1.2.0-py3-none-any.whl").unlink()
    write_kits(REFUSED, package=PACKAGE.format(root="mini", trainer="true"))
    with pytest.raises(EnvironmentFault) as caught:
        resolve("MiniKit", None, workspace)
    assert "Nor can the package minikit-train==1.2.0" in caught.value.message
    assert kept(find_kit("MiniKit"), workspace) is None


def test_a_copy_is_found_without_fetching(
    upstream: tuple[Path, str], workspace: Workspace, write_kits: Callable[..., None]
) -> None:
    bare, revision = upstream
    write_kits(f"file://{bare}", revision)
    assert changed("MiniKit", None, workspace) is None
    source = resolve("MiniKit", None, workspace)
    assert changed("MiniKit", None, workspace) == source


def test_how_far_git_is_reaches_whoever_shows_it(
    upstream: tuple[Path, str],
    write_kits: Callable[..., None],
    workspace: Workspace,
) -> None:
    class Heard:
        def __init__(self) -> None:
            self.texts: list[str] = []

        def say(self, text: str) -> None:
            self.texts.append(text)

        def hide(self) -> None:
            self.texts.append("")

    address, revision = upstream
    write_kits(f"file://{address}", revision)
    heard = Heard()
    with shown_by(heard):
        resolve("MiniKit", None, workspace)
    assert any(re.match(r"Fetching MiniKit: [a-z ]+, 100% \(\d+/\d+\)", t) for t in heard.texts)
