"""Helpers that copy a model, look through it, change it or call it without gradients, and trainers."""

from __future__ import annotations

HEAD = """\
import argparse
import copy

import paddle


class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.inner = paddle.nn.Linear(4, 4)

    def forward(self, x):
        return self.inner(x)


class Other(paddle.nn.Layer):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x)


class Average:
    def __init__(self, net):
        self.net = copy.deepcopy(net)


def averaged(net):
    return Average(net)


@paddle.no_grad()
def warm(net):
    net(paddle.ones([2, 4]))


def warmer(net):
    warm(net)


def measured(net):
    with paddle.no_grad():
        return net(paddle.ones([2, 4])).shape


def switched_off(net):
    paddle.set_grad_enabled(False)
    net(paddle.ones([2, 4]))
    paddle.set_grad_enabled(True)


def called(net):
    return net(paddle.ones([2, 4]))


def replaced(net):
    for name, layer in list(net.named_children()):
        setattr(net, name, Other(layer))
    return net


def wrapped(net):
    net = paddle.nn.SyncBatchNorm.convert_sync_batchnorm(net)
    return paddle.DataParallel(net)


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=1)
    return parser.parse_args()


"""
TRAINER = """\
def main():
    args = parse()
    model = Net()
    {before}
    {wrap}
    {after}
    optimizer = paddle.optimizer.SGD(parameters=model.parameters())
    for epoch in range(args.epochs):
        loss = model(paddle.ones([2, 4])).mean()
        loss.backward()
        optimizer.step()


main()
"""
WRAP = "model = paddle.DataParallel(model)"
# What comes before the wrap, and a word of the reason why the hook stands behind it.
HOOKED = {
    "averaged": ("average = averaged(model)", "copied"),
    "average": ("average = Average(model)", "copied"),
    "warm": ("warm(model)", "without gradients"),
    "warmer": ("warmer(model)", "without gradients"),
    "measured": ("shape = measured(model)", "without gradients"),
    "switched off": ("switched_off(model)", "without gradients"),
    "here": ("with paddle.no_grad():\n        model(paddle.ones([2, 4]))", "without gradients"),
    "replaced": ("model = replaced(model)", "built"),
    "in place": ("replaced(model)", "changed"),
    "summary": ("paddle.summary(model, (2, 4))", "changed"),
    "called": ("called(model)", "built"),
}
# What comes after the wrap, where no hook may stand at all, and a word of the reason.
LEFT = {
    "averaged": ("average = averaged(model)", "copied"),
    "warm": ("warm(model)", "without gradients"),
    "here": ("with paddle.no_grad():\n        model(paddle.ones([2, 4]))", "without gradients"),
    "in place": ("replaced(model)", "changes the layers"),
    "summary": ("paddle.summary(model, (2, 4))", "changes the layers"),
}


def trainer(before: str = "pass", wrap: str = "pass", after: str = "pass") -> str:
    """A trainer with these lines before and after its wrap."""
    return HEAD + TRAINER.format(before=before, wrap=wrap, after=after)
