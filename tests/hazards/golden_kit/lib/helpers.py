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

    def unused(self, x):
        int(x)
