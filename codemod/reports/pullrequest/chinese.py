"""The reasons of engine and rules in Chinese: a rule's own texts, and the engine's clauses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from codemod.kits.rule import Rule

_CLAUSES = {
    "after the model is built": "在模型构建之后",
    "where the trainer receives the model": "在训练器接收模型之处",
    "after its layers are converted": "在其层转换之后",
    "after it is copied (a later deepcopy would undo the hook on Paddle 2.6)": (
        "在模型被复制之后（在 Paddle 2.6 上，之后的 deepcopy 会使其失效）"
    ),
    "before it is wrapped for several cards (hooking the wrapper raises)": (
        "在多卡封装之前（对封装后的对象调用会报错）"
    ),
    "before its first forward": "在首次前向计算之前",
    "the kit hooks this model already": "套件已有此调用",
    "where the trainer takes over the model that it builds": "在训练器接管其构建的模型之处",
    "no config of the kit that could carry the switch is read in this scope": (
        "此作用域内没有读取可承载开关的配置"
    ),
    "the parameter goes last, on the line that closes the signature": (
        "新参数放在最后，位于结束函数签名的那一行"
    ),
    "the call stands on one line": "该调用写在一行之内",
    "a parser refuses one field name in two dataclasses; the trainer's takes this one's place": (
        "解析器不接受两个数据类有同名字段，由训练器的字段取代"
    ),
}
_KINDS = {
    "hook": "转换",
    "helper": "辅助",
    "import": "导入",
    "plumbing": "开关",
    "config": "配置",
    "doc": "文档",
    "fix": "改写",
    "tipc": "TIPC",
}
# Reasons of the engine that name something of the kit's.
_PATTERNS = (
    (
        (
            r"(?:line )?(\d+|\S+:\d+) differentiates a gradient, and a static model gives its "
            r"weights none there: its penalty would train nothing, or raise"
        ),
        r"\1 处对梯度再求导，而静态的模型在那里不给权重梯度：梯度惩罚不起作用，或者报错",
    ),
    (
        (
            r"line (\d+) calls the model in training mode under no_grad, and a program first "
            r"traced there gives no gradients \(Paddle 2\.6\.2 aborts, 3\.3\.1 is silent\)"
        ),
        (
            r"第 \1 行在 no_grad 下以训练模式调用模型，而首次在那里追踪的程序没有梯度"
            r"（Paddle 2.6.2 会中止，3.3.1 不报错）"
        ),
    ),
    (
        (
            r"(\S+:\d+) calls the model in training mode under no_grad, and a program first traced "
            r"there gives no gradients \(Paddle 2\.6\.2 aborts, 3\.3\.1 is silent\)"
        ),
        (
            r"\1 在 no_grad 下以训练模式调用模型，而首次在那里追踪的程序没有梯度"
            r"（Paddle 2.6.2 会中止，3.3.1 不报错）"
        ),
    ),
    (
        (
            r"(?:line )?(\d+|\S+:\d+) hands the model (.+), which the loop changes: each number "
            r"would trace a program of its own \(AST\), or the model would run dynamically after "
            r"some of them \(SOT\)"
        ),
        (
            r"\1 处把循环中变化的 \2 传给模型：每个数值都会追踪一个新程序（AST），"
            r"或在若干个之后转为动态执行（SOT）"
        ),
    ),
    (
        (
            r"(?:line )?(\d+|\S+:\d+) reads (`.+`) for the loss, which forward keeps as an "
            r"attribute: after a full-graph trace it is a symbolic value, and the loss raises"
        ),
        r"\1 处的 loss 读取前向存为属性的 \2：整图追踪之后它是符号值，loss 会报错",
    ),
    (
        (
            r"paddle\.Model reads the signature of its network's forward unless it is given "
            r"`inputs`, and a hooked forward has none \(TypeError: unsupported callable\); given "
            r"`inputs`, or with `net\.forward\.__signature__ = inspect\.signature\(Net\.forward\)` "
            r"on the static net before paddle\.Model takes it, it trains with the same losses "
            r"\(measured on Paddle 2\.6\.2 and 3\.3\.1\)"
        ),
        (
            "除非给出 `inputs`，paddle.Model 会读取网络 forward 的签名，而转换后的 forward 没有签名"
            "（TypeError: unsupported callable）；给出 `inputs`，或在 paddle.Model 接收静态网络之前"
            "设置 `net.forward.__signature__ = inspect.signature(Net.forward)`，"
            "即可训练且 loss 相同（在 Paddle 2.6.2 和 3.3.1 上测得）"
        ),
    ),
    (
        r"written for paddle\.fluid, before paddle\.jit\.to_static existed",
        "为 paddle.fluid 编写，当时还没有 paddle.jit.to_static",
    ),
    (r"the file has '(.*)'", r"文件中有 `\1`"),
    (r"the file lacks '(.*)'", r"文件中没有 `\1`"),
    (
        r"the model is called or wrapped at line (\d+), before this scope makes it",
        r"模型在第 \1 行就被调用或封装，早于此作用域构建它",
    ),
    (
        r"no position lies after the build and copies and before line (\d+)",
        r"在构建和复制之后、第 \1 行之前没有合适的位置",
    ),
)
_MOVED = re.compile(r"Moved from line (\d+)\.(?: (.+))?")
# A comma inside brackets belongs to its clause.
_COMMA = re.compile(r",\s+(?![^(]*\))")


def translations(rule: Rule | None) -> dict[str, str]:
    """A rule's English texts with the Chinese text of each."""
    if rule is None:
        return {}
    pairs = [(one.reason, one.reason_zh) for one in rule.abstain]
    for mend in rule.mends:
        pairs += [(mend.says, mend.says_zh), (mend.why, mend.says_zh)]
    for trainer in rule.trainers:
        pairs += [
            (trainer.about, trainer.about_zh),
            (trainer.missing, trainer.missing_zh),
            (trainer.fix, trainer.fix_zh),
            (trainer.says, trainer.says_zh),
        ]
        pairs += [(extra.says, extra.says_zh) for extra in trainer.extras]
        pairs += [(extra.why, extra.says_zh) for extra in trainer.extras]
        pairs += [(split.why, split.why_zh) for split in trainer.splits]
    found: dict[str, str] = {}
    for english, own in pairs:
        if english and own:
            found[_plain(english)] = own
            # A list shows the first sentence alone.
            found.setdefault(_plain(english).split(". ")[0] + ".", own.split("。")[0] + "。")
    return found


def _plain(text: str) -> str:
    return " ".join(text.split())


def kind_in_chinese(kind: str) -> str:
    """What an edit is for."""
    return _KINDS.get(kind, kind)


def chinese(reason: str, own: Mapping[str, str] | None = None) -> str:
    """A reason in Chinese where the rule or the engine has it, else as it is."""
    text = _plain(reason)
    if own and text in own:
        return own[text]
    if moved := _MOVED.fullmatch(text):
        return f"由第 {moved[1]} 行移来。{chinese(moved[2] or '', own)}"
    # The same reason begins a sentence here and stands in brackets there.
    bare = text.removesuffix(".")
    for form in (bare, bare[:1].lower() + bare[1:]):
        if own and form in own:
            return own[form]
        if form in _CLAUSES:
            return _CLAUSES[form]
        for pattern, replacement in _PATTERNS:
            if match := re.fullmatch(pattern, form):
                return match.expand(replacement)
    clauses = [clause.strip() for clause in _COMMA.split(reason.strip().removesuffix("."))]
    known = [_CLAUSES.get(clause[:1].lower() + clause[1:]) for clause in clauses]
    found = [clause for clause in known if clause is not None]
    return "，".join(found) + "。" if found and len(found) == len(known) else reason
