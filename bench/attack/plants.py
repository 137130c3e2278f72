"""What a hostile repository may hold: each plant adds one thing to a repository."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import subprocess
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codemod.base.files.state import tree_key

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Collection
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class World:
    """The folders of one attempt: the repository, and what it must not reach."""

    folder: Path

    @property
    def kit(self) -> Path:
        """The hostile repository."""
        return self.folder / "kit"

    @property
    def home(self) -> Path:
        """The home folder of whoever looks at it."""
        return self.folder / "home"

    @property
    def other(self) -> Path:
        """Another checkout of theirs."""
        return self.folder / "other"

    @property
    def cwd(self) -> Path:
        """A folder in which they may stand."""
        return self.folder / "cwd"

    @property
    def outside(self) -> tuple[Path, ...]:
        """Where nothing may change."""
        return (self.home, self.other, self.cwd)

    @property
    def workspace(self) -> Path:
        """The workspace, where one is named."""
        return self.folder / "workspace"

    @property
    def out(self) -> Path:
        """Where a command is asked to write."""
        return self.folder / "out"

    @property
    def program(self) -> Path:
        """The program that the repository names wherever a program can be named."""
        return self.folder / "program"

    @property
    def mark(self) -> Path:
        """What that program leaves."""
        return self.folder / "was-here"


PLANTS: dict[str, Callable[[World, random.Random], None]] = {}


def plant(
    function: Callable[[World, random.Random], None],
) -> Callable[[World, random.Random], None]:
    """Enter a plant in the table under its name."""
    PLANTS[function.__name__.replace("_", " ")] = function
    return function


def git(root: Path, *words: str, stdin: bytes = b"") -> bytes:
    """Run git while a repository is being made."""
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    return subprocess.run(
        ["git", "-C", os.fspath(root), *who, *words], check=True, capture_output=True, input=stdin
    ).stdout


def grow(world: World, kinds: Collection[str], draw: random.Random) -> None:
    """Plant these kinds, in the order of the table; sometimes the files are committed.

    What breaks git comes last, or there would be nothing to commit with.
    """
    committed = draw.random() < 0.6
    for kind, planted in PLANTS.items():
        if kind == "git config" and committed:
            git(world.kit, "add", "-A", "-f")
            git(world.kit, "commit", "-qm", "planted", "--allow-empty")
        if kind in kinds:
            with contextlib.suppress(FileExistsError):
                planted(world, draw)
    world.mark.unlink(missing_ok=True)


def _note(root: Path, path: str, before: bytes, after: bytes) -> str:
    packed = [base64.b85encode(zlib.compress(data)).decode() for data in (before, after)]
    entry = {"path": path, "groups": [], "before": packed[0], "after": packed[1]}
    return json.dumps({"version": 2, "root": str(root), "run": "0", "files": [entry]}, indent=1)


@plant
def journal(world: World, draw: random.Random) -> None:
    """A journal in the workspace that would write over a file elsewhere."""
    path = draw.choice((f"{world.home}/.bashrc", "../home/.bashrc", "train.py"))
    root = draw.choice((world.kit, world.other, world.home))
    was = (world.home / ".bashrc").read_bytes()
    if path == "train.py":
        was = (world.kit / path).read_bytes()
    trees = world.kit / ".codemod" / "trees"
    for name in (tree_key(root), "kit"):
        (trees / name / "unfinished" / "home").mkdir(parents=True, exist_ok=True)
        for kind in ("journal.json", "record.json", "_undo"):
            (trees / name / kind).write_text(_note(root, path, b"planted\n", was))


@plant
def source_note(world: World, draw: random.Random) -> None:
    """A kit in the workspace whose note leads to another checkout."""
    folder = world.kit / ".codemod" / "kits" / "PaddleGAN"
    folder.mkdir(parents=True)
    root = draw.choice((str(world.other), "../../../../other", "."))
    content = {"origin": draw.choice(("git", "package")), "revision": "a" * 40, "root": root}
    (folder / ".codemod-source.json").write_text(json.dumps(content))


@plant
def linked_kit(world: World, draw: random.Random) -> None:
    """A kit in the workspace that is a link to another checkout."""
    kits = world.kit / ".codemod" / "kits"
    if draw.random() < 0.5:
        kits.mkdir(parents=True)
        (kits / "PaddleGAN").symlink_to(world.other)
    else:
        kits.parent.mkdir()
        kits.symlink_to(world.home)


@plant
def linked_workspace(world: World, draw: random.Random) -> None:
    """A workspace that is a link."""
    (world.kit / ".codemod").symlink_to(draw.choice((world.home, world.other)))


@plant
def result_files(world: World, draw: random.Random) -> None:
    """Results in the workspace that name pictures elsewhere and hold markup."""
    folder = world.kit / ".codemod" / "results" / "PaddleSeg"
    folder.mkdir(parents=True)
    content = {
        "kit": "PaddleSeg",
        "config": "configs/a.yml\n# heading\x1b[2J",
        "command": "codemod 'parity",
        "paddle": draw.choice(("2.6.2", ["x"], "<script>")),
        "pictures": [str(world.home / "secret.png"), "../../../../home/secret.png"],
        "modes": {"ast": {"verdict": draw.choice(("pass", 5, "![x](http://y)"))}},
    }
    (folder / "a.json").write_text(json.dumps(content))
    (folder / "b.json").write_text("[" * 100_000)


@plant
def submodule(world: World, draw: random.Random) -> None:
    """A repository within, with a config of its own."""
    inner = world.kit / "sub"
    inner.mkdir()
    git(inner, "init", "-q")
    (inner / "train.py").write_bytes((world.kit / "train.py").read_bytes())
    git(inner, "add", "-A")
    git(inner, "commit", "-qm", "inner")
    (world.kit / ".gitmodules").write_text(
        f'[submodule "sub"]\n\tpath = sub\n\turl = ext::{world.program}\n'
        f"\tupdate = !{world.program}\n"
    )
    for key in ("core.fsmonitor", "core.hooksPath", "filter.x.clean", "diff.external"):
        git(inner, "config", key, str(world.program))
    if draw.random() < 0.5:
        (inner / "train.py").write_text("import paddle  # edited\n")


@plant
def names(world: World, draw: random.Random) -> None:
    """Files whose names are commands, options, escape sequences or not text."""
    source = (world.kit / "train.py").read_bytes()
    listed = (
        b"a\x1b[31mb.py",
        b"a\nb.py",
        b"caf\xe9.py",
        b"$(touch x).py",
        b"`x`.py",
        b";x.py",
        b"--output=x.py",
        b"-c.py",
        b"~.py",
        b"$HOME.py",
        b"a\x1b]0;t\x07.yml",
        b":(top)x.py",
        b"\xe2\x80\xae.py",
        b"x.py\r",
    )
    for name in draw.sample(listed, draw.randint(2, len(listed))):
        with open(os.path.join(os.fsencode(world.kit), name), "wb") as file:  # noqa: PTH118, PTH123 - bytes
            file.write(source if name.endswith(b".py") else b"a: 1\n")


@plant
def links(world: World, draw: random.Random) -> None:
    """Trainers and configs that are links to what lies elsewhere."""
    train = world.kit / "train.py"
    how = draw.randrange(4)
    if how == 0:
        train.unlink()
        train.symlink_to(world.home / "secret.py")
    elif how == 1:
        train.unlink()
        train.hardlink_to(world.home / "secret.py")
    elif how == 2:
        (world.kit / "more").symlink_to(world.other)
    else:
        (world.kit / "configs" / "b.yml").symlink_to(world.home / ".bashrc")
        (world.kit / "two.py").symlink_to(world.home / "secret.py")


@plant
def configs(world: World, draw: random.Random) -> None:
    """Configs that would make objects, or import or run something."""
    call = f"os.system('{world.program}')"
    listed = {
        "tag.yml": f"!!python/object/apply:os.system ['{world.program}']\n",
        "tag2.yml": f"model: !!python/object/new:os.system ['{world.program}']\n",
        "include.yml": "_base_: ../../home/.bashrc\n",
        "absolute.yml": f"_base_: {world.home}/.bashrc\nmodel: {{type: X}}\n",
        "deep.yml": "[" * 50_000,
        "code.py": f"import os\n{call}\nmodel = dict(type='X')\n",
        "evil.yaml": f"model: ${{{call}}}\ntrain_dataset: {{type: D}}\n",
    }
    for name, text in listed.items():
        if draw.random() < 0.7:
            (world.kit / "configs" / name).write_text(text)


@plant
def modules(world: World, draw: random.Random) -> None:
    """Python files in the place of modules that the tool or its children import."""
    code = f"import os\nos.system('{world.program}')\n"
    listed = "sitecustomize paddle setup conftest yaml click libcst git jinja2 rich pip pyflakes"
    for name in draw.sample(listed.split(), 5):
        (world.kit / f"{name}.py").write_text(code)


@plant
def rules(world: World, draw: random.Random) -> None:
    """Rules and a catalogue in the repository, as if they were the tool's."""
    folder = world.kit / "rules" / "PaddleSeg"
    folder.mkdir(parents=True)
    (folder / "rule.yaml").write_text(f"kit: PaddleSeg\nwhere: {world.home}/*.py\n")
    url = draw.choice((f"ext::{world.program}", "--upload-pack=x"))
    (world.kit / "kits.yaml").write_text(f"kits:\n- name: PaddleSeg\n  url: {url}\n")


