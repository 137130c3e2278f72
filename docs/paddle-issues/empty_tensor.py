"""A tensor without elements ends a static graph, until 3.0: "Tensor holds no memory".

Boxes that a mask keeps, or columns that are left of a slice, may be none; dynamic mode goes on with
them. AST of 2.6 ends at the first operator that reads such a tensor, SOT in the gradient of a
slice; 3.0 ends where a mask keeps none. YOLOv5 ends so at the first batch that keeps no box, and
CodeGen with heads that have no column behind the rotary ones. A branch over the number of rows
avoids it, or Paddle 3.1.
"""

import os
import sys

os.environ.setdefault("MIN_GRAPH_SIZE", "0")

import paddle


def boxes(x):
    return paddle.concat([x, x[x.sum(1) > 99.0] * 2.0]).sum()


def columns(x):
    return paddle.concat([x * 2.0, x[:, 4:]], axis=1).sum()


def value(function, full_graph):
    if full_graph is not None:
        function = paddle.jit.to_static(function, full_graph=full_graph)
    x = paddle.ones([2, 4])
    x.stop_gradient = False
    try:
        function(x).backward()
        return f"{float(x.grad.sum()):.1f}"
    except Exception as error:
        return type(error).__name__


def values(full_graph):
    return f"{value(boxes, full_graph)} {value(columns, full_graph)}"


dynamic, ast, sot = (values(full_graph) for full_graph in (None, True, False))
print(f"Paddle {paddle.__version__}: dynamic {dynamic}, AST {ast}, SOT {sot}")
sys.exit(not dynamic == ast == sot)
