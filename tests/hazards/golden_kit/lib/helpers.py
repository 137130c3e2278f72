"""Functions of another file."""

import paddle


def reveal(value):
    return None


def even(x, n):
    reveal(x)  # TENSOR|HOLDER
    if n == 0:
        return x
    return odd(x, n - 1)


def odd(x, n):
    reveal(n)  # TENSOR|PYTHON
    return even(x, n - 1)


def twice(x):
    return x


def plain(x, rows=4, *, name="", late=None):
    reveal(rows)  # PYTHON|SHAPE
    reveal(name)  # PYTHON
    reveal(late)  # NONE
    return x.reshape([rows, -1])


class Counter:
    def __init__(self, start=0):
        self.start = start

    def __call__(self, x):
        int(x)  # D-05
        return x.sum()

    def add(self, x, y):
        reveal(x)  # TENSOR|HOLDER
        return self.start

    @staticmethod
    def of(x):
        reveal(x)  # TENSOR|HOLDER
        return x

    def rows(self, x):
        reveal(x)  # TENSOR
        return x.shape[0]

    def unused(self, x):
        int(x)


def apart(x):
    """A method by its class's name, where there is no `self` at all."""
    reveal(Counter.rows(3, x.sum()))  # PYTHON|SHAPE
    return Counter.of(x.sum())


def borrowed(self, x):
    """A function that is no method, but calls its first argument self."""
    part = self.make(x)
    return part(x)
