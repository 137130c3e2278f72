from __future__ import annotations

import io
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from rich.console import Console

from codemod.base.changeset import ChangeSet, Edit, EditKind, Hook, Source, Status
from codemod.base.reason import Reason
from codemod.cli.main import run
from codemod.engine import plan_change
from codemod.reports.pullrequest.branch_plan import (
    DEFAULT_NAME,
    BranchRequest,
    components,
    numbered,
)
from codemod.reports.pullrequest.claims.facts import concerning
from codemod.reports.pullrequest.git.push import fork_of, way_to_fork
from codemod.reports.pullrequest.git.repository import opened
from codemod.reports.review.interactive import ask_hooks as interactive
from codemod.reports.review.interactive import decisions_file
from codemod.work.publishing import Publication
from tests.pullrequest.test_series import unsaid

if TYPE_CHECKING:
    from codemod.engine.plan import Plan

TRAIN = """\
import argparse

import paddle

from net import Net, loader


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=1)
    return parser.parse_args()


def main(args):
    model = Net()
    model = paddle.DataParallel(model)
    optimizer = paddle.optimizer.SGD(parameters=model.parameters())
    for _ in range(args.epochs):
        for batch in loader():
            loss = model(batch)
            loss.backward()
            optimizer.step()


if __name__ == "__main__":
    main(parse_args())
"""
NET = """\
import paddle


class Net(paddle.nn.Layer):
    def forward(self, x):
        return x.mean()


def loader():
    yield paddle.ones([2, 3])
"""
NAME = "to-static-training"


@pytest.fixture(autouse=True)
def _apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The workspace goes into a folder of the test, and nobody's address is guessed."""
    monkeypatch.delenv("EMAIL", raising=False)
    monkeypatch.chdir(tmp_path)


@dataclass(frozen=True)
class Clone:
    root: Path

    def git(self, *arguments: str, check: bool = True) -> str:
        done = subprocess.run(
            ["git", "-C", str(self.root), *arguments], capture_output=True, text=True, check=False
        )
        assert not check or done.returncode == 0, done.stderr
        return done.stdout.strip()

    @property
    def lock(self) -> Path:
        """What git holds while it sets the branch."""
        return self.root / ".git" / "refs" / "heads" / f"{NAME}.lock"

    def commit(self, message: str, **files: str) -> str:
        for name, text in files.items():
            (self.root / name.replace("__", "/").replace("_py", ".py")).write_text(text)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)
        return self.git("rev-parse", "HEAD")

    def tip(self, name: str = NAME) -> str:
        return self.git("rev-parse", "--verify", "-q", f"refs/heads/{name}", check=False)

    def log(self, name: str = NAME, form: str = "%s") -> list[str]:
        return self.git("log", "--reverse", f"--format={form}", f"main..{name}").splitlines()

    def show(self, path: str, commit: str = NAME) -> str:
        return self.git("show", f"{commit}:{path}") + "\n"

    def snapshot(self) -> dict[str, bytes]:
        """Every file of the user's: work tree, index, HEAD, config."""
        files = [path for path in self.root.rglob("*") if path.is_file()]
        mine = {"index", "HEAD", "config", "ORIG_HEAD", "COMMIT_EDITMSG"}
        return {
            str(path): path.read_bytes()
            for path in files
            if ".git" not in path.parts or path.name in mine
        } | {"status": self.git("status", "--porcelain=v2", "--branch").encode()}


def make(root: Path, *, identity: bool = True) -> Clone:
    root.mkdir()
    clone = Clone(root)
    clone.git("init", "-q", "-b", "main")
    clone.git("config", "user.name", "Ada Lovelace")
    clone.git("config", "user.email", "ada@example.org")
    clone.commit("Begin", train_py=TRAIN, net_py=NET)
    if not identity:
        clone.git("config", "--unset", "user.name")
        clone.git("config", "--unset", "user.email")
    return clone


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return make(tmp_path / "kit")


def branch(*words: str, target: str = "./kit") -> int:
    return run(["branch", target, *words])


