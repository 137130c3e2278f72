"""Every attack with seeds of its own, and the table of SECURITY.md made from what they print.

python -m bench.attack.report            # run all, print the table
python -m bench.attack.report --write    # and put it into SECURITY.md and its Chinese version
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

TOP = Path(__file__).parent.parent.parent
PAGE = TOP / "SECURITY.md"
CHINESE_PAGE = TOP / "SECURITY.zh-CN.md"
_MARKED = re.compile(r"(<!-- attacks -->\n).*?(<!-- end -->)", re.DOTALL)
_ROW = re.compile(
    r"^\| (?P<name>.+), seed \d+ \| (?P<tries>\d+) \| (?P<failures>\d+) \|$", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Attack:
    """A program of this folder, how often it is tried, from which seed, and its name in Chinese."""

    module: str
    tries: int
    seed: int
    chinese: str

    @property
    def command(self) -> str:
        """How a user runs it."""
        return f"python -m bench.attack.{self.module} --seed {self.seed} --count {self.tries}"


ATTACKS = (
    Attack("texts", 3000, 74, "Markdown、HTML 和终端中来自他人的文本"),
    Attack("foreign_state", 60, 66, "他人的状态与预先放置的套件"),
    Attack("archives", 100, 70, "打包含有机密文件、链接和管道的目录树"),
    Attack("exports", 300, 63, "导出文件时，当前文件夹之下的链接"),
    Attack("shared_faults", 300, 64, "写共享文件时的故障与强制终止"),
    Attack("faults", 400, 61, "`apply` 与 `revert` 途中的故障与强制终止"),
    Attack("races", 1000, 75, "与 `apply`、`revert` 竞争的链接替换"),
    Attack("writers", 20, 265, "50 个进程同时写共享文件"),
    Attack("boxes", 30, 369, "沙箱中的恶意脚本"),
    Attack("liars", 60, 76, "谎报自身行为的套件代码"),
    Attack("rows", 300, 77, "向依据库收入他人的结果"),
    Attack("killed_env", 4, 78, "创建途中被强制终止的环境"),
    Attack("refusals", 60, 71, "任意命令中被拒绝的系统调用与异常的变量"),
    Attack("variants", 100, 72, "训练脚本的字节变体"),
    Attack("mutated_rules", 15, 73, "规则与套件其他数据的变异"),
    Attack("current_folder", 8, 67, "当前文件夹中的模块与程序（含 GitHub Action）"),
    Attack("hostile", 20, 268, "恶意仓库"),
)
NAMES = tuple(one.module for one in ATTACKS)


def row_of(one: Attack) -> tuple[str, bool]:
    """The table's row of an attack that is run now, and whether nothing of it came through."""
    done = subprocess.run(
        [sys.executable, *one.command.split()[1:]],
        cwd=TOP,
        capture_output=True,
        text=True,
        check=False,
    )
    found = _ROW.search(done.stdout)
    if found is None:
        return (
            f"| {one.module} | `{one.command}` | it did not end: {done.stderr[-200:]!r} | |",
            False,
        )
    print(done.stdout.partition(found.group())[2].strip(), file=sys.stderr, flush=True)
    name, tries, failures = found.group("name", "tries", "failures")
    return f"| {name} | `{one.command}` | {int(tries):,} | {failures} |", failures == "0"


def main() -> int:
    """Run them in turn; the exit code is 1 where one came through."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the table into both pages")
    parser.add_argument("--only", nargs="*", default=NAMES, choices=NAMES, metavar="NAME")
    options = parser.parse_args()
    known = {row.split("bench.attack.")[1].split()[0]: row for row in rows(PAGE)}
    whole = True
    for one in ATTACKS:
        if one.module in options.only:
            known[one.module], held = row_of(one)
            whole &= held
            print(known[one.module], flush=True)
            if options.write:
                _write([known[name] for name in NAMES if name in known])
    return int(not whole)


def rows(page: Path) -> list[str]:
    """The rows of the table that stands in a page."""
    found = _MARKED.search(page.read_text(encoding="utf-8"))
    return [
        line for line in (found.group() if found else "").splitlines() if "bench.attack." in line
    ]


def in_chinese(english: list[str]) -> list[str]:
    """The same rows with the names of the attacks in Chinese."""
    names = {f"`{one.command.partition(' --')[0]} ": one.chinese for one in ATTACKS}
    return [
        f"| {next(name for begins, name in names.items() if begins in row)} |"
        f"{row[1:].partition('|')[2]}"
        for row in english
    ]


def _write(made: list[str]) -> None:
    for page, head, body in (
        (PAGE, "| attack | command | tries | failures |", made),
        (CHINESE_PAGE, "| 攻击 | 命令 | 次数 | 失败 |", in_chinese(made)),
    ):
        table = "\n".join([head, "|---|---|---:|---:|", *body])
        text = page.read_text(encoding="utf-8")
        parts = _MARKED.sub(r"\1\0\2", text).split("\0")
        page.write_text(f"{table}\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
