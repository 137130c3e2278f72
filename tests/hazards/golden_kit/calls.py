"""What calls hand on: cycles, overrides, super(), static and class methods, closures, mix-ins."""

import paddle
import paddle.nn as nn

from lib import helpers
from lib.helpers import Counter, even, reveal, twice


class Base(nn.Layer):
    def __init__(self, width=3):
        super().__init__()
        self.width = width
        self.scale = self.create_parameter([1])

    def forward(self, x):
        return self.step(x)

    def step(self, x, factor=2, *, mask=None, extra):
        reveal(factor)  # PYTHON
        reveal(mask)  # NONE
        reveal(extra)  # ? / TENSOR|HOLDER|PYTHON
        return x

    def never(self, x):
        return int(x)  # D-05

    def __call__(self, x):
        reveal(x)  # TENSOR|HOLDER
        return self.forward(x)


class Mixed:
    def step(self, x, factor=2, *, mask=None, extra=None):
        reveal(x)  # TENSOR|HOLDER
        reveal(factor)  # PYTHON
        y = super().step(x, factor, extra=x)  # D-50
        int(y)  # D-05
        return y


class Net(Mixed, Base):
    """`self.step` of Base.forward is Mixed's, whose super() is Base's."""

    def forward(self, x):
        y = super().forward(x)  # D-50
        int(y)  # D-05
        y = super(Net, self).forward(x)
        z = super().nowhere(x)  # D-50
        reveal(z)  # ?
        reveal(self.halved(x))  # TENSOR
        reveal(self.made(x))  # PYTHON|SHAPE
        reveal(self.halved.__name__)  # ?
        reveal(Base.step(self, x, extra=3))  # TENSOR|HOLDER
        reveal(Net.halved(x))  # TENSOR
        reveal(Counter.of(x))  # TENSOR|HOLDER
        reveal(helpers.apart(x))  # TENSOR|HOLDER
        reveal(helpers.plain(x, x.shape[0]))  # TENSOR
        reveal(self.not_there(x))  # TENSOR|HOLDER
        return y

    @staticmethod
    def halved(x, by=2):
        reveal(x)  # TENSOR|HOLDER
        reveal(by)  # PYTHON
        return x / by

    @classmethod
    def made(cls, x):
        reveal(x)  # TENSOR|HOLDER
        return x.shape[0]

    def __len__(self):
        return 3


class Sibling(Base):
    """The same forward and another step: units are one a concrete class."""

    def step(self, x, factor=2, *, mask=None, extra=None):
        int(factor)
        reveal(x)  # TENSOR|HOLDER
        return [x]


class Cycle(nn.Layer):
    """`even` and `odd` call each other; only the last turn tells what comes back."""

    def forward(self, x, n):
        y = even(x, n)
        reveal(y)  # TENSOR|HOLDER
        int(y)  # D-05
        z = self.down(x, 3)
        reveal(z)  # TENSOR
        int(z)  # D-05
        return y

    def down(self, x, depth):
        if depth == 0:
            return self.bottom(x)
        return self.up(x, depth - 1)

    def up(self, x, depth):
        return self.down(x, depth)

    def bottom(self, x):
        reveal(x)  # TENSOR|HOLDER
        return x.sum()


class Late(nn.Layer):
    """The kind of an argument is learnt from a caller that is evaluated after the callee."""

    def forward(self, x):
        self.first(3)
        self.second(x)
        return self.third()

    def first(self, value):
        self.kept = value
        self.hand(value)

    def second(self, value):
        self.other = value
        self.hand(value)

    def third(self):
        reveal(self.kept)  # PYTHON
        reveal(self.other)  # TENSOR|HOLDER
        int(self.other)  # D-05
        return self.fourth(self.other)

    def fourth(self, value):
        reveal(value)  # TENSOR|HOLDER
        return self.fifth(value)

    def fifth(self, value):
        int(value)  # D-05
        return value

    def hand(self, value):
        reveal(value)  # TENSOR|HOLDER|PYTHON


class Closures(nn.Layer):
    def forward(self, x, mode="train"):
        y = x + 1

        def inner(z, *rest, w=1):
            reveal(y)  # TENSOR
            reveal(z)  # ?
            reveal(w)  # ?
            return int(y)  # D-05

        async_like = lambda a, b: reveal(a) or reveal(x)  # ? / TENSOR|HOLDER
        inner(x)
        reveal(inner)  # PYTHON
        reveal(async_like)  # PYTHON
        reveal(twice(inner))  # PYTHON
        reveal(inner(x))  # TENSOR|HOLDER

        class Within:
            value = int(x)

        return [reveal(x) for x in mode]  # PYTHON


