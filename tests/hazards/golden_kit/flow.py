"""What holds after branches, loops, and tries; what training cannot run is not looked at."""

import paddle
import paddle.nn as nn
from lib.helpers import reveal


class Net(nn.Layer):
    def forward(self, x, n, cond):
        reveal(self.branches(x, cond))  # TENSOR|HOLDER|PYTHON
        reveal(self.training_only(x))  # TENSOR|HOLDER
        reveal(self.loops(x, n))  # TENSOR|HOLDER
        reveal(self.tries(x))  # TENSOR|HOLDER
        reveal(self.returns_nothing(x))  # ?
        reveal(self.returns_early(x, cond))  # TENSOR|HOLDER|NONE
        reveal(self.raises(x, cond))  # ?
        reveal(self.yields(x))  # HOLDER
        reveal(self.yields_numbers(3))  # ?
        reveal(self.returned_number(x))  # PYTHON|SHAPE
        reveal(self.effective(x))  # TENSOR
        reveal(self.handled(x))  # TENSOR|HOLDER|NONE
        reveal(self.tests(x))  # PYTHON
        reveal(self.thrice(x))  # ?
        return x

    def branches(self, x, cond):
        if cond:
            a = x
        else:
            a = 3
        reveal(a)  # TENSOR|HOLDER|PYTHON
        if cond:
            a = 4
        reveal(a)  # TENSOR|HOLDER|PYTHON
        if cond:
            b = x
            return b
        else:
            b = 3
        reveal(b)  # PYTHON
        if cond:
            c = x
            return c
        else:
            c = 3
            return c
        reveal(c)
        return None

    def training_only(self, x):
        if self.training:
            a = x
        else:
            a = 3
            int(x)
        reveal(a)  # TENSOR|HOLDER
        if not self.training:
            b = int(x)
            return b
        if self.training:
            return x
        int(x)
        return 3

    def loops(self, x, n):
        a = 3
        for i in range(n):
            reveal(a)  # TENSOR|HOLDER|PYTHON
            a = x
        reveal(a)  # TENSOR|HOLDER|PYTHON
        reveal(i)  # PYTHON
        b = 3
        for part in x:  # D-100
            c = b
            b = part
        else:
            d = b
        reveal(b)  # TENSOR|HOLDER|PYTHON
        reveal(c)  # TENSOR|HOLDER|PYTHON
        reveal(d)  # TENSOR|HOLDER|PYTHON
        e = 3
        while e > 2:  # D-100
            reveal(e)  # TENSOR|HOLDER|PYTHON
            e = x
        else:
            f = e
        reveal(e)  # TENSOR|HOLDER|PYTHON
        reveal(f)  # TENSOR|HOLDER|PYTHON
        for i in range(3):
            if n:
                g = x
                continue
            if i:
                g = 3
                break
            int(x)  # D-05
        reveal(g)  # ?
        with paddle.no_grad() as h:  # D-40
            reveal(h)  # PYTHON
            k = int(x)  # D-05
        with open("text"):  # D-68  D-74
            return x  # D-93
        int(x)

    def tries(self, x):
        try:  # D-39
            a = x
        except ValueError as error:
            reveal(error)  # PYTHON
            a = 3
        except KeyError:
            a = None
        else:
            b = x
        finally:
            reveal(a)  # TENSOR|HOLDER|PYTHON|NONE
        reveal(a)  # TENSOR|HOLDER|PYTHON|NONE
        reveal(b)  # TENSOR|HOLDER
        try:  # D-39
            return x  # D-93
        except ValueError:
            c = 3
            raise
        int(x)

    def handled(self, x):
        a = 3
        try:  # D-39
            a = x
        except ValueError:
            a = None
            return None  # D-93
        reveal(a)  # TENSOR|HOLDER
        try:  # D-39
            return x  # D-93
        except ValueError:
            a = 4
        reveal(a)  # PYTHON
        try:  # D-39
            return x  # D-93
        finally:
            int(x)  # D-05
        int(x)

    def tests(self, x):
        if int(x):  # D-05
            pass
        while int(x):  # D-05
            pass
        if x:
            return 3
        else:
            raise ValueError
        int(x)

    def thrice(self, x):
        """Two turns of a loop are looked at, so what needs a third is not seen."""
        a = b = c = 3
        for _ in x:
            reveal(c)  # PYTHON
            c = b
            b = a
            a = x

    def returns_nothing(self, x):
        int(x)  # D-05

    def returns_early(self, x, cond):
        if cond:
            return
        return x

    def raises(self, x, cond):
        if cond:
            a = 3
            raise ValueError(x)
        else:
            a = x
        assert int(x)  # D-05
        del cond
        reveal(a)  # TENSOR|HOLDER
        raise ValueError(int(x))  # D-05
        int(x)

    def yields(self, x):
        yield x  # D-42

    def yields_numbers(self, n):
        yield n  # D-42

    def returned_number(self, x):
        def inner():
            return 3

        def generator():
            yield x  # D-42

        return x.shape[0]

    def effective(self, x):
        return paddle.nonzero(x)
