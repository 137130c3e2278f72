"""A graph with `F.pad` of every axis aborts the process in SOT (2.6).

With two numbers for each axis, `pad` is an operator whose gradient needs no input; the translator
of programs asks for it: "Input x not found when parsing op pad_grad", signal 6. Funnel of PaddleNLP
dies so. With numbers for the last axes alone, of a tensor of three or more, another operator pads,
and SOT is right; so is AST.
"""

import os
import subprocess
import sys

os.environ["MIN_GRAPH_SIZE"] = "0"

import paddle
from paddle import nn
from paddle.nn.functional import pad


class Net(nn.Layer):
    def __init__(self, every):
        super().__init__()
        self.body, self.every = nn.Linear(4, 4), every

    def forward(self, x):
        y = self.body(x)
        if self.every:
            return pad(y, [0, 0, 1, 0]).sum()
        return pad(y.unsqueeze([0, 1]), [1, 0, 0, 0]).sum()


if len(sys.argv) > 1:
    net = Net(sys.argv[1] == "every")
    paddle.jit.to_static(net, full_graph=False)
    net(paddle.ones([4, 4])).backward()
    sys.exit(0)
every, last = (
    subprocess.run([sys.executable, __file__, axes], capture_output=True, check=False).returncode
    for axes in ("every", "last")
)
print(f"Paddle {paddle.__version__}: static ends with {every}, of the last axes with {last}")
sys.exit(every != 0)
