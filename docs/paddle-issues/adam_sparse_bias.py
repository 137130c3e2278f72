"""Adam corrects its bias one step ahead for sparse gradients, on the CPU. No to_static is involved.

One weight with gradient 1 and learning rate 0.001: the first step of Adam is 0.001. With a sparse
gradient it is 0.000744: the powers of beta are multiplied once more before they are used.
"""

import sys

import paddle
from paddle import nn


def first_step(sparse):
    table = nn.Embedding(1, 1, sparse=sparse)
    before = float(table.weight)
    optimizer = paddle.optimizer.Adam(0.001, parameters=table.parameters())
    table(paddle.to_tensor([0])).sum().backward()
    optimizer.step()
    return before - float(table.weight)


dense, sparse = first_step(False), first_step(True)
print(f"Paddle {paddle.__version__}: dense {dense:.6f}, sparse {sparse:.6f}")
sys.exit(abs(dense - sparse) > 1e-5)
