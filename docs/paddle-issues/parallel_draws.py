"""Two dropouts on parallel branches draw in an order of chance, not in the code's (3.3, AST).

The executor runs what does not wait for each other as its threads come to it, and each mask is made
of the numbers that the other one should have had: the losses of equal runs part, and nothing says
so. A net that embeds words and pictures apart meets it. One dropout behind the place where the
branches meet avoids it, as does SOT, and FLAGS_new_executor_sequential_run=1.
"""

import sys

import paddle
from paddle import nn

STEPS = 40


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.words, self.pictures = nn.Linear(8, 8), nn.Linear(8, 8)

    def forward(self, x, y):
        words = nn.functional.dropout(self.words(x))
        pictures = nn.functional.dropout(self.pictures(y))
        return paddle.concat([words, pictures]).sum()


def losses(full_graph):
    paddle.seed(0)
    net = Net()
    if full_graph is not None:
        paddle.jit.to_static(net, full_graph=full_graph)
    found = []
    for step in range(STEPS):
        paddle.seed(step)
        found.append(float(net(paddle.ones([4, 8]), paddle.full([4, 8], 2.0))))
    return found


dynamic, ast, sot = (losses(mode) for mode in (None, True, False))
told = ["equal" if mode == dynamic else "others among them" for mode in (ast, sot)]
print(f"Paddle {paddle.__version__}: {STEPS} losses, AST {told[0]}, SOT {told[1]}")
sys.exit(dynamic != ast or dynamic != sot)
