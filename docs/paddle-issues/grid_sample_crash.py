"""The gradient of grid_sample crashes on the CPU where the picture has none.

The kernel writes the picture's gradient without asking whether it is wanted. Kits avoid it by
`picture.stop_gradient = False`, which SOT forgets: on 3.3 behind a graph break, on 2.6 always. AST
avoids it.
"""

import os
import subprocess
import sys

os.environ.setdefault("MIN_GRAPH_SIZE", "0")

import paddle
from paddle import nn


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.place = nn.Linear(2, 2)

    def forward(self, picture, grid):
        picture.stop_gradient = False
        paddle.ones([2]).numpy()
        return nn.functional.grid_sample(picture, self.place(grid)).mean()


def train(static):
    net = Net()
    if static:
        paddle.jit.to_static(net, full_graph=False)
    net(paddle.rand([1, 1, 4, 4]), paddle.rand([1, 3, 3, 2])).backward()


if len(sys.argv) > 1:
    train(sys.argv[1] == "static")
    sys.exit(0)
ends = [
    subprocess.run([sys.executable, __file__, mode], capture_output=True).returncode
    for mode in ("dynamic", "static")
]
print(f"Paddle {paddle.__version__}: dynamic ends with {ends[0]}, static ends with {ends[1]}")
sys.exit(ends[0] != ends[1])
