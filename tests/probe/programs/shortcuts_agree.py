"""What one small net gives in one mode, with the shortcuts or without, as JSON on the last line."""

from __future__ import annotations

import importlib
import json
import os
import re
import sys
import traceback
from typing import Any

mode, short = sys.argv[1], sys.argv[2] == "short"
os.environ["ENABLE_FALL_BACK"] = "False" if mode == "ast" else "True"
os.environ["MIN_GRAPH_SIZE"] = "0"

import paddle  # noqa: E402
from probe_inside import shortcuts  # noqa: E402

nn: Any = paddle.nn


class Block(nn.Layer):  # type: ignore[misc]
    """A convolution that is inlined, with a branch on a plain attribute."""

    def __init__(self, wide: bool) -> None:
        super().__init__()
        self.conv = nn.Conv2D(4, 4, 3, padding=1)
        self.norm = nn.BatchNorm2D(4)
        self.wide = wide

    def forward(self, x: Any) -> Any:
        y = self.norm(self.conv(x))
        return nn.functional.relu(y) + x if self.wide else y


class Net(nn.Layer):  # type: ignore[misc]
    """Blocks in a loop, and a print that SOT breaks the graph at."""

    def __init__(self) -> None:
        super().__init__()
        self.blocks = nn.LayerList([Block(wide=bool(i % 2)) for i in range(4)])

    def forward(self, x: Any, fail: bool = False) -> Any:
        for block in self.blocks:
            x = block(x)
        print("seen")
        if fail:
            x = paddle.reshape(x, [3, 5, 7])
        return x.mean([2, 3])


edited: list[str] = []
if short:
    importlib.import_module("paddle.jit.sot.opcode_translator.executor.executor_cache")
    edited = shortcuts.take(paddle)
paddle.seed(1)
net: Any = Net()
paddle.jit.to_static(net)
losses = []
for step in range(2):
    x = paddle.arange(2 * 4 * 6 * 6, dtype="float32").reshape([2, 4, 6, 6]) / 100 + step
    loss = (net(x) ** 2).sum()
    loss.backward()
    losses.append(
        [float(loss), *(float(p.grad.sum()) for p in net.parameters() if not p.stop_gradient)]
    )
    net.clear_gradients()
programs = []
if mode == "ast":
    programs = [str(net.forward.main_program)]
words = ""
try:
    net(x, fail=True)
except Exception as error:
    words = "".join(traceback.format_exception_only(type(error), error))
words = re.sub(r"to_static_tmp/\d+/(\w+?)\w{8}\.py", r"\1", words)
print(json.dumps({"edited": edited, "losses": losses, "programs": programs, "words": words}))
