"""How a trainer's options are read: the forms of each library, as productions of the grammar."""

from __future__ import annotations

from bench.programs import handed_options, library_options
from bench.programs.form import ARGS, CONF, EPOCHS, Form, parse

FORMS = (
    Form("argparse", parse(), prelude=ARGS),
    Form("argparse handed over", parse(), parameters="args", call="main(parse_args())"),
    Form(
        "argparse in place",
        "import argparse\n",
        prelude=(
            "parser = argparse.ArgumentParser()",
            "parser.add_argument('--epochs', type=int, default=1)",
            "args = parser.parse_args()",
        ),
    ),
    Form("known arguments", parse(given="return parser.parse_known_args()[0]"), prelude=ARGS),
    Form(
        "known and unknown",
        parse(given="return parser.parse_known_args()"),
        prelude=("args, unknown = parse_args()",),
    ),
    Form("prefix +", parse("prefix_chars='+'", epochs=EPOCHS.replace("--", "++")), prelude=ARGS),
    Form("fixed list", parse(given="return parser.parse_args([])"), prelude=ARGS),
    Form(
        "given list",
        parse(given="return parser.parse_args(sys.argv[1:])").replace("\n", "\nimport sys\n", 1),
        prelude=ARGS,
    ),
    Form(
        "vars",
        parse(given="return vars(parser.parse_args())"),
        prelude=ARGS,
        read="{o}['epochs']",
    ),
    Form(
        "conf of vars",
        parse() + "\n\n" + CONF,
        prelude=("conf = Conf(**vars(parse_args()))",),
        held="conf",
    ),
    Form(
        "args and conf of vars",
        parse() + "\n\n" + CONF,
        prelude=(*ARGS, "conf = Conf(**vars(args))", "assert conf.epochs == args.epochs"),
    ),
    Form(
        "keywords of vars",
        parse() + "\n\ndef check(epochs):\n    return epochs\n",
        prelude=(*ARGS, "check(**vars(args))"),
    ),
    Form("reassigned", parse(), prelude=(*ARGS, "args = args.epochs"), read="{o}"),
    Form(
        "own value 'no'",
        parse(more="    parser.add_argument('--to_static', type=str, default='no')\n"),
        prelude=ARGS,
    ),
    Form(
        "own number",
        parse(more="    parser.add_argument('--static', dest='to_static', type=int, default=7)\n"),
        prelude=ARGS,
    ),
    Form(
        "sub-parsers",
        "import argparse\n\n\ndef parse_args():\n    parser = argparse.ArgumentParser()\n"
        "    commands = parser.add_subparsers(dest='command')\n"
        "    train = commands.add_parser('train')\n"
        "    train.add_argument('--epochs', type=int, default=1)\n    return parser.parse_args()\n",
        prelude=ARGS,
        words=("train",),
    ),
    Form(
        "parents",
        "import argparse\n\n\ndef parse_args():\n"
        "    common = argparse.ArgumentParser(add_help=False)\n"
        "    common.add_argument('--epochs', type=int, default=1)\n"
        "    parser = argparse.ArgumentParser(parents=[common])\n    return parser.parse_args()\n",
        prelude=ARGS,
    ),
    Form(
        "groups",
        parse(
            epochs="    group = parser.add_argument_group('training')\n"
            "    group.add_argument('--epochs', type=int, default=1)\n"
        ),
        prelude=ARGS,
    ),
    Form("defaults set", parse(more="    parser.set_defaults(name='net')\n"), prelude=ARGS),
    Form(
        "parser class",
        "import argparse\n\n\nclass Options(argparse.ArgumentParser):\n    def __init__(self):\n"
        "        super().__init__()\n        self.add_argument('--epochs', type=int, default=1)\n",
        prelude=("args = Options().parse_args()",),
    ),
    Form(
        "checked names",
        parse(),
        prelude=(*ARGS, "assert sorted(vars(args)) == ['epochs'], vars(args)"),
    ),
    Form("dataclass", CONF, prelude=("conf = Conf()",), held="conf"),
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
    *handed_options.FORMS,
    *library_options.FORMS,
)