class Called(nn.Layer):
    """What is called through names, containers and chains."""

    def __init__(self):
        super().__init__()
        self.net = Sibling()
        self.nets = [Sibling(), Cycle()]
        self.plain = nn.Linear(2, 2)
        self.loss = Counter()
        self.act = getattr(nn, "ReLU")()
        self.wrapped = Wrapper(Leaf())

    def forward(self, x):
        reveal(self.net(x))  # HOLDER
        reveal(self.nets[0](x))  # TENSOR|HOLDER
        reveal(self.net.step(x, 4))  # HOLDER
        reveal(self.net.never(x))  # PYTHON|READ
        reveal(self.plain(x))  # TENSOR
        reveal(self.plain(3))  # TENSOR
        reveal(self.act(x))  # TENSOR|HOLDER
        reveal(self.plain.weight)  # TENSOR|PARAMETER
        reveal(self.net.missing(x))  # TENSOR|HOLDER
        reveal(self.loss(x))  # TENSOR
        reveal(self.loss.add(x, x))  # PYTHON
        fn = twice
        reveal(fn(x))  # TENSOR|HOLDER
        reveal(Sibling()(x))  # HOLDER  D-58
        reveal(Sibling)  # ?
        reveal(Sibling())  # LAYER  D-58
        made = Sibling()  # D-58
        reveal(made(x))  # HOLDER
        twice = even
        reveal(twice(x))  # TENSOR|HOLDER
        reveal(unknown(x))  # TENSOR|HOLDER
        reveal(unknown(3))  # ?
        reveal(Maker(x))  # ?
        reveal(Maker(x).size)  # ?
        reveal(self.wrapped(x))  # TENSOR|HOLDER
        for layer in self.nets:
            x = layer(x, 3)
        return x


class Shadows(nn.Layer):
    """A parameter or local name is not the kit's function of that name."""

    def forward(self, x, even):
        reveal(even(x))  # TENSOR|HOLDER
        len = self.measure
        reveal(len(x))  # TENSOR|HOLDER
        return x

    def measure(self, x):
        return x


class Open(nn.Layer):
    """Callees that only a config knows."""

    def __init__(self, head, loss=None):
        super().__init__()
        self.head = head
        self.loss = build(loss)

    def forward(self, x):
        reveal(self.head(x))  # TENSOR|HOLDER
        reveal(self.head.decode(x))  # TENSOR|HOLDER
        reveal(self.head(3))  # ?
        reveal(self.loss(x, {"x": x}))  # TENSOR|HOLDER
        return x


class Many(nn.Layer):
    """A Sequential of the kit's own runs what its constructor put into it."""

    def __init__(self):
        super().__init__()
        self.seq = Stack()
        self.own = Doubly()

    def forward(self, x):
        return self.seq(x) + self.own(x)


class Leaf(nn.Layer):
    def forward(self, x):
        int(x)  # D-05
        return x


class Stack(nn.Sequential):
    def __init__(self):
        super().__init__(Leaf(), nn.ReLU())


class Doubly(Stack):
    def __init__(self):
        super().__init__()
        self.part = Stack()


class Wrapper(nn.Sequential):
    """Has a forward of its own, so that its contents do not run by themselves."""

    def __init__(self, part):
        super().__init__(Unrun())

    def forward(self, x):
        return x


class Unrun(Leaf):
    def forward(self, x):
        return int(x)  # D-05


class Maker:
    def __init__(self, x):
        int(x)  # D-05
        self.size = x


class Later(nn.Layer):
    """What is read first is written last."""

    def forward(self, x):
        self.read()
        self.write(x)
        self.given(3, missing=x)
        return x

    def read(self):
        reveal(self.kept)  # TENSOR|HOLDER
        int(self.kept)  # D-05

    def write(self, x):
        self.kept = x

    def given(self, number, other=3 + 4):
        reveal(other)  # PYTHON


class Once(nn.Layer):
    """What is called is evaluated once, after its caller: the caller learns of it all the same.

    Without `reveal`, which has every function that calls it evaluated again.
    """

    def __init__(self):
        super().__init__()
        self.scale = self.create_parameter([1])

    def forward(self, x):
        y = self.made()
        int(y)  # D-05
        return y

    def made(self):
        return self.scale.sum()


class Odd(helpers.twice(nn.Layer)):
    """A layer by its forward alone: what its base is cannot be read."""

    def forward(self, x):
        reveal(helpers.borrowed(self, x))  # TENSOR|HOLDER
        int(x)  # D-05
        return x