@plant
def pipes(world: World, draw: random.Random) -> None:
    """Pipes, which nobody writes to, where files are looked for."""
    for name in draw.sample(("configs/p.yml", "p.py", "train.yml", "kits.yaml", "setup.py"), 3):
        (world.kit / name).unlink(missing_ok=True)
        os.mkfifo(world.kit / name)


# Keys of git's config that name a program, and the one that writes a file.
PROGRAMS = (
    "core.fsmonitor",
    "core.sshCommand",
    "core.pager",
    "core.editor",
    "core.askPass",
    "core.gitProxy",
    "core.alternateRefsCommand",
    "diff.external",
    "diff.x.textconv",
    "diff.x.command",
    "filter.x.clean",
    "filter.x.smudge",
    "filter.x.process",
    "filter.a=b.clean",
    "filter.lfs.process",
    "merge.x.driver",
    "gpg.program",
    "gpg.ssh.program",
    "credential.helper",
    "sequence.editor",
    "interactive.diffFilter",
    "uploadpack.packObjectsHook",
    "pager.status",
    "pager.log",
    "submodule.sub.update",
    "trailer.x.cmd",
    "trace2.normalTarget",
    "remote.origin.uploadpack",
    "remote.origin.receivepack",
    "remote.origin.vcs",
)
SWITCHES = (
    ("commit.gpgSign", "true"),
    ("tag.gpgSign", "true"),
    ("push.gpgSign", "if-asked"),
    ("log.showSignature", "true"),
    ("filter.x.required", "true"),
    ("protocol.ext.allow", "always"),
    ("protocol.allow", "always"),
    ("core.untrackedCache", "true"),
    ("gc.auto", "1"),
    ("status.submoduleSummary", "true"),
    ("diff.submodule", "log"),
    ("submodule.recurse", "true"),
    ("fetch.recurseSubmodules", "true"),
)


