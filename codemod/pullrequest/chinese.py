"""The engine's reasons in Chinese, clause by clause; what has no translation stays as it is."""

from __future__ import annotations

import re

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
    "no config of the kit that could carry the switch is read in this scope": (
        "此作用域内没有读取可承载开关的配置"
    ),
}
# A comma inside brackets belongs to its clause.
_COMMA = re.compile(r",\s+(?![^(]*\))")


def chinese(reason: str) -> str:
    """A reason in Chinese where every clause is known, else as it is."""
    clauses = [clause.strip() for clause in _COMMA.split(reason.strip().removesuffix("."))]
    known = [_CLAUSES.get(clause[:1].lower() + clause[1:]) for clause in clauses]
    found = [clause for clause in known if clause is not None]
    return "，".join(found) + "。" if found and len(found) == len(known) else reason
