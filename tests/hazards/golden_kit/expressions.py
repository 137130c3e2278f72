"""The kind of every form of expression."""

import copy
import math

import cv2
import einops
import numpy as np
import paddle
import paddle.nn as nn
import paddle.nn.functional as F
from lib.helpers import reveal
from paddle.distributed import get_world_size


class Net(nn.Layer):
    def forward(self, x, y: int, batch, label=None, size=3, flag=True, *rest, z, axis, **more):
        reveal(self)  # ?
        reveal(x)  # TENSOR|HOLDER
        reveal(y)  # PYTHON
        reveal(batch)  # TENSOR|HOLDER
        reveal(label)  # TENSOR|HOLDER|NONE
        reveal(size)  # PYTHON
        reveal(flag)  # PYTHON
        reveal(rest)  # ?
        reveal(z)  # TENSOR|HOLDER
        reveal(axis)  # PYTHON
        reveal(more)  # ?
        reveal(None)  # NONE
        reveal(3)  # PYTHON
        reveal("text")  # PYTHON
        reveal(f"{x}")  # PYTHON  D-09
        reveal(unknown)  # ?
        self.arithmetic(x, unknown)
        self.compared(x, unknown)
        self.subscripts(x, batch)
        self.containers(x)
        self.attributes(x)
        self.python(x)
        self.numpy(x)  # D-01
        self.paddle(x)
        self.methods(x, batch)
        self.targets(x)
        return x

    def arithmetic(self, x, unknown):
        reveal(x + 1)  # TENSOR
        reveal(1 + x)  # TENSOR
        reveal(2 * 3)  # PYTHON
        reveal(unknown * 3)  # PYTHON
        reveal(unknown * unknown)  # ?
        reveal(unknown * x)  # TENSOR
        reveal("%s" % x)  # PYTHON  D-09
        reveal(f"%s" % x)  # PYTHON
        reveal(5 % x)  # TENSOR
        reveal(x % 5)  # TENSOR
        reveal([x] + [x])  # HOLDER
        reveal([x] * 3)  # HOLDER
        reveal([x] - 3)  # TENSOR
        reveal(-x)  # TENSOR
        reveal(not x)  # TENSOR
        reveal(-3)  # PYTHON
        reveal(-unknown)  # ?
        reveal(x.shape[0] * 2)  # PYTHON|SHAPE
        reveal(x.item() * 2)  # PYTHON|READ  D-03
        reveal(x.numpy() * 2)  # NUMPY|READ  D-01
        reveal(np.zeros(3) + x)  # TENSOR
        reveal(np.zeros(3) + 3)  # NUMPY
        reveal(x and 3)  # TENSOR|HOLDER|PYTHON
        reveal(3 or 4)  # PYTHON
        reveal(x if size else 3)  # TENSOR|HOLDER|PYTHON
        reveal(x if self.training else 3)  # TENSOR|HOLDER
        reveal(x if not self.training else 3)  # PYTHON
        reveal((w := x + 1))  # TENSOR
        reveal(w)  # TENSOR
        reveal(lambda: x)  # PYTHON
        reveal((lambda a: reveal(a))(x))  # ? / TENSOR|HOLDER

    def compared(self, x, unknown):
        reveal(x > 1)  # TENSOR
        reveal(x is None)  # PYTHON
        reveal(3 in x)  # PYTHON
        reveal(x == "text")  # PYTHON
        reveal(x == unknown)  # ?
        reveal(3 < 4 < 5)  # PYTHON
        reveal(x.shape[0] == 3)  # PYTHON|SHAPE
        reveal(3 < x < 4)  # TENSOR

    def subscripts(self, x, batch):
        reveal(x[0])  # TENSOR|HOLDER
        reveal(x[:2])  # TENSOR|HOLDER
        reveal(x[x > 0])  # TENSOR|HOLDER
        reveal(x[x])  # TENSOR|HOLDER
        reveal(x["size"])  # PYTHON
        reveal(batch["image"])  # TENSOR|HOLDER
        reveal(batch["epoch"])  # PYTHON
        reveal(batch[0])  # TENSOR|HOLDER
        reveal([x, 3][0])  # TENSOR|HOLDER|PYTHON
        reveal((x, 3)[0])  # TENSOR|HOLDER
        reveal((x, 3)[1])  # PYTHON
        reveal((x, 3)[-1])  # TENSOR|HOLDER|PYTHON
        reveal((x, 3)[-2])  # TENSOR|HOLDER|PYTHON
        reveal((x, 3)[2])  # TENSOR|HOLDER|PYTHON
        reveal((x, 3)[-3])  # TENSOR|HOLDER|PYTHON
        reveal((x, 3)[size])  # TENSOR|HOLDER|PYTHON
        reveal(x.shape[0])  # PYTHON|SHAPE
        reveal(x.shape[1:])  # PYTHON|SHAPE
        reveal(x.shape)  # PYTHON|SHAPE
        reveal((3, 4)[0])  # PYTHON
        reveal({"a": x}["a"])  # TENSOR|HOLDER
        reveal(paddle.nonzero(x).shape[0])  # PYTHON|SHAPE|EFFECTIVE
        reveal(paddle.nonzero(x)[0])  # TENSOR

    def containers(self, x):
        reveal([])  # PYTHON
        reveal(())  # PYTHON
        reveal({})  # PYTHON
        reveal([x])  # HOLDER
        reveal([3])  # PYTHON
        reveal([x, 3])  # HOLDER|PYTHON
        reveal((x, None))  # HOLDER(TENSOR|HOLDER, NONE)
        reveal((x, (x, 3)))  # HOLDER|PYTHON(TENSOR|HOLDER, HOLDER|PYTHON(TENSOR|HOLDER, PYTHON))
        reveal({"a": x})  # HOLDER
        reveal({"a": 3})  # PYTHON
        reveal({x: 3})  # PYTHON
        reveal({**more, "a": 3})  # PYTHON
        reveal([*[x]])  # HOLDER
        reveal([a for a in x])  # HOLDER
        reveal([a for a in [x]])  # HOLDER
        reveal({a for a in [x]})  # HOLDER
        reveal(list(a for a in [x]))  # HOLDER
        reveal({k: v for k, v in {"a": x}.items()})  # HOLDER|PYTHON
        reveal([(a, 3) for a in [x] if int(a)])  # HOLDER|PYTHON  D-05
        reveal({x})  # PYTHON
        held = []
        held.append(x)
        reveal(held)  # HOLDER|PYTHON
        named = {}
        named["a"] = x
        reveal(named)  # HOLDER|PYTHON
        reveal(named["a"])  # TENSOR|HOLDER|PYTHON
        numbers = []
        numbers.append(3)
        reveal(numbers)  # PYTHON
        more = []
        more.extend([x])
        reveal(more)  # HOLDER|PYTHON
        last = []
        last.insert(0, x)
        reveal(last)  # HOLDER|PYTHON
        other = {}
        other.update(a=x)  # D-21
        reveal(other)  # PYTHON
        x[0] = 3
        reveal(x)  # TENSOR|HOLDER
        self.outer[0] = x

    def attributes(self, x):
        reveal(x.shape)  # PYTHON|SHAPE
        reveal(x.dtype)  # PYTHON
        reveal(x.T)  # TENSOR
        reveal(x.grad)  # TENSOR
        reveal(x.stop_gradient)  # PYTHON
        reveal(x.loss)  # TENSOR|HOLDER
        reveal([x].shape)  # PYTHON|SHAPE
        reveal([x].dtype)  # PYTHON
        reveal([x].loss)  # TENSOR|HOLDER
        reveal(self.training)  # PYTHON
        reveal(unknown.shape)  # PYTHON|SHAPE
        reveal(unknown.weight)  # ?
        reveal(nn.Linear(2, 3).weight)  # TENSOR|PARAMETER  D-58
        reveal(nn.Linear(2, 3).rate)  # ?  D-58
        reveal(np.zeros(3).size)  # NUMPY
        reveal(x.sum().shape)  # PYTHON|SHAPE

    def python(self, x):
        reveal(len(x))  # PYTHON
        reveal(int(x))  # PYTHON|READ  D-05
        reveal(float(x))  # PYTHON|READ  D-04
        reveal(int(3))  # PYTHON
        reveal(abs(x))  # TENSOR
        reveal(round(x))  # TENSOR  D-83
        reveal(sum([x]))  # TENSOR
        reveal(sum([3]))  # PYTHON
        reveal(max([x]))  # TENSOR  D-23
        reveal(min(x, 3))  # TENSOR
        reveal(max(3, 4))  # PYTHON  D-82
        reveal(list(x))  # HOLDER
        reveal(tuple([x]))  # HOLDER
        reveal(list([3]))  # PYTHON
        reveal(zip([x], [3]))  # HOLDER(HOLDER(TENSOR|HOLDER, PYTHON))  D-81
        reveal(enumerate([x]))  # HOLDER(HOLDER(PYTHON, TENSOR|HOLDER))
        reveal(reversed([x]))  # HOLDER
        reveal(sorted([3]))  # PYTHON
        reveal(dict(a=x))  # PYTHON
        reveal(isinstance(x, list))  # PYTHON
        reveal(range(x))  # PYTHON
        reveal(range(x.shape[0]))  # PYTHON|SHAPE
        reveal(str(x))  # PYTHON
        reveal(map(int, [x]))  # TENSOR|HOLDER
        reveal(getattr(x, "loss"))  # TENSOR|HOLDER
        reveal(copy.deepcopy(x))  # TENSOR|HOLDER
        reveal(copy.deepcopy())  # ?
        reveal(einops.rearrange(x.sum(), "b c -> c b"))  # TENSOR
        reveal(math.sqrt(x))  # PYTHON|READ
        reveal(math.sqrt(3))  # PYTHON
        reveal(math.sqrt(x.item()))  # PYTHON|READ  D-03
        reveal(int(x.shape[0]))  # PYTHON|SHAPE
        for index, part in enumerate([x]):
            reveal(index)  # PYTHON
            reveal(part)  # TENSOR|HOLDER
        for a, b in zip([x], [3]):  # D-81
            reveal(a)  # TENSOR|HOLDER
            reveal(b)  # PYTHON
        for key, value in {"a": x}.items():
            reveal(key)  # PYTHON
            reveal(value)  # TENSOR|HOLDER

    def numpy(self, x):
        reveal(np.zeros(3))  # NUMPY
        reveal(np.array(x))  # NUMPY|READ
        reveal(np.array(x.shape))  # NUMPY|SHAPE  D-61
        reveal(np.array(x.item()))  # NUMPY|READ  D-03
        reveal(cv2.resize(x))  # NUMPY|READ
        reveal(x.numpy())  # NUMPY|READ  D-01
        reveal(x.numpy().sum())  # NUMPY|READ  D-01
        reveal(x.numpy().tolist())  # NUMPY|READ  D-01

    def paddle(self, x):
        reveal(F.relu(x))  # TENSOR
        reveal(paddle.to_tensor(3))  # TENSOR
        reveal(paddle.split(x, 2))  # HOLDER
        reveal(paddle.topk(x, 2)[0])  # TENSOR|HOLDER
        reveal(paddle.nonzero(x))  # TENSOR|EFFECTIVE
        reveal(paddle.gather(x, paddle.nonzero(x)))  # TENSOR|EFFECTIVE
        reveal(paddle.gather(x, x))  # TENSOR
        reveal(paddle.masked_select(x, x > 0).sum())  # TENSOR
        reveal(paddle.create_parameter([3]))  # TENSOR|PARAMETER  D-58
        reveal(paddle.in_dynamic_mode())  # PYTHON  D-38
        reveal(paddle.device.get_device())  # PYTHON
        reveal(paddle.framework.anything())  # PYTHON
        reveal(get_world_size())  # PYTHON
        reveal(nn.Linear(2, 3))  # LAYER  D-58
        reveal(nn.Linear(2, 3)(x))  # TENSOR|HOLDER  D-58
        reveal(paddle.Tensor(x))  # TENSOR
        reveal(paddle.Anything(x))  # ?
        reveal(paddle.where(x > 0))  # TENSOR
        reveal(paddle.static.nn.cond(x))  # TENSOR|HOLDER
        reveal(F.max_pool2d(x, 2, return_mask=True))  # TENSOR|HOLDER
        reveal(paddle.distributed.fleet.utils.recompute(x))  # TENSOR|HOLDER  D-56

    def methods(self, x, batch):
        reveal(x.sum())  # TENSOR
        reveal(x.split(2))  # HOLDER
        reveal(x.item())  # PYTHON|READ  D-03
        reveal(x.tolist())  # PYTHON|READ  D-06
        reveal(x.dim())  # PYTHON
        reveal(x.nonzero())  # TENSOR|EFFECTIVE
        reveal(x.nonzero().squeeze(1))  # TENSOR|EFFECTIVE
        reveal(x.nonzero().astype("int64"))  # TENSOR|EFFECTIVE
        reveal(x.nonzero().sum())  # TENSOR
        reveal(x.squeeze(1))  # TENSOR
        reveal([x].pop())  # TENSOR|HOLDER
        reveal([x].copy())  # HOLDER
        reveal([x].index(x))  # PYTHON
        reveal({"a": x}.keys())  # PYTHON
        reveal({"a": x}.values())  # HOLDER
        reveal({"a": x}.get("a"))  # TENSOR|HOLDER
        reveal({"a": x}.items())  # HOLDER(HOLDER(PYTHON, TENSOR|HOLDER))
        reveal(batch.sum())  # TENSOR
        reveal(batch.get("a"))  # TENSOR|HOLDER
        reveal(batch.keys())  # PYTHON
        reveal("text".format(x))  # PYTHON  D-09
        reveal("text".upper())  # PYTHON
        reveal(unknown.sum())  # ?
        reveal(unknown.sum(x))  # TENSOR|HOLDER
        reveal(unknown.item())  # PYTHON|READ  D-03
        reveal(np.zeros(3).sum())  # NUMPY

    def targets(self, x):
        a, b = x, 3
        reveal(a)  # TENSOR|HOLDER
        reveal(b)  # PYTHON
        c, d = x
        reveal(c)  # TENSOR|HOLDER
        e, *f = [x, x]
        reveal(f)  # TENSOR|HOLDER
        g, h, i = x, 3
        reveal(i)  # TENSOR|HOLDER|PYTHON
        (j, k), l = (x, 3), 4
        reveal(k)  # PYTHON
        reveal(l)  # PYTHON
        self.kept = x
        reveal(self.kept)  # TENSOR|HOLDER
        other.kept = x
        reveal(other.kept)  # ?
        m = n = x
        reveal(m)  # TENSOR|HOLDER
        reveal(n)  # TENSOR|HOLDER
        o: int = x
        reveal(o)  # TENSOR|HOLDER
        p: int
        reveal(p)  # ?
        q = 3
        q += x
        reveal(q)  # TENSOR
        q.part.other = x
        r = await_(x)
        yield x  # D-42
        reveal((yield x))  # ?  D-42