@plant
def git_config(world: World, draw: random.Random) -> None:
    """A config that names the program wherever one can be named."""
    for key in draw.sample(PROGRAMS, draw.randint(5, len(PROGRAMS))):
        command = f"!{world.program}" if key.startswith("submodule") else str(world.program)
        git(world.kit, "config", key, command)
    for key, value in draw.sample(SWITCHES, draw.randint(3, len(SWITCHES))):
        git(world.kit, "config", key, value)
    _attributes(world, draw)


def _attributes(world: World, draw: random.Random) -> None:
    lines = "* filter=x diff=x merge=x\n*.yml filter=a=b\n*.py filter=lfs\n"
    inside = world.kit / ".git" / "info" / "attributes"
    place = draw.choice((world.kit / ".gitattributes", inside))
    place.parent.mkdir(exist_ok=True)
    place.write_text(lines)
    # As if edited: git then looks at the content, by the filters.
    os.utime(world.kit / "train.py", (1, 1))


@plant
def included_config(world: World, draw: random.Random) -> None:
    """A config that includes another one, which names the program."""
    inner = world.kit / draw.choice(("inner.cfg", ".git/inner.cfg"))
    inner.write_text(f'[core]\n\tfsmonitor = {world.program}\n[filter "x"]\n\tclean = x\n')
    git(world.kit, "config", "include.path", str(inner))


