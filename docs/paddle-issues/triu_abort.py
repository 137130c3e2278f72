"""A graph with `paddle.triu` or `tril` aborts the process in SOT (2.6).

The translator of programs knows no `tril_triu_grad`: "Op tril_triu_grad should have corresponding
OpInfo pd_op.tril_triu_grad", signal 6. DLRM of PaddleRec dies so. AST is right.
"""

import os
import subprocess
import sys

os.environ["MIN_GRAPH_SIZE"] = "0"

import paddle
from paddle import nn


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)

    def forward(self, x):
        return paddle.triu(self.body(x)).sum()


if len(sys.argv) > 1:
    net = Net()
    paddle.jit.to_static(net, full_graph=False)
    net(paddle.ones([4, 4])).backward()
    sys.exit(0)
done = subprocess.run([sys.executable, __file__, "static"], capture_output=True, check=False)
print(f"Paddle {paddle.__version__}: static ends with {done.returncode}")
sys.exit(done.returncode != 0)
