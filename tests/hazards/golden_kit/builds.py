"""Which classes a call can come to: containers, factories, registers, arguments."""

import collections
import copy
from functools import partial

import paddle.nn as nn
from lib.helpers import reveal


class A(nn.Layer):
    def forward(self, x):
        return x


class B(nn.Layer):
    def forward(self, x):
        return [x]


class C(nn.Layer):
    def forward(self, x):
        return x.shape[0]


class D(nn.Layer):
    def forward(self, x):
        return 3


def make(kind):
    table = {"a": A, "b": B}
    return table[kind]()


def choose(flag):
    if flag:
        return A()
    return C()


def nothing(flag):
    return flag


def recursive(depth):
    if depth:
        return recursive(depth - 1)
    return B()


class Holder(nn.Layer):
    def __init__(self, block, inner=C, number=3):
        super().__init__()
        self.block = block()
        self.inner = inner(3)
        self.itself = self.itself

    def forward(self, x):
        reveal(self.block(x))  # TENSOR|HOLDER
        reveal(self.inner(x))  # TENSOR|HOLDER|PYTHON|SHAPE
        return x


class Own(nn.Layer):
    def __init__(self, kind=B):
        super().__init__()
        self.kind = kind
        self.layer = self.kind()
        self.made = self._make()
        self.parts = nn.LayerList()
        self.parts.append(C())
        setattr(self, "named", A())
        setattr(self, f"any{kind}", D())
        self.add_sublayer("registered", B())

    def _make(self):
        return C()

    def forward(self, x):
        reveal(self.layer(x))  # TENSOR|HOLDER
        reveal(self.made(x))  # PYTHON|SHAPE
        reveal(self.parts[0](x))  # PYTHON|SHAPE
        reveal(self.named(x))  # TENSOR|HOLDER
        reveal(self.registered(x))  # HOLDER
        return x


class Net(nn.Layer):
    def __init__(self, depth, given, names):
        super().__init__()
        block = A
        self.renamed = Holder(block=block)
        self.listed = [A(), B()]
        self.layers = nn.LayerList([C() for _ in range(depth)])
        self.sequence = nn.Sequential(A(), nn.ReLU(), B())
        self.mapping = {"a": A(), "b": C()}
        self.ordered = collections.OrderedDict(a=D())
        self.comprehended = {k: B() for k in "ab"}
        self.made = make("a")
        self.chosen = choose(depth)
        self.none = nothing(depth)
        self.depth = recursive(3)
        self.copied = copy.deepcopy(A())
        self.either = A() if depth else C()
        self.fallback = given or B()
        self.joined = [A()] + [C()]
        self.part = partial(B)()
        self.by_name = eval(names)()
        self.by_key = TABLE[names](3)
        self.unknown = Unknown()
        self.lower = lower()
        self.given = given
        self.own = Own()
        self.taken = self.mapping.pop("a")
        first, second = A(), C()
        self.first = first
        self.second = second
        self.walrus = (x := D())
        self.linear = nn.Linear(2, 3)
        self.star = [*[A()]]

    def forward(self, x):
        self.renamed(x)
        self.own(x)
        reveal(self.listed[0](x))  # TENSOR|HOLDER
        reveal(self.layers[0](x))  # PYTHON|SHAPE
        reveal(self.sequence(x))  # TENSOR|HOLDER
        reveal(self.mapping["a"](x))  # TENSOR|HOLDER|PYTHON|SHAPE
        reveal(self.ordered["a"](x))  # PYTHON
        reveal(self.comprehended["a"](x))  # HOLDER
        reveal(self.made(x))  # TENSOR|HOLDER
        reveal(self.chosen(x))  # TENSOR|HOLDER|PYTHON|SHAPE
        reveal(self.none(x))  # TENSOR|HOLDER
        reveal(self.depth(x))  # HOLDER
        reveal(self.copied(x))  # TENSOR|HOLDER
        reveal(self.either(x))  # TENSOR|HOLDER|PYTHON|SHAPE
        reveal(self.fallback(x))  # HOLDER
        reveal(self.joined[0](x))  # TENSOR|HOLDER|PYTHON|SHAPE
        reveal(self.part(x))  # HOLDER
        reveal(self.by_name(x))  # TENSOR|HOLDER
        reveal(self.by_key(x))  # TENSOR|HOLDER
        reveal(self.unknown(x))  # TENSOR|HOLDER
        reveal(self.lower(x))  # TENSOR|HOLDER
        reveal(self.given(x))  # TENSOR|HOLDER
        reveal(self.taken(x))  # TENSOR|HOLDER
        reveal(self.first(x))  # TENSOR|HOLDER
        reveal(self.second(x))  # PYTHON|SHAPE
        reveal(self.walrus(x))  # PYTHON
        reveal(self.linear(x))  # TENSOR
        reveal(self.star[0](x))  # TENSOR|HOLDER
        reveal(self.listed[0](x)(x))  # TENSOR|HOLDER
        for layer in self.layers:
            reveal(layer(x))  # PYTHON|SHAPE
        for key, layer in self.mapping.items():
            reveal(layer(x))  # PYTHON|SHAPE
        return x