def answer(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> dict[str, Any]:
    capsys.readouterr()
    assert branch(*words, "--json") == code
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def refused(capsys: pytest.CaptureFixture[str], *words: str, code: int = 2) -> str:
    capsys.readouterr()
    assert branch(*words) == code
    seen = capsys.readouterr().err
    assert seen.startswith("Error: ") and "Traceback" not in seen
    return seen


def test_the_branch_holds_plumbing_then_hook_and_each_commit_compiles(
    clone: Clone, capsys: pytest.CaptureFixture[str]
) -> None:
    made = answer(capsys)
    assert made["state"] == "created" and made["base"] == clone.git("rev-parse", "main")
    assert [one["commit"] for one in made["commits"]] == clone.log(form="%H")
    assert clone.log() == [
        "Prepare dynamic-to-static training in train.py",
        "Support dynamic-to-static training",
    ]
    to_come = "The hook comes with the next commit."
    assert to_come in clone.git("log", "-1", "--format=%b", f"{NAME}~1")
    assert to_come not in clone.git("log", "-1", "--format=%b", NAME)
    first = clone.show("train.py", f"{NAME}~1")
    assert "--to_static" in first and "jit.to_static(model)" not in first
    for commit in clone.log(form="%H"):
        compile(clone.show("train.py", commit), "train.py", "exec")
    assert clone.log(form="%an <%ae>")[0] == "Ada Lovelace <ada@example.org>"


def test_branch_patch_and_apply_give_the_same_bytes(
    clone: Clone, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert branch() == 0
    shutil.copytree(clone.root, tmp_path / "applied")
    assert run(["apply", "./applied"]) == 0
    applied = (tmp_path / "applied" / "train.py").read_text()
    capsys.readouterr()
    assert run(["diff", "./kit"]) == 0
    patch = tmp_path / "one.patch"
    patch.write_text(capsys.readouterr().out)
    mailed = make(tmp_path / "mailed")
    mailed.git("apply", "--check", str(patch))
    mailed.git("am", "-q", str(patch))
    assert clone.show("train.py") == applied == (mailed.root / "train.py").read_text()
    assert clone.git("rev-parse", f"{NAME}^{{tree}}") == mailed.git("rev-parse", "HEAD^{tree}")


def test_a_dirty_tree_index_and_head_stay_as_they_are(clone: Clone) -> None:
    (clone.root / "train.py").write_text("not python at all (\n")
    (clone.root / "net.py").write_text(NET + "# staged\n")
    clone.git("add", "net.py")
    (clone.root / "net.py").write_text(NET + "# and edited\n")
    (clone.root / "new.txt").write_text("untracked\n")
    clone.git("stash", "push", "-q", "--", "net.py")
    before = clone.snapshot()
    assert branch() == 0
    assert clone.snapshot() == before
    assert "to_static" in clone.show("train.py") and clone.show("net.py") == NET


def test_a_second_run_finds_the_branch_up_to_date(
    clone: Clone, capsys: pytest.CaptureFixture[str]
) -> None:
    first = answer(capsys)
    again = answer(capsys)
    elsewhere = answer(capsys, "--workspace", "other")
    assert again["state"] == elsewhere["state"] == "up to date"
    assert again["tip"] == elsewhere["tip"] == first["tip"] == clone.tip()
    assert again["commits"] == first["commits"]


def test_asking_for_a_sign_off_later_words_the_commits_anew(
    clone: Clone, capsys: pytest.CaptureFixture[str]
) -> None:
    assert branch() == 0
    assert answer(capsys, "--signoff")["state"] == "updated"
    assert answer(capsys, "--signoff")["state"] == "up to date"
    assert "Signed-off-by" in clone.git("log", "-1", "--format=%b", NAME)


def test_when_the_kit_moved_on_the_branch_is_made_anew(
    clone: Clone, capsys: pytest.CaptureFixture[str]
) -> None:
    first = answer(capsys)
    clone.commit("Go on", net_py=NET + "# more\n")
    second = answer(capsys)
    assert second["state"] == "updated" and second["previous"] == first["tip"]
    assert len(clone.log()) == 2 and clone.show("net.py") == NET + "# more\n"
    assert first["tip"] in clone.git("reflog", NAME, "--format=%H")


def taken(clone: Clone) -> str:
    """The branch, made by the user."""
    clone.git("checkout", "-q", "-b", NAME)
    tip = clone.commit("Mine", mine_py="print('mine')\n")
    clone.git("checkout", "-q", "main")
    return tip


def test_a_taken_name_is_refused(clone: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    tip = taken(clone)
    assert "holds commits that codemod did not make" in refused(capsys)
    assert clone.tip() == tip
    assert branch("--name", "another") == 0 and clone.tip("another")


def test_a_branch_of_ours_that_was_added_to_is_not_moved(
    clone: Clone, capsys: pytest.CaptureFixture[str]
) -> None:
    assert branch() == 0
    clone.git("checkout", "-q", NAME)
    tip = clone.commit("Mine on top", mine_py="print('mine')\n")
    clone.git("checkout", "-q", "main")
    assert "did not make" in refused(capsys)
    assert clone.tip() == tip


@pytest.mark.parametrize(
    ("choice", "state", "subjects", "keeps"),
    [
        ("skip", "left as it is", ["Mine"], True),
        (
            "append",
            "appended",
            [
                "Mine",
                "Prepare dynamic-to-static training in train.py",
                "Support dynamic-to-static training",
            ],
            True,
        ),
        (
            "replace",
            "updated",
            [
                "Prepare dynamic-to-static training in train.py",
                "Support dynamic-to-static training",
            ],
            False,
        ),
    ],
)
def test_what_to_do_with_a_taken_name(
    clone: Clone,
    capsys: pytest.CaptureFixture[str],
    choice: str,
    state: str,
    subjects: list[str],
    keeps: bool,
) -> None:
    tip = taken(clone)
    made = answer(capsys, "--conflict", choice)
    assert made["state"] == state and clone.log() == subjects
    assert ("mine.py" in clone.git("ls-tree", "--name-only", NAME)) is keeps
    assert tip in clone.git("reflog", NAME, "--format=%H")
    if choice == "append":
        assert answer(capsys, "--conflict", "append")["state"] == "up to date"
        assert clone.log() == subjects


def test_a_branch_that_is_checked_out_is_not_moved(
    clone: Clone, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert branch() == 0
    clone.git("worktree", "add", "-q", str(tmp_path / "beside"), NAME)
    clone.commit("Go on", net_py=NET + "# more\n")
    tip = clone.tip()
    assert f"is checked out in {tmp_path / 'beside'}" in refused(capsys)
    assert clone.tip() == tip


def test_detached_head_shallow_and_bare_clones(clone: Clone, tmp_path: Path) -> None:
    clone.commit("Go on", net_py=NET + "# more\n")
    clone.git("checkout", "-q", "--detach", "HEAD~1")
    assert branch() == 0
    assert clone.show("net.py") == NET

    clone.git("clone", "-q", "--depth", "1", f"file://{clone.root}", str(tmp_path / "shallow"))
    shallow = Clone(tmp_path / "shallow")
    shallow.git("config", "user.name", "Ada")
    shallow.git("config", "user.email", "ada@example.org")
    assert shallow.git("rev-parse", "--is-shallow-repository") == "true"
    assert branch(target="./shallow") == 0 and shallow.tip()

    clone.git("clone", "-q", "--bare", str(clone.root), str(tmp_path / "bare.git"))
    bare = Clone(tmp_path / "bare.git")
    bare.git("config", "user.name", "Ada")
    bare.git("config", "user.email", "ada@example.org")
    assert branch("--name", "in-bare", target="./bare.git") == 0
    assert "to_static" in bare.show("train.py", "in-bare")


def test_a_push_from_a_shallow_clone_is_told_what_it_lacks(
    clone: Clone, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clone.commit("Go on", net_py=NET + "# more\n")
    clone.git("clone", "-q", "--depth", "1", f"file://{clone.root}", str(tmp_path / "shallow"))
    shallow = Clone(tmp_path / "shallow")
    shallow.git("config", "user.name", "Ada")
    shallow.git("config", "user.email", "ada@example.org")
    remote_of(shallow, tmp_path)
    assert branch("--push", "fork", target="./shallow") == 2
    seen = capsys.readouterr().err
    assert "shallow update not allowed" in seen and "git fetch --unshallow" in seen


def test_a_given_revision_is_where_the_branch_starts(
    clone: Clone, capsys: pytest.CaptureFixture[str]
) -> None:
    first = clone.git("rev-parse", "HEAD")
    clone.commit("Go on", net_py=NET + "# more\n")
    assert answer(capsys, "--revision", "HEAD~1")["base"] == first


def test_without_an_identity_nothing_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nobody = make(tmp_path / "kit", identity=False)
    seen = refused(capsys)
    assert "does not know who you are" in seen and "git config user.name" in seen
    assert not nobody.tip()
    # Before a revision is so much as looked for: what takes long comes after what is asked.
    assert "does not know who you are" in refused(capsys, "--revision", "nowhere")


def test_read_only_objects_are_told_and_nothing_moves(
    clone: Clone, capsys: pytest.CaptureFixture[str]
) -> None:
    objects = clone.root / ".git" / "objects"
    mode = stat.S_IMODE(objects.stat().st_mode)
    objects.chmod(0o555)
    try:
        assert "cannot be written to" in refused(capsys)
    finally:
        objects.chmod(mode)
    for number in range(256):  # a disk that fails, even for root: no folder can be made
        place = objects / f"{number:02x}"
        if not place.exists():
            place.write_text("")
        else:
            for inner in place.iterdir():
                inner.chmod(0o444)
    assert "cannot be written to" in refused(capsys)
    assert not clone.tip()


def test_a_locked_branch_is_told(clone: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    clone.lock.write_text("")
    said = refused(capsys)
    assert f"The branch {NAME} could not be set" in said
    assert f"{clone.lock}': File exists" in said and "delete it, then" in said
    assert not clone.tip()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--name", "no..good"], "is not a valid branch name"),
        (["--name", "-x"], "is not a valid branch name"),
        (["--revision", "nowhere"], "has no commit nowhere"),
        (["--revision", "--all"], "has no commit --all"),
        (["--push", "nowhere"], "`nowhere` is not a remote"),
        (["--push", "--upload-pack=touch x"], "is not a remote"),
        (["--push", "ext::sh -c touch%20x"], "is not a remote"),
        (["--draft-pr"], "--draft-pr needs a pushed branch"),
    ],
)
def test_bad_input_is_one_sentence(
    clone: Clone, capsys: pytest.CaptureFixture[str], words: list[str], told: str
) -> None:
    assert told in refused(capsys, *words)
    assert clone.git("for-each-ref", "--format=%(refname)") == "refs/heads/main"


def test_what_is_no_repository_is_told(
    clone: Clone, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["branch", "./nothing"]) == 2
    assert "There is no folder" in capsys.readouterr().err
    (clone.root / "inner").mkdir()
    assert run(["branch", "./kit/inner"]) == 2
    assert "is not the top folder of a git repository" in capsys.readouterr().err
    (tmp_path / "unborn").mkdir()
    unborn = Clone(tmp_path / "unborn")
    unborn.git("init", "-q")
    unborn.git("config", "user.name", "Ada")
    unborn.git("config", "user.email", "ada@example.org")
    assert run(["branch", "./unborn"]) == 2
    assert "has no commit yet" in capsys.readouterr().err


def test_no_hook_of_the_repository_runs(clone: Clone, tmp_path: Path) -> None:
    clone.git("init", "-q", "--bare", str(tmp_path / "remote.git"))
    clone.git("remote", "add", "fork", str(tmp_path / "remote.git"))
    names = ("reference-transaction", "pre-push", "pre-commit", "commit-msg", "post-commit")
    for name in names:
        hook = clone.root / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\necho {name} >> {tmp_path}/ran\nexit 1\n")
        hook.chmod(0o755)
    assert branch("--push", "fork") == 0
    assert not (tmp_path / "ran").exists() and clone.tip()


def test_modes_links_submodules_and_line_ends_survive(clone: Clone, tmp_path: Path) -> None:
    (clone.root / ".gitattributes").write_text("*.py text eol=lf ident\n")
    (clone.root / "train.py").write_bytes(TRAIN.replace("\n", "\r\n").encode())
    (clone.root / "train.py").chmod(0o755)
    (clone.root / "link.py").symlink_to("/etc/passwd")
    clone.git("add", ".gitattributes", "link.py")
    blob = clone.git("hash-object", "-w", "--no-filters", "train.py")
    clone.git("update-index", "--cacheinfo", f"100755,{blob},train.py")
    clone.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},third_party/sub")
    clone.git("commit", "-q", "-m", "Odd things")
    assert branch() == 0
    changed = clone.git("diff", "--raw", "main", NAME).split()
    assert changed[:2] == [":100755", "100755"] and changed[-1] == "train.py"
    raw = subprocess.run(
        ["git", "-C", str(clone.root), "cat-file", "blob", f"{NAME}:train.py"],
        capture_output=True,
        check=True,
    ).stdout
    assert raw.count(b"\n") == raw.count(b"\r\n") > TRAIN.count("\n")


def test_signed_off_and_worded_as_the_kit_words_its_commits(clone: Clone) -> None:
    for number in range(4):
        clone.commit(f"[Doc] explain part {number} (#{number})", net_py=NET + f"# {number}\n")
    assert branch("--signoff") == 0
    assert clone.log()[1] == "[Dy2St] support dynamic-to-static training"
    trailers = clone.git("log", "-1", "--format=%(trailers:key=Signed-off-by)", NAME)
    assert trailers == "Signed-off-by: Ada Lovelace <ada@example.org>"
    body = clone.git("log", "-1", "--format=%b", NAME)
    assert "Off by default. Switch it on with:" in body and "--to_static" in body


def remote_of(clone: Clone, tmp_path: Path, name: str = "fork") -> Clone:
    clone.git("init", "-q", "--bare", str(tmp_path / "remote.git"))
    clone.git("remote", "add", name, str(tmp_path / "remote.git"))
    return Clone(tmp_path / "remote.git")


def test_push_and_push_again_after_the_kit_moved_on(
    clone: Clone, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    remote = remote_of(clone, tmp_path)
    first = answer(capsys, "--push", "fork")
    assert first["pushed"] == "fork" and remote.tip() == first["tip"]
    assert first["commands"][0].startswith("gh pr create --draft")
    clone.commit("Go on", net_py=NET + "# more\n")
    second = answer(capsys, "--push", "fork")
    assert second["state"] == "updated"
    assert remote.tip() == second["tip"] != first["tip"]
    assert remote.git("for-each-ref", "--format=%(refname)") == f"refs/heads/{NAME}"
    assert answer(capsys, "--push", "fork")["state"] == "up to date"


def test_a_refused_push_overwrites_nothing_and_keeps_the_branch(
    clone: Clone, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    remote = remote_of(clone, tmp_path)
    theirs = make(tmp_path / "theirs")
    theirs.commit("Theirs", bob_py="print('bob')\n")
    theirs.git("push", "-q", str(remote.root), f"main:{NAME}")
    tip = remote.tip()
    seen = refused(capsys, "--push", "fork")
    assert "fork refuses the push: [rejected] (fetch first)" in seen
    assert "nothing was overwritten" in seen
    assert remote.tip() == tip and clone.tip()


def test_a_branch_on_the_remote_that_others_moved_is_not_overwritten(
    clone: Clone, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    remote = remote_of(clone, tmp_path)
    assert branch("--push", "fork") == 0
    clone.git("clone", "-q", "-b", NAME, str(remote.root), str(tmp_path / "theirs"))
    theirs = Clone(tmp_path / "theirs")
    theirs.git("config", "user.name", "Bob")
    theirs.git("config", "user.email", "bob@example.org")
    tip = theirs.commit("Theirs", bob_py="print('bob')\n")
    theirs.git("push", "-q", "origin", NAME)
    clone.commit("Go on", net_py=NET + "# more\n")
    assert "refuses the push" in refused(capsys, "--push", "fork")
    assert remote.tip() == tip


def test_a_remote_that_is_gone_or_says_no(
    clone: Clone, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    remote = remote_of(clone, tmp_path)
    hook = remote.root / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho no entry >&2\nexit 1\n")
    hook.chmod(0o755)
    seen = refused(capsys, "--push", "fork")
    assert "refuses the push: [remote rejected] (pre-receive hook declined)" in seen
    shutil.rmtree(remote.root)
    assert "refuses the push" in refused(capsys, "--push", "fork")
    assert clone.tip()


def test_without_gh_the_commands_are_printed_and_a_draft_is_refused(
    clone: Clone,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    remote_of(clone, tmp_path)
    tools = tmp_path / "bin"
    tools.mkdir()
    git = shutil.which("git")
    assert git
    (tools / "git").symlink_to(git)
    monkeypatch.setenv("PATH", str(tools))
    assert branch() == 0
    told = capsys.readouterr().out
    assert f"git -C kit push origin {NAME}" in told and "gh pr create --draft" in told
    assert "gh is not installed" in refused(capsys, "--push", "fork", "--draft-pr", code=3)


GH_LOGIN = "#!/bin/sh\n[ \"$1 $2\" = 'api user' ] && echo ada\n"


def test_who_may_not_push_to_the_kit_is_told_the_way_to_a_fork(
    clone: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`origin` is the kit's own repository, to which its maintainers alone push."""
    kit = "https://github.com/PaddlePaddle/PaddleSeg"
    clone.git("remote", "add", "origin", f"{kit}.git")
    repository = opened(clone.root)
    monkeypatch.setenv("PATH", str(fake_gh(tmp_path)), prepend=os.pathsep)
    way = way_to_fork(repository, kit)
    assert way is not None and way.login == "ada"
    assert way.commands == (
        "gh repo fork PaddlePaddle/PaddleSeg --clone=false",
        f"git -C {clone.root} remote add fork https://github.com/ada/PaddleSeg.git",
    )
    assert fork_of(repository, kit) is None
    clone.git("remote", "add", "mine", "git@github.com:ada/PaddleSeg.git")
    assert fork_of(repository, kit) == "mine"
    clone.git("remote", "set-url", "origin", "https://github.com/ada/PaddleSeg")
    assert way_to_fork(repository, kit) is None


def fake_gh(tmp_path: Path) -> Path:
    folder = tmp_path / "programs"
    folder.mkdir()
    (folder / "gh").write_text(GH_LOGIN)
    (folder / "gh").chmod(0o755)
    return folder


def test_gh_opens_a_draft_with_the_text(
    clone: Clone,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    remote_of(clone, tmp_path)
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "gh").write_text(
        f'#!/bin/sh\nprintf "%s\\n" "$@" > {tmp_path}/words\necho https://github.com/o/r/pull/7\n'
    )
    (tools / "gh").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    words = ["--push", "fork", "--draft-pr", "--language", "zh", "--base", "main"]
    made = answer(capsys, *words)
    assert made["pull_request"] == "https://github.com/o/r/pull/7" and made["commands"] == []
    words = (tmp_path / "words").read_text().splitlines()
    assert words[:3] == ["pr", "create", "--draft"]
    assert words[words.index("--body-file") + 1] == made["texts"]["zh"]
    assert words[words.index("--base") + 1] == "main"


TIPC = "test_tipc/configs/{}/train_infer_python.txt"
TIPC_TEXT = """\
===========================train_params===========================
model_name:{0}
norm_train:main.py -c configs/{0}.yaml --seed 1234
===========================train_benchmark_params==========================
batch_size:2
"""
PARSER = """\
line_num=`grep -n -w "to_static_train_benchmark_params" $FILENAME  | cut -d ":" -f 1`
"""
TASKS = """\
import paddle

from ..modeling.builder import build_model
from paddlevideo.utils import get_logger


def train_model(cfg, parallel=True):
    logger = get_logger("paddlevideo")
    paddle.set_device(cfg.get("device", "cpu"))
    model = build_model(cfg.MODEL)
    if parallel:
        model = paddle.DataParallel(model)
    for data in cfg.loader:
        loss = model(data)
        loss.backward()
"""


def test_tipc_and_docs_are_commits_of_their_own(
    clone: Clone, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("A", "B"):
        (clone.root / TIPC.format(name)).parent.mkdir(parents=True)
        (clone.root / TIPC.format(name)).write_text(TIPC_TEXT.format(name))
    (clone.root / "test_tipc" / "test_train_inference_python.sh").write_text(PARSER)
    (clone.root / "docs" / "zh-CN").mkdir(parents=True)
    (clone.root / "docs" / "zh-CN" / "usage.md").write_text("- `-c` 配置\n-  `-o`: 重写参数\n")
    tasks = clone.root / "paddlevideo" / "tasks" / "train.py"
    tasks.parent.mkdir(parents=True)
    tasks.write_text(TASKS)
    (clone.root / "train.py").unlink()
    clone.commit("A kit")
    words = ["branch", "PaddleVideo", "--path", "kit", "--docs", "--tipc", TIPC.format("A")]
    assert run(words) == 0
    assert clone.log()[-3:] == [
        "Support dynamic-to-static training",
        "Document the switch for dynamic-to-static training",
        "Add dynamic-to-static training to the TIPC configs",
    ]
    assert clone.git("diff", "--name-only", "main", NAME).splitlines() == [
        "docs/zh-CN/usage.md",
        "paddlevideo/tasks/train.py",
        TIPC.format("A"),
    ]
    assert clone.show(TIPC.format("A")).endswith("\nto_static_train:-o to_static=True\n")
    assert "`-o to_static=True`" in clone.show("docs/zh-CN/usage.md")
    clone.git("merge", "-q", NAME)
    capsys.readouterr()
    only = ["branch", "PaddleVideo", "--path", "kit", "--tipc", TIPC.format("B"), "--name", "b"]
    assert run([*only, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["title"].startswith("Add dynamic-to-static tr")
    assert clone.log("b") == ["Add dynamic-to-static training to the TIPC configs"]
    assert run([*words, "--name", "none", "--tipc", "test_tipc/configs/C"]) == 2
    assert "There is no TIPC config test_tipc/configs/C." in capsys.readouterr().err


def test_texts_are_written_in_both_languages(
    clone: Clone, capsys: pytest.CaptureFixture[str]
) -> None:
    made = answer(capsys)
    english, chinese = (Path(made["texts"][one]).read_text() for one in ("en", "zh"))
    assert "No model was trained" in english and "没有训练任何模型" in chinese
    for commit in made["commits"]:
        assert commit["commit"][:10] in english and commit["commit"][:10] in chinese
    undo = f"git revert --no-edit {made['base'][:10]}..{made['tip'][:10]}"
    assert undo in english and undo in chinese


@pytest.mark.parametrize("switch", ["config", "env"])
def test_the_command_to_make_it_again_makes_the_same_tree(
    clone: Clone,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    switch: str,
) -> None:
    made = answer(capsys, "--switch", switch)
    assert ("PADDLE_TO_STATIC" in clone.git("show", NAME)) is (switch == "env")
    text = Path(made["texts"]["en"]).read_text()
    words = text.split("then prints nothing\n")[1].splitlines()[0].split()
    monkeypatch.chdir(clone.root)
    assert run([*words[1:], "--workspace", "../again"]) == 0
    assert clone.git("diff", "again", NAME) == "" and clone.tip("again")


def test_the_lines_that_the_text_counts_are_those_that_git_counts(
    clone: Clone, capsys: pytest.CaptureFixture[str]
) -> None:
    """For PaddleRec the command that stood beside 269 lines printed 270."""
    made = answer(capsys)
    text = Path(made["texts"]["en"]).read_text()
    counted = re.search(r"^(\d+) lines? added, (\d+) removed \(`git (.*)`\)", text, re.MULTILINE)
    assert counted
    printed = clone.git(*counted[3].split())
    numbers = {word[:6]: number for number, word in re.findall(r"(\d+) (\w+)", printed)}
    assert (counted[1], counted[2]) == (numbers["insert"], numbers.get("deleti", "0"))
    sizes = opened(clone.root).sizes(made["base"], made["tip"])
    rows = [f"{added}\t{removed}\t{path}" for path, (added, removed) in sorted(sizes.items())]
    assert rows == sorted(clone.git("diff", "--numstat", "main", NAME).splitlines(), key=_path)
    assert all(f"| `{path}` | {n} | {gone} |" in text for path, (n, gone) in sizes.items())


def _path(row: str) -> str:
    return row.split("\t")[2]


def test_the_undo_that_the_text_gives_works(
    clone: Clone, capsys: pytest.CaptureFixture[str]
) -> None:
    made = answer(capsys)
    clone.git("checkout", "-q", NAME)
    clone.git("revert", "--no-edit", f"{made['base']}..{made['tip']}")
    assert clone.git("rev-parse", "HEAD^{tree}") == clone.git("rev-parse", "main^{tree}")


def test_the_text_knows_results_that_were_measured_on_this_very_code(
    clone: Clone, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from codemod.training.launch import hook_checksum

    clone.commit("A config", **{"a.yml": "model: net"})
    shutil.copytree(clone.root, tmp_path / "applied")
    assert run(["apply", "./applied", "--workspace", "elsewhere"]) == 0
    record = {
        "kit": "kit",
        "config": "a.yml",
        "paddle": "3.3.1",
        "hook": hook_checksum(tmp_path / "applied"),
        "edited": {},
        "modes": {"ast": {"verdict": "pass", "steps": 50}},
    }
    results = tmp_path / ".codemod" / "results"
    results.mkdir(parents=True)
    (results / "a.json").write_text(json.dumps(record))
    made = answer(capsys)
    text = Path(made["texts"]["en"]).read_text()
    assert "| `a.yml` | AST | pass | 50 |" in text and "differs from this branch" not in text
    (results / "a.json").write_text(json.dumps({**record, "hook": "0"}))
    assert "differs from this branch" in Path(answer(capsys)["texts"]["en"]).read_text()
    clone.git("rm", "-q", "a.yml")
    clone.commit("No config any more")
    for file in answer(capsys)["texts"].values():
        assert "a.yml" not in Path(file).read_text()


def test_an_edit_is_needed_by_a_hook_that_stands_whichever_are_chosen(two_parts: Clone) -> None:
    """A part of a series named fewer files that concern the kit's own hooks than the whole did."""
    plan = plan_change(Source(None, two_parts.root, None))
    chosen, stood, other = (
        next(i for i, hook in enumerate(plan.hooks) if hook.file == path)
        for path in ("contrib/seg/train.py", "tools/finetune.py", "train.py")
    )
    hooks = [
        replace(hook, status=Status.PRESENT) if index == stood else hook
        for index, hook in enumerate(plan.hooks)
    ]
    made = replace(plan, hooks=tuple(hooks)).change_set(frozenset({chosen}))
    files = [hook.file for hook in made.hooks]
    assert plan.hooks[other].file not in files
    assert concerning(made)[0] == ["tools/options.py"]


def test_a_kit_with_its_hooks_has_nothing_to_do(
    clone: Clone, capsys: pytest.CaptureFixture[str]
) -> None:
    assert branch() == 0
    clone.git("merge", "-q", NAME)
    made = answer(capsys, "--name", "again")
    assert made["state"] == "nothing to do" and not clone.tip("again")


def test_git_variables_of_a_hook_that_runs_us_mean_no_other_repository(
    clone: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make(tmp_path / "other")
    monkeypatch.setenv("GIT_DIR", str(other.root / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other.root / ".git" / "index"))
    assert branch() == 0
    monkeypatch.delenv("GIT_DIR", raising=False)
    monkeypatch.delenv("GIT_INDEX_FILE", raising=False)
    assert clone.tip() and not other.tip()
    assert other.git("status", "--porcelain") == ""


@pytest.mark.parametrize(
    "delay",
    [
        pytest.param(delay, marks=[] if delay in (0.3, 0.6) else pytest.mark.slow)
        for delay in (0.15, 0.3, 0.45, 0.6, 0.75, 0.9)
    ],
)
def test_killed_at_any_moment_nothing_is_lost(clone: Clone, tmp_path: Path, delay: float) -> None:
    (clone.root / "net.py").write_text(NET + "# edited\n")
    before = clone.snapshot()
    command = [sys.executable, "-m", "codemod", "branch", "./kit"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    child = subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL, start_new_session=True
    )
    try:
        child.wait(delay)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
    assert clone.snapshot() == before
    assert "error" not in clone.git("fsck", "--no-dangling")
    if clone.tip():
        assert len(clone.log()) == 2
    # A git that is killed while it sets the branch leaves its lock, which may be anybody's.
    clone.lock.unlink(missing_ok=True)
    assert branch() == 0
    assert len(clone.log()) == 2 and clone.snapshot() == before


def grow(clone: Clone) -> None:
    """Two more trainers: a project of a collection, and a tool of the kit's own."""
    for path in ("contrib/seg/train.py", "tools/finetune.py"):
        (clone.root / path).parent.mkdir(parents=True)
        (clone.root / path).write_text(TRAIN)
    clone.commit("More trainers")


def changed(clone: Clone, name: str = NAME) -> list[str]:
    return clone.git("diff", "--name-only", "main", name).splitlines()


def test_a_branch_of_chosen_files(clone: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    grow(clone)
    answer(capsys, "--only", "contrib/")
    assert changed(clone) == ["contrib/seg/train.py"]
    answer(capsys, "--name", "rest", "--exclude", "contrib/*", "--exclude", "train.py")
    assert changed(clone, "rest") == ["tools/finetune.py"]
    assert "None of the hooks is left" in refused(capsys, "--only", "nowhere/*")


def test_a_branch_for_each_part(clone: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    grow(clone)
    assert branch("--split") == 0
    assert changed(clone, f"{NAME}-contrib-seg") == ["contrib/seg/train.py"]
    assert changed(clone, f"{NAME}-core") == ["tools/finetune.py", "train.py"]
    folder = clone.root.parent / ".codemod/pull-requests/kit"
    assert {path.name for path in folder.iterdir()} == {f"{NAME}-core", f"{NAME}-contrib-seg"}


OPTIONS = """\
import argparse


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=1)
    return parser.parse_args()
"""


@pytest.fixture
def two_parts(clone: Clone) -> Clone:
    """A repository of two parts whose trainers share a parser."""
    begin, end = TRAIN.index("def parse_args"), TRAIN.index("def main")
    script = TRAIN.replace("import argparse\n", "from tools.options import parse_args\n")
    script = script.replace(TRAIN[begin:end], "")
    for path, text in {
        "tools/__init__.py": "",
        "tools/options.py": OPTIONS,
        "contrib/seg/train.py": script,
        "tools/finetune.py": script,
    }.items():
        (clone.root / path).parent.mkdir(parents=True, exist_ok=True)
        (clone.root / path).write_text(text)
    clone.commit("One parser for two trainers")
    return clone


def test_what_several_parts_need_is_a_branch_below_theirs(two_parts: Clone) -> None:
    clone = two_parts
    assert branch("--split") == 0
    below = f"{NAME}-shared"
    assert changed(clone, below) == ["tools/options.py"]
    for name, files in {
        f"{NAME}-contrib-seg": ["contrib/seg/train.py"],
        f"{NAME}-core": ["tools/finetune.py", "train.py"],
    }.items():
        assert clone.git("diff", "--name-only", below, name).splitlines() == files
    # Merged, the parts are what `apply` writes.
    clone.git("checkout", "-q", "-b", "all", below)
    clone.git("merge", "-q", f"{NAME}-core", f"{NAME}-contrib-seg", "-m", "All parts")
    clone.git("checkout", "-q", "main")
    assert run(["apply", "./kit"]) == 0
    clone.git("add", "-A")
    assert clone.git("write-tree") == clone.git("rev-parse", "all^{tree}")


def test_parts_are_planned_on_one_commit_once(
    two_parts: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    plan = Publication.plan

    def counted(self: Publication, source: Source) -> Plan:
        seen.append(source.revision or "")
        return plan(self, source)

    monkeypatch.setattr(Publication, "plan", counted)
    assert branch("--split") == 0
    below = f"{NAME}-shared"
    assert seen == [two_parts.tip("main"), two_parts.tip(below)]


def test_every_part_says_what_it_does_and_can_be_made_again(
    two_parts: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone = two_parts
    assert branch("--series") == 0
    texts = Path(".codemod/pull-requests/kit").resolve()
    monkeypatch.chdir(clone.root)
    for name in (f"{NAME}-1-shared", f"{NAME}-2-core", f"{NAME}-3-contrib-seg"):
        text = (texts / name / "pull-request.en.md").read_text()
        assert unsaid(clone.root, name, text) == []
        command = text.split("then prints nothing\n")[1].splitlines()[0].split()
        assert run([*command[1:], "--workspace", f"../again-{name}"]) == 0
        made = re.findall(r"git diff (again[\w-]*)", text)[0]
        assert clone.git("diff", made, name) == "" and clone.tip(made)
        for one in clone.git("branch", "--list", "again*", "--format=%(refname:short)").split():
            clone.git("branch", "-D", one)


@pytest.mark.parametrize("words", [(), ("--base", "main"), ("--only", "train.py")])
def test_a_formatter_s_settings_count_in_a_branch_as_in_apply(
    clone: Clone, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    (clone.root / "pyproject.toml").write_text("[tool.black]\nline-length = 40\n")
    clone.commit("Format by black")
    answer(capsys, *words)
    made = clone.show("train.py")
    assert run(["apply", "./kit"]) == 0
    assert (clone.root / "train.py").read_text() == made
    (clone.root / "pyproject.toml").unlink()
    clone.git("checkout", "-q", "train.py")
    assert run(["apply", "./kit"]) == 0
    assert (clone.root / "train.py").read_text() != made  # the settings matter here


def test_a_part_whose_hook_is_only_completed_is_a_part_too(tmp_path: Path) -> None:
    def hook(file: str, status: Status) -> Hook:
        return Hook("train", status, file, "train", 3, "model", None, Reason.said("why"))

    def edit(file: str, *hooks: int) -> Edit:
        return Edit(file, EditKind.PLUMBING, 1, hooks=hooks)

    made = ChangeSet(
        Source(None, tmp_path, None),
        hooks=(
            hook("contrib/seg/train.py", Status.INSERTED),
            hook("core/train.py", Status.PRESENT),
            hook("contrib/old/train.py", Status.PRESENT),
        ),
        edits=(edit("tools/prune.py", 1), edit("core/config.py", 0, 1, 2)),
    )
    assert components(made, ("core",)) == {
        "contrib-seg": ("contrib/seg/train.py",),
        "core": ("core/train.py",),
    }


def test_a_branch_of_what_was_answered(clone: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    grow(clone)
    assert "There are no answers" in refused(capsys, "--answered")
    plan = plan_change(Source(None, clone.root, None))
    letters = iter("yny")
    console = Console(file=io.StringIO(), force_terminal=True)
    file = decisions_file(clone.root)
    chosen = interactive(plan, console, decisions=file, ask=lambda _: next(letters))
    wanted = sorted(change.path for change in chosen.change_set.changes)
    assert len(wanted) == 2
    answer(capsys, "--answered")
    assert changed(clone) == wanted


def test_the_draft_goes_to_the_remote_s_default_branch(
    clone: Clone, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    remote_of(clone, tmp_path, "origin")
    clone.git("push", "-q", "origin", "main:develop")
    clone.git("fetch", "-q", "origin")
    clone.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/develop")
    assert "--base develop" in answer(capsys)["commands"][1]
    assert "--base release" in answer(capsys, "--base", "release")["commands"][1]


def test_a_series_is_numbered_in_the_order_to_merge(clone: Clone) -> None:
    grow(clone)
    assert branch("--series") == 0
    first, second = f"{NAME}-1-core", f"{NAME}-2-contrib-seg"
    assert changed(clone, first) == ["tools/finetune.py", "train.py"]
    assert changed(clone, second) == ["contrib/seg/train.py"]
    folder = clone.root.parent / ".codemod/pull-requests/kit"
    text = (folder / second / "pull-request.en.md").read_text()
    assert "Part 2 of 2. It can be merged by itself." in text
    assert "共 2 个 PR，这是第 1 个。" in (folder / first / "pull-request.zh.md").read_text()


def test_a_series_begins_with_what_is_shared_then_core_then_what_can_be_run() -> None:
    whole = BranchRequest("PaddleDemo")
    names = ["shared", "a", "b", "core"]
    parts = [
        replace(whole, name=f"{DEFAULT_NAME}-{name}", only=(f"{name}/train.py",), revision="base")
        for name in names
    ]
    parts = [replace(p, revision=parts[0].name) for p in parts]
    parts[0] = replace(parts[0], shared=("core",), revision="HEAD")
    assert numbered(whole, parts[3:], frozenset()) == [whole]
    made = numbered(whole, parts, frozenset({"b/train.py"}))
    assert [one.name.removeprefix(f"{DEFAULT_NAME}-") for one in made] == [
        "1-shared",
        "2-core",
        "3-b",
        "4-a",
    ]
    assert [one.revision for one in made] == ["HEAD", *[f"{DEFAULT_NAME}-1-shared"] * 3]
    assert {one.series.after for one in made[1:] if one.series} == {made[0].name}
