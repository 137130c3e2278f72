"""Ways in which scripts use all options at once: a trainer with each, to be run on the stand-in."""

from __future__ import annotations

HEAD = """\
import argparse
import copy
import dataclasses
import hashlib
import json
import types

import paddle


class Net(paddle.nn.Layer):
    def forward(self, x):
        return x


class Conf:
    def __init__(self, epochs):
        self.epochs = epochs


@dataclasses.dataclass
class Settings:
    epochs: int = 1


def taken(epochs=1):
    return epochs


def passed_on(**options):
    return Conf(**options)


def counted(**options):
    return sum(1 for _ in options)


def parser_of():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=1)
    return parser


"""
TRAINS = """\
    model = Net()
    optimizer = paddle.optimizer.SGD(parameters=model.parameters())
    for epoch in range(1):
        loss = model(epoch)
        loss.backward()
        optimizer.step()


main()
"""
PARSED = """\
def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=1)
    args = parser.parse_args()
"""

# What a script does with what it parsed, and whether the option may still be its own.
USES = {
    "conf": ("    conf = Conf(**vars(args))\n", False),
    "dict-attribute": ("    conf = Conf(**args.__dict__)\n", False),
    "named": ("    options = vars(args)\n    conf = Conf(**options)\n", False),
    "dataclass": ("    conf = Settings(**vars(args))\n", False),
    "function": ("    taken(**vars(args))\n", False),
    "kwargs": ("    passed_on(**vars(args))\n", False),
    "copied": ("    conf = Conf(**copy.deepcopy(vars(args)))\n", False),
    "built": ("    conf = Conf(**{k: v for k, v in vars(args).items()})\n", False),
    "filled": (
        (
            "    made = {}\n    for k, v in vars(args).items():\n        made[k] = v\n"
            "    conf = Conf(**made)\n"
        ),
        False,
    ),
    "merged": ("    conf = Conf(**{**vars(args)})\n", False),
    "compared": (
        "    if vars(args) == {'epochs': 1}:\n        paddle.ones([1])\n        Net()\n",
        False,
    ),
    "compared-whole": (
        "    if args == argparse.Namespace(epochs=1):\n        Net()\n",
        False,
    ),
    "counted": ("    for _ in range(len(vars(args))):\n        Net()\n", False),
    "looped": ("    for _ in vars(args):\n        Net()\n", False),
    "hashed": (
        (
            "    run = hashlib.md5(str(args).encode()).hexdigest()\n"
            "    if run == hashlib.md5(b'Namespace(epochs=1)').hexdigest():\n        Net()\n"
        ),
        False,
    ),
    "text": ("    name = f'run-{args}'\n    if len(name) < 25:\n        Net()\n", False),
    "dumped": ("    if json.dumps(vars(args)) == '{\"epochs\": 1}':\n        Net()\n", False),
    "printed": ("    print(args)\n    print(vars(args))\n", True),
    "printed-each": (
        "    for k, v in sorted(vars(args).items()):\n        print(k, v)\n",
        True,
    ),
    "a-part": ("    epochs = vars(args)['epochs']\n", True),
    "handed-on": ("    print(taken(args.epochs))\n", True),
    "namespace": ("    args = argparse.Namespace(**vars(args))\n", True),
    "part-under-the-name": ("    args = args.epochs\n", False),
    "constant-under-the-name": ("    args = 3\n", False),
    "loop-under-the-name": ("    for args in range(2):\n        pass\n", False),
    "only-a-dict": ("    args = vars(args)\n    print(args['epochs'])\n", True),
}

# How the options are made, and whether an option can be added.
PARSERS = {
    "taken-and-on": (
        PARSED.replace(
            "    args =", '    parser.add_argument("--to_static", default="no")\n    args ='
        ),
        False,
    ),
    "taken-and-a-number": (
        PARSED.replace(
            "    args =", '    parser.add_argument("--to_static", type=int, default=7)\n    args ='
        ),
        False,
    ),
    "taken-under-another-option": (
        PARSED.replace(
            "    args =",
            '    parser.add_argument("--how", dest="to_static", default="no")\n    args =',
        ),
        False,
    ),
    "taken-by-defaults": (
        PARSED.replace("    args =", '    parser.set_defaults(to_static="no")\n    args ='),
        False,
    ),
    "its-own": (
        PARSED.replace(
            "    args =", '    parser.add_argument("--to_static", action="store_true")\n    args ='
        ),
        True,
    ),
    "plus": (
        PARSED.replace("ArgumentParser()", 'ArgumentParser(prefix_chars="+")').replace(
            '"--epochs"', '"++epochs"'
        ),
        False,
    ),
    "fixed": (PARSED.replace("parse_args()", 'parse_args(["--epochs", "1"])'), False),
    "fixed-by-name": (
        PARSED.replace(
            "    args = parser.parse_args()",
            '    given = ["--epochs", "1"]\n    args = parser.parse_args(given)',
        ),
        False,
    ),
    "empty": (PARSED.replace("parse_args()", "parse_args([])"), False),
    "commands": (
        PARSED.replace(
            "    args =",
            '    parser.add_subparsers().add_parser("go")\n    args =',
        ),
        False,
    ),
    "parents": (
        PARSED.replace(
            "    parser = argparse.ArgumentParser()",
            "    base = argparse.ArgumentParser(add_help=False)\n"
            '    base.add_argument("--to_static", action="store_true")\n'
            "    parser = argparse.ArgumentParser(parents=[base])",
        ),
        False,
    ),
    "dict-of-options": (
        PARSED.replace("args = parser.parse_args()", "args = vars(parser.parse_args())")
        + "    print(args['epochs'])\n",
        True,
    ),
    "dict-of-options-as-opt": (
        PARSED.replace("args = parser.parse_args()", "opt = vars(parser.parse_args())")
        + "    print(opt['epochs'])\n",
        True,
    ),
    "made-elsewhere": (
        "def main():\n    args = parser_of().parse_args()\n    conf = Conf(**vars(args))\n",
        False,
    ),
    "none": ("def main():\n    print('no options')\n", False),
    "known": (
        PARSED.replace("args = parser.parse_args()", "args, _ = parser.parse_known_args()"),
        True,
    ),
    "late": ("def main():\n    args = None\n", False),
}


def programs() -> dict[str, tuple[str, bool]]:
    """Each program by its name, and whether its option can be a new one (or its own)."""
    made = {name: (HEAD + PARSED + use + TRAINS, safe) for name, (use, safe) in USES.items()}
    made |= {name: (HEAD + head + TRAINS, safe) for name, (head, safe) in PARSERS.items()}
    return made
