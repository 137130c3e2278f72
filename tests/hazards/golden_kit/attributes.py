"""What a layer keeps on itself, by its constructors and by what reached code stores."""

import numpy as np
import paddle
import paddle.nn as nn
from lib.helpers import reveal


class Part(nn.Layer):
    def forward(self, x):
        int(x)  # D-05
        return x


class Plain:
    pass


class Base(nn.Layer):
    CONSTANT = 3
    TABLE = [3]

    def __init__(self, width, depth=2, name=None, part="Part", word="Nothing"):
        super().__init__()
        self.width = width
        self.depth = depth
        self.name = name
        self.chosen = part
        self.word = word
        self.number = 3
        self.nothing = None
        self.added = depth + 1
        self.compared = depth > 1
        self.negative = -1
        self.either = name or 3
        self.maybe = 3 if depth else None
        self.numbers = [1, 2]
        self.pair = (1, None)
        self.weight = self.create_parameter([1])
        self.register_buffer("table", paddle.zeros([3]))
        self.add_parameter("bias", None)
        self.part = Part()
        self.plain = Plain()
        self.linear = nn.Linear(2, 3)
        self.layer = self.add_sublayer("a", Part())
        self.array = np.zeros(3)
        self.tensor = paddle.zeros([3])
        self.size = len(self.numbers)
        self.whole = int(depth)
        self.highest = max(self.numbers)
        self.foreign = other.make()
        self.helper = reveal(3)
        self.text = f"{depth}"
        self.rest = lambda: 3
        self._make_rest()

    def _make_rest(self):
        self.late = 3

    def elsewhere(self):
        self.unseen = 3

    @property
    def derived(self):
        return 3


class Net(Base):
    def __init__(self):
        super().__init__(3)
        self.number = paddle.zeros([1])

    def forward(self, x):
        reveal(self.CONSTANT)  # PYTHON
        reveal(self.TABLE)  # ?
        reveal(self.width)  # ?
        reveal(self.depth)  # PYTHON
        reveal(self.name)  # ?
        reveal(self.chosen)  # ?
        reveal(self.word)  # PYTHON
        reveal(self.number)  # TENSOR|HOLDER|PYTHON
        reveal(self.nothing)  # NONE
        reveal(self.added)  # PYTHON
        reveal(self.compared)  # PYTHON
        reveal(self.negative)  # PYTHON
        reveal(self.either)  # PYTHON
        reveal(self.maybe)  # PYTHON|NONE
        reveal(self.numbers)  # PYTHON
        reveal(self.pair)  # PYTHON
        reveal(self.weight)  # TENSOR|PARAMETER
        reveal(self.table)  # TENSOR|PARAMETER
        reveal(self.bias)  # TENSOR|PARAMETER
        reveal(self.part)  # LAYER
        reveal(self.plain)  # ?
        reveal(self.linear)  # LAYER
        reveal(self.layer)  # LAYER
        reveal(self.array)  # NUMPY
        reveal(self.tensor)  # TENSOR
        reveal(self.size)  # PYTHON
        reveal(self.whole)  # PYTHON
        reveal(self.highest)  # PYTHON
        reveal(self.foreign)  # ?
        reveal(self.helper)  # ?
        reveal(self.text)  # PYTHON
        reveal(self.rest)  # ?
        reveal(self.late)  # PYTHON
        reveal(self.unseen)  # ?
        reveal(self.derived)  # ?
        reveal(self.training)  # PYTHON
        reveal(self.__class__)  # PYTHON
        self.stored = x
        reveal(self.stored)  # TENSOR|HOLDER
        self.rows = paddle.nonzero(x)
        reveal(self.rows)  # TENSOR
        self.part(x).kept = x
        self.number = x
        reveal(self.number)  # TENSOR|HOLDER|PYTHON
        return self.layer(self.linear(x))


def function(x):
    self = x
    self.kept = x
    reveal(self.kept)  # TENSOR|HOLDER
    return x


class Free(nn.Layer):
    def forward(self, x):
        return function(x)
