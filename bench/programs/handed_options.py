"""Forms of options by what a trainer does with the object that holds them."""

from __future__ import annotations

from bench.programs.form import ARGS, CONF, Form, parse

_PARSED = parse()
_DATA_OF = (
    "from dataclasses import asdict, astuple, dataclass, fields\n\n\n@dataclass\nclass Conf:\n"
)
_KEPT = "    def __init__(self, args):\n        self.epochs = args.epochs\n"
_GLOBAL = "\n\nargs = None\n\n\ndef read():\n    global args\n    args = parse_args()\n"

FORMS = (
    Form("as dict", _PARSED, prelude=(*ARGS, "kept = args.__dict__", "assert len(kept) == 1")),
    Form(
        "keywords of dict",
        f"{_PARSED}\n\ndef check(epochs):\n    return epochs\n",
        prelude=(*ARGS, "check(**args.__dict__)"),
    ),
    Form(
        "keywords further down",
        f"{_PARSED}\n\ndef check(epochs):\n    return epochs\n\n\ndef report(options):\n"
        "    given = vars(options)\n    return check(**given)\n",
        prelude=(*ARGS, "report(args)"),
    ),
    Form(
        "keywords of a merge",
        f"{_PARSED}\n\ndef check(epochs, seed):\n    return epochs\n",
        prelude=(*ARGS, "check(**{**vars(args), 'seed': 1})"),
    ),
    Form(
        "keywords by partial",
        f"{_PARSED}\n\ndef check(epochs):\n    return epochs\n",
        prelude=(*ARGS, "functools.partial(check, **vars(args))()"),
    ),
    Form(
        "equal to saved",
        _PARSED,
        prelude=(*ARGS, "assert args == argparse.Namespace(epochs=1)"),
    ),
    Form("dict equal", _PARSED, prelude=(*ARGS, "assert vars(args) == {'epochs': 1}")),
    Form("set equal", _PARSED, prelude=(*ARGS, "assert not set(vars(args)) - {'epochs'}")),
    Form(
        "pickled",
        f"{_PARSED}\n\nimport pickle\n",
        prelude=(*ARGS, "assert pickle.dumps(args) == pickle.dumps(argparse.Namespace(epochs=1))"),
    ),
    Form("as text", _PARSED, prelude=(*ARGS, "assert str(args) == 'Namespace(epochs=1)'")),
    Form("by values", _PARSED, prelude=(*ARGS, "(epochs,) = vars(args).values()")),
    Form(
        "in a loop",
        _PARSED,
        prelude=(*ARGS, "for name in vars(args):", "    assert name == 'epochs'"),
    ),
    Form("in a comprehension", _PARSED, prelude=(*ARGS, "assert all(k < 'f' for k in vars(args))")),
    Form("counted", _PARSED, prelude=(*ARGS, "assert len(vars(args)) == 1")),
    Form("printed", _PARSED, prelude=(*ARGS, "print(args)", "print(vars(args))")),
    Form(
        "copied to slots",
        f"{_PARSED}\n\nclass Slots:\n    __slots__ = ('epochs',)\n",
        prelude=(
            *ARGS,
            "conf = Slots()",
            "for name, value in vars(args).items():",
            "    setattr(conf, name, value)",
        ),
        held="conf",
    ),
    Form(
        "kept in part",
        f"{_PARSED}\n\nclass Kept:\n{_KEPT}",
        prelude=(*ARGS, "args = Kept(args)"),
    ),
    Form(
        "kept by a function",
        f"{_PARSED}\n\nclass Kept:\n{_KEPT}\n\ndef finish(args):\n    return Kept(args)\n",
        prelude=(*ARGS, "args = finish(args)"),
    ),
    Form(
        "named tuple",
        f"{_PARSED}\n\nfrom collections import namedtuple\n\n"
        "Conf = namedtuple('Conf', ['epochs'])\n",
        prelude=(*ARGS, "conf = Conf(*vars(args).values())"),
        held="conf",
    ),
    Form("deep copy", _PARSED, prelude=(*ARGS, "args = copy.deepcopy(args)")),
    Form(
        "deep copy of mapping",
        _PARSED,
        prelude=("cfg = copy.deepcopy(vars(parse_args()))",),
        held="cfg",
        read="{o}['epochs']",
    ),
    Form(
        "easydict of vars",
        f"{_PARSED}\n\nfrom easydict import EasyDict\n",
        prelude=("cfg = EasyDict(vars(parse_args()))",),
        held="cfg",
    ),
    Form(
        "simple namespace",
        f"{_PARSED}\n\nfrom types import SimpleNamespace\n",
        prelude=("cfg = SimpleNamespace(**vars(parse_args()))",),
        held="cfg",
    ),
    Form(
        "given namespace",
        f"{CONF}\n\n" + parse(given="return parser.parse_args(namespace=Conf())"),
        prelude=ARGS,
    ),
    Form(
        "in a tuple",
        parse(given="return parser.parse_args(), 1"),
        prelude=("args, one = parse_args()",),
    ),
    Form("in a pair", _PARSED, prelude=("pair = parse_args(), 1", "args = pair[0]")),
    Form(
        "worker of a list",
        _PARSED,
        parameters="*given",
        prelude=("args = given[0]",),
        call="main(parse_args(), 0)",
    ),
    Form(
        "spawned",
        _PARSED,
        parameters="*given",
        prelude=("args = given[0]",),
        call="paddle.distributed.spawn(main, args=(parse_args(), 0))",
    ),
    Form(
        "spawned keywords",
        f"{_PARSED}\n\ndef check(epochs):\n    return epochs\n",
        parameters="*given",
        prelude=("args, rank = given", "check(**vars(args))"),
        call="paddle.distributed.spawn(main, args=(parse_args(), 0))",
    ),
    Form(
        "global",
        _PARSED + _GLOBAL,
        prelude=("read()",),
    ),
    Form(
        "global keywords",
        f"{_PARSED}{_GLOBAL}\n\ndef check(epochs):\n    return epochs\n\n\ndef report():\n"
        "    return check(**vars(args))\n",
        prelude=("read()", "report()"),
    ),
    Form("at the top", _PARSED + "\n\nargs = parse_args()\n"),
    Form(
        "at the top, keywords",
        f"{_PARSED}\n\nargs = parse_args()\n\n\ndef check(epochs):\n    return epochs\n",
        prelude=("check(**vars(args))",),
    ),
    Form(
        "of a class",
        f"{_PARSED}\n\nclass Conf:\n    args = parse_args()\n",
        prelude=("args = Conf.args",),
    ),
    Form(
        "dataclass of keywords",
        f"{_DATA_OF}    epochs: int = 1\n\n\ndef check(epochs):\n    return epochs\n",
        prelude=("conf = Conf()", "check(**asdict(conf))"),
        held="conf",
    ),
    Form(
        "dataclass counted",
        f"{_DATA_OF}    epochs: int = 1\n",
        prelude=("conf = Conf()", "(epochs,) = astuple(conf)", "assert len(fields(conf)) == 1"),
        held="conf",
    ),
    Form(
        "changed before",
        _PARSED,
        prelude=(
            *ARGS,
            "vars(args).update({'epochs': 1})",
            "delattr(args, 'to_static') if 0 else 0",
        ),
    ),
    Form(
        "emptied",
        _PARSED,
        prelude=(*ARGS, "args = argparse.Namespace(epochs=args.epochs)"),
    ),
    Form(
        "taken apart",
        _PARSED,
        prelude=(
            *ARGS,
            "while vars(args):",
            "    name, epochs = vars(args).popitem()",
            "    assert name == 'epochs'",
        ),
        held="epochs",
        read="{o}",
    ),
)
