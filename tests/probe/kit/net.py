"""A small kit in the manner of the real ones: nets by name, each with its own way to behave."""

from __future__ import annotations

import os
import random
import signal
import time
from typing import Any

import numpy as np
import paddle

nn: Any = paddle.nn


class Plain(nn.Layer):  # type: ignore[misc]
    """Convolution, norm, dropout: equal in every mode."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2D(3, 4, 3)
        self.norm = nn.BatchNorm2D(4)
        self.drop = nn.Dropout(0.5)
        self.head = nn.Linear(4, 5)

    def forward(self, x: Any) -> Any:
        x = nn.functional.relu(self.norm(self.conv(x)))
        return self.head(self.drop(x.mean([2, 3])))


class Taught(nn.Layer):  # type: ignore[misc]
    """Moves a teacher in its forward, in place: a static graph leaves the teacher where it was."""

    def __init__(self) -> None:
        super().__init__()
        self.student = nn.Linear(3, 3)
        self.teacher = nn.Linear(3, 3)
        self.teacher.weight.stop_gradient = True

    def forward(self, x: Any) -> Any:
        # The loss does not tell, nor does any gradient.
        self.teacher.weight.scale_(0.5)
        return self.student(x.mean([2, 3]))


class Untaught(Taught):
    """The same without a teacher that moves."""

    def forward(self, x: Any) -> Any:
        return self.student(x.mean([2, 3]))


class Unsteady(Untaught):
    """Its training fails outside of any net's forward, in dynamic mode too."""


class Steep(nn.Layer):  # type: ignore[misc]
    """Leaves the finite numbers at the rate of all probes, not at a thousandth of it."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = self.create_parameter([1], default_initializer=nn.initializer.Constant(1.0))

    def forward(self, x: Any) -> Any:
        return (self.scale * 1e8) ** 2 + 0.0 * x.mean()


class Rounding(nn.Layer):  # type: ignore[misc]
    """Sums in another order when it is static, and makes much of what rounding makes of that."""

    fault = 0.0

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2D(3, 4, 3)
        self.head = nn.Linear(4, 5)

    def forward(self, x: Any) -> Any:
        x = nn.functional.relu(self.conv(x))
        static = not paddle.in_dynamic_mode()
        other = x.sum(3).sum(2) if static else x.sum(2).sum(2)
        x = x.mean([2, 3]) + self.much(x) * (x.sum([2, 3]) - other)
        return self.head(x * (1.0 + self.fault * static))

    def much(self, x: Any) -> float:
        return 30.0


class Deaf(Rounding):
    """On small pictures rounding is all that there is."""

    def much(self, x: Any) -> float:
        return 3e16 if x.shape[2] < 20 else 30.0


class Faulty(Rounding):
    """The same with a fault that is smaller than what rounding does to it in float32."""

    fault = 1e-6


class Powered(Plain):
    """Rounds a power otherwise in both static modes."""

    def forward(self, x: Any) -> Any:
        x = (self.conv(x).abs() + 1.0) ** 3
        return self.head(x.mean([2, 3]))


class Keeping(Plain):
    """Reads a value and a part of it behind the end of a graph."""

    breaks = True

    def __init__(self) -> None:
        super().__init__()
        self.rest = nn.Linear(4, 4)

    def forward(self, x: Any) -> Any:
        x = self.conv(x).flatten(2).transpose([0, 2, 1])
        kept = x[:, 1:]
        if self.breaks:
            print("a graph ends here")
        return self.head((x + self.rest(x)).mean(1)) + kept.mean()


class Whole(Keeping):
    """The same in one graph."""

    breaks = False


class Parallel(Plain):
    """Two towers that drop out and do not wait for each other."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.LayerList([nn.Linear(16, 16) for _ in range(16)])

    def forward(self, x: Any) -> Any:
        drop, one, two = nn.functional.dropout, x, x
        for layer in self.layers[:8]:
            one = drop(layer(one)) + drop(one)
        for layer in self.layers[8:]:
            two = drop(layer(two)) + drop(two)
        return Plain.forward(self, one - two)


class Blind(Plain):
    """The kit's loss of it has no gradient."""


class Lucky(Plain):
    """Draws a Python number: frozen at the trace in AST."""

    def forward(self, x: Any) -> Any:
        return Plain.forward(self, x) * random.random()


class Sizeable(Plain):
    """Allows one picture size only."""

    def forward(self, x: Any) -> Any:
        return Plain.forward(self, x.reshape([x.shape[0], 3, 24, 24]))


class Cramped(Plain):
    """Has no static form for small pictures."""

    def forward(self, x: Any) -> Any:
        if x.shape[2] < 24 and not paddle.in_dynamic_mode():
            raise ValueError("a picture of 16 is too small")
        return Plain.forward(self, x)


class Reading(Plain):
    """Reads a value off, which an AST program cannot."""

    def forward(self, x: Any) -> Any:
        return Plain.forward(self, x) * len(x.shape[:1] + x.mean([1, 2, 3]).tolist())


class Parted(Plain):
    """Trains one of its layers in one mode alone."""

    def forward(self, x: Any) -> Any:
        x = nn.functional.relu(self.norm(self.conv(x))).mean([2, 3])
        return self.head(self.drop(x.detach() if paddle.in_dynamic_mode() else x))


class Broken(Plain):
    """Fails in dynamic mode too."""

    def forward(self, x: Any) -> Any:
        raise TypeError("this model never worked")


class Hanging(Plain):
    """Never comes to an end while it is traced."""

    def forward(self, x: Any) -> Any:
        while not paddle.in_dynamic_mode():
            time.process_time()
        return Plain.forward(self, x)


class Crashing(Plain):
    """Dies while it is traced."""

    def forward(self, x: Any) -> Any:
        if not paddle.in_dynamic_mode():
            os.kill(os.getpid(), signal.SIGSEGV)
        return Plain.forward(self, x)


class Rootless(Plain):
    """Cannot be built without a file that is not there."""

    def __init__(self) -> None:
        super().__init__()
        with open("no-such-weights"):  # noqa: PTH123
            pass


class Hungry(Plain):
    """Keeps more and more while it is traced."""

    def forward(self, x: Any) -> Any:
        kept = []
        while not paddle.in_dynamic_mode():
            kept.append(np.ones(2**24))
        return Plain.forward(self, x)


class Greedy(Plain):
    """Asks Paddle for more than there is."""

    def forward(self, x: Any) -> Any:
        return Plain.forward(self, x) + paddle.ones([2**16, 2**16]).mean()