@plant
def hooks(world: World, draw: random.Random) -> None:
    """Every hook of git, in the repository's own folder or in one that the config names."""
    folder = world.kit / draw.choice((".git/hooks", "hooks"))
    folder.mkdir(exist_ok=True)
    names = "pre-commit commit-msg prepare-commit-msg post-commit post-checkout post-index-change"
    names += (
        " reference-transaction pre-push post-rewrite post-merge pre-auto-gc fsmonitor-watchman"
    )
    for name in names.split():
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(world.program)
    git(world.kit, "config", "core.hooksPath", str(folder))


@plant
def remote(world: World, draw: random.Random) -> None:
    """Remotes that are programs."""
    url = draw.choice(
        (
            f"ext::{world.program}",
            f"ext::sh -c {world.program}",
            f"fd::{world.program}",
            f"ssh://-oProxyCommand={world.program}/x",
            f"--upload-pack={world.program}",
            f"{world.other}/.git",
        )
    )
    if url.startswith(str(world.other)):
        # Pushing there is what the user asked for; only a program would be wrong.
        url = f"file://{world.folder}/nothing"
    git(world.kit, "config", "remote.origin.url", url)
    git(world.kit, "config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*")
    git(world.kit, "config", f"url.ext::{world.program}.insteadOf", "https://github.com/")


@plant
def partial_clone(world: World, draw: random.Random) -> None:
    """A partial clone whose missing objects would be fetched by the program."""
    git(world.kit, "config", "core.repositoryFormatVersion", "1")
    git(world.kit, "config", "extensions.partialClone", "origin")
    git(world.kit, "config", "remote.origin.promisor", "true")
    git(world.kit, "config", "remote.origin.url", f"ext::{world.program}")
    path = draw.choice(("train.py", "configs/a.yml"))
    name = git(world.kit, "rev-parse", f"HEAD:{path}").decode().strip()
    (world.kit / ".git" / "objects" / name[:2] / name[2:]).unlink(missing_ok=True)


@plant
def foreign_git_folder(world: World, draw: random.Random) -> None:
    """A repository whose branches, objects or log are those of another."""
    own, foreign = world.kit / ".git", world.other / ".git"
    how = draw.randrange(5)
    if how == 0:
        (own / "commondir").write_text(f"{foreign}\n")
    elif how == 1:
        git(world.kit, "config", "core.worktree", str(world.other))
    elif how == 2:
        (own / "logs").rename(own / "old-logs")
        (own / "logs").symlink_to(world.home)
    elif how == 3:
        (own / "refs" / "heads").rename(own / "refs" / "old-heads")
        (own / "refs" / "heads").symlink_to(foreign / "refs" / "heads")
    else:
        own.rename(world.kit / "old-git")
        if draw.random() < 0.5:
            own.symlink_to(foreign)
        else:
            own.write_text(f"gitdir: {foreign}\n")
