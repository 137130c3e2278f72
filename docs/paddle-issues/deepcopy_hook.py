"""deepcopy of a layer that is hooked makes the copy and the original dynamic again (2.6).

So an average of the weights that is made by deepcopy (EMA) switches static training off, silently.
"""

import copy
import sys

import paddle
from paddle import nn

net = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
paddle.jit.to_static(net, full_graph=True)
before = type(net.forward).__name__
copy.deepcopy(net)
after = type(net.forward).__name__
print(f"Paddle {paddle.__version__}: forward is a {before}, after deepcopy a {after}")
sys.exit(before != after)
