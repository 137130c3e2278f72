"""A graph with `distribute_fpn_proposals` aborts the process in SOT (2.6).

The translator of programs does not find the operation's first input: "Input fpn_rois not found when
parsing op distribute_fpn_proposals", signal 6. Nets with an FPN and boxes (Faster R-CNN, Cascade
R-CNN) die so. AST is right, and so is SOT where the call stands in a function with a `with` block,
which it leaves out of the graph.
"""

import os
import subprocess
import sys

os.environ["MIN_GRAPH_SIZE"] = "0"

import paddle
from paddle import nn
from paddle.vision.ops import distribute_fpn_proposals


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)

    def forward(self, x, boxes, count):
        parts, _, _ = distribute_fpn_proposals(boxes, 2, 5, 4, 224, rois_num=count)
        return self.body(x).sum() + parts[0].sum()


if len(sys.argv) > 1:
    net = Net()
    paddle.jit.to_static(net, full_graph=False)
    boxes = paddle.to_tensor([[0.0, 0.0, 9.0, 9.0], [0.0, 0.0, 300.0, 300.0]])
    net(paddle.ones([4, 4]), boxes, paddle.to_tensor([2], dtype="int32")).backward()
    sys.exit(0)
done = subprocess.run([sys.executable, __file__, "static"], capture_output=True, check=False)
print(f"Paddle {paddle.__version__}: static ends with {done.returncode}")
sys.exit(done.returncode != 0)
