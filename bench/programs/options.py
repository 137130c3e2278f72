"""How a trainer's options are read: the forms of each library, as productions of the grammar."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Form:
    """A form of options.

    `head` stands at the top of the script. `before` decorates the function that has `parameters`,
    begins with `prelude` and is run by `call` (with `main` as its name); then `held` names the
    object that holds the options, and `read` is the number of epochs of an object `{o}`.
    """

    name: str
    head: str = ""
    before: tuple[str, ...] = ()
    parameters: str = ""
    prelude: tuple[str, ...] = ()
    call: str = "main()"
    held: str = "args"
    read: str = "{o}.epochs"
    words: tuple[str, ...] = ()


_PARSER = "    parser = argparse.ArgumentParser({make})\n"
_EPOCHS = "    parser.add_argument('--epochs', type=int, default=1)\n"


def _parse(
    make: str = "", more: str = "", given: str = "return parser.parse_args()", epochs: str = _EPOCHS
) -> str:
    text = f"import argparse\n\n\ndef parse_args():\n{_PARSER.format(make=make)}{epochs}{more}"
    return f"{text}    {given}\n"


_ARGS = ("args = parse_args()",)
_CONF = "from dataclasses import dataclass\n\n\n@dataclass\nclass Conf:\n    epochs: int = 1\n"

FORMS = (
    Form("argparse", _parse(), prelude=_ARGS),
    Form("argparse handed over", _parse(), parameters="args", call="main(parse_args())"),
    Form(
        "argparse in place",
        "import argparse\n",
        prelude=(
            "parser = argparse.ArgumentParser()",
            "parser.add_argument('--epochs', type=int, default=1)",
            "args = parser.parse_args()",
        ),
    ),
    Form("known arguments", _parse(given="return parser.parse_known_args()[0]"), prelude=_ARGS),
    Form(
        "known and unknown",
        _parse(given="return parser.parse_known_args()"),
        prelude=("args, unknown = parse_args()",),
    ),
    Form("prefix +", _parse("prefix_chars='+'", epochs=_EPOCHS.replace("--", "++")), prelude=_ARGS),
    Form("fixed list", _parse(given="return parser.parse_args([])"), prelude=_ARGS),
    Form(
        "given list",
        _parse(given="return parser.parse_args(sys.argv[1:])").replace("\n", "\nimport sys\n", 1),
        prelude=_ARGS,
    ),
    Form(
        "vars",
        _parse(given="return vars(parser.parse_args())"),
        prelude=_ARGS,
        read="{o}['epochs']",
    ),
    Form(
        "conf of vars",
        _parse() + "\n\n" + _CONF,
        prelude=("conf = Conf(**vars(parse_args()))",),
        held="conf",
    ),
    Form(
        "args and conf of vars",
        _parse() + "\n\n" + _CONF,
        prelude=(*_ARGS, "conf = Conf(**vars(args))", "assert conf.epochs == args.epochs"),
    ),
    Form(
        "keywords of vars",
        _parse() + "\n\ndef check(epochs):\n    return epochs\n",
        prelude=(*_ARGS, "check(**vars(args))"),
    ),
    Form("reassigned", _parse(), prelude=(*_ARGS, "args = args.epochs"), read="{o}"),
    Form(
        "own value 'no'",
        _parse(more="    parser.add_argument('--to_static', type=str, default='no')\n"),
        prelude=_ARGS,
    ),
    Form(
        "own number",
        _parse(more="    parser.add_argument('--static', dest='to_static', type=int, default=7)\n"),
        prelude=_ARGS,
    ),
    Form(
        "sub-parsers",
        "import argparse\n\n\ndef parse_args():\n    parser = argparse.ArgumentParser()\n"
        "    commands = parser.add_subparsers(dest='command')\n"
        "    train = commands.add_parser('train')\n"
        "    train.add_argument('--epochs', type=int, default=1)\n    return parser.parse_args()\n",
        prelude=_ARGS,
        words=("train",),
    ),
    Form(
        "parents",
        "import argparse\n\n\ndef parse_args():\n"
        "    common = argparse.ArgumentParser(add_help=False)\n"
        "    common.add_argument('--epochs', type=int, default=1)\n"
        "    parser = argparse.ArgumentParser(parents=[common])\n    return parser.parse_args()\n",
        prelude=_ARGS,
    ),
    Form(
        "groups",
        _parse(
            epochs="    group = parser.add_argument_group('training')\n"
            "    group.add_argument('--epochs', type=int, default=1)\n"
        ),
        prelude=_ARGS,
    ),
    Form("defaults set", _parse(more="    parser.set_defaults(name='net')\n"), prelude=_ARGS),
    Form(
        "parser class",
        "import argparse\n\n\nclass Options(argparse.ArgumentParser):\n    def __init__(self):\n"
        "        super().__init__()\n        self.add_argument('--epochs', type=int, default=1)\n",
        prelude=("args = Options().parse_args()",),
    ),
    Form(
        "checked names",
        _parse(),
        prelude=(*_ARGS, "assert sorted(vars(args)) == ['epochs'], vars(args)"),
    ),
    Form("dataclass", _CONF, prelude=("conf = Conf()",), held="conf"),
    Form(
        "dictionary",
        "CONFIG = {'epochs': 1}\n",
        prelude=("config = dict(CONFIG)",),
        held="config",
        read="{o}['epochs']",
    ),
    Form("global dictionary", "CONFIG = {'epochs': 1}\n", held="CONFIG", read="{o}['epochs']"),
    Form(
        "json",
        "import json\n\nTEXT = '{\"epochs\": 1}'\n",
        prelude=("cfg = json.loads(TEXT)",),
        held="cfg",
        read="{o}['epochs']",
    ),
    Form(
        "strict keys",
        "CONFIG = {'epochs': 1}\n\n\ndef checked(config):\n    assert list(config) == ['epochs']\n"
        "    return config\n",
        prelude=("config = checked(dict(CONFIG))",),
        held="config",
        read="{o}['epochs']",
    ),
    Form(
        "easydict",
        "from easydict import EasyDict\n",
        prelude=("cfg = EasyDict({'epochs': 1})",),
        held="cfg",
    ),
    Form(
        "yacs",
        "from yacs.config import CfgNode\n\n\ndef get_config():\n    config = CfgNode()\n"
        "    config.epochs = 1\n    return config\n",
        prelude=("config = get_config()",),
        held="config",
    ),
    Form(
        "yacs worker",
        "from yacs.config import CfgNode\n\n\ndef get_config():\n    config = CfgNode()\n"
        "    config.epochs = 1\n    return config\n",
        parameters="*args",
        prelude=("config, rank = args",),
        call="main(get_config(), 0)",
        held="config",
    ),
    Form(
        "omegaconf",
        "from omegaconf import OmegaConf\n",
        prelude=("cfg = OmegaConf.create({'epochs': 1})",),
        held="cfg",
    ),
    Form(
        "click",
        "import click\n",
        before=("@click.command()", "@click.option('--epochs', type=int, default=1)"),
        parameters="epochs",
        call="main(standalone_mode=False)",
        held="epochs",
        read="{o}",
    ),
    Form(
        "fire",
        "import fire\n",
        parameters="epochs=1",
        call="fire.Fire(main)",
        held="epochs",
        read="{o}",
    ),
    Form(
        "absl",
        "from absl import app, flags\n\nFLAGS = flags.FLAGS\n"
        "flags.DEFINE_integer('epochs', 1, 'How many.')\n",
        parameters="argv",
        call="app.run(main)",
        held="FLAGS",
    ),
    Form("none", held="None", read="1"),
    Form("constants", "EPOCHS = 1\n", held="EPOCHS", read="{o}"),
)
