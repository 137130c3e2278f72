"""The action's scripts, run by bash: `gh` is a stand-in that keeps what it is called with."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ACTION = Path(__file__).parent.parent / "action"
GH = """\
#!/usr/bin/env bash
printf '%s\\n' "$*" >>"$STORE/calls"
case "$*" in
  *--paginate*)
    [ -e "$STORE/denied" ] && exit 1
    # Many comments: a reader that stops at the first would end this program by a signal.
    [ -e "$STORE/ids" ] && cat "$STORE/ids"
    ;;
  *--method*)
    [ -e "$STORE/read-only" ] && exit 1
    for word; do last="$word"; done
    cat "${last#body=@}" >"$STORE/body"
    ;;
esac
"""


@pytest.fixture
def store(tmp_path: Path) -> Path:
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "gh").write_text(GH)
    (programs / "gh").chmod(0o755)
    (tmp_path / "comment.md").write_text("<!-- codemod check: PaddleOCR -->\n-13 configs\n")
    return tmp_path


def comment(store: Path, **more: str) -> subprocess.CompletedProcess[str]:
    env = {
        **os.environ,
        "PATH": f"{store / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "STORE": str(store),
        "GH_REPO": "owner/kit",
        "NUMBER": "7",
        "COMMENT": str(store / "comment.md"),
        **more,
    }
    words = ["bash", str(ACTION / "comment.sh")]
    return subprocess.run(words, env=env, capture_output=True, text=True, check=False)


def calls(store: Path) -> list[str]:
    return (store / "calls").read_text().splitlines() if (store / "calls").exists() else []


def test_a_first_comment_is_new(store: Path) -> None:
    assert comment(store).returncode == 0
    asked, put = calls(store)
    assert asked.startswith("api repos/owner/kit/issues/7/comments --paginate")
    assert 'startswith("<!-- codemod check: PaddleOCR -->")' in asked
    assert "--method POST repos/owner/kit/issues/7/comments" in put
    assert (store / "body").read_text() == (store / "comment.md").read_text()


def test_an_earlier_comment_is_edited_however_many_there_are(store: Path) -> None:
    (store / "ids").write_text("".join(f"{number}\n" for number in range(100, 60_000)))
    assert comment(store).returncode == 0
    assert "--method PATCH repos/owner/kit/issues/comments/100 " in calls(store)[-1]


@pytest.mark.parametrize("state", ["denied", "read-only"])
def test_a_token_that_may_not_is_no_failure(store: Path, state: str) -> None:
    (store / state).touch()
    done = comment(store)
    assert done.returncode == 0
    assert ("could not be written" in done.stdout) is (state == "read-only")


def test_nothing_is_called_without_a_comment(store: Path) -> None:
    assert comment(store, COMMENT=str(store / "none.md")).returncode == 0
    assert comment(store, COMMENT="").returncode == 0
    assert calls(store) == []
