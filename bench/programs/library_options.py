"""Forms of options by the library that reads them."""

from __future__ import annotations

from bench.programs.form import ARGS, CONF, EPOCHS, Form, parse

_MORE = "    parser.add_argument({})\n"
_YACS = (
    "from yacs.config import CfgNode as CN\n\n_C = CN()\n_C.epochs = 1\n"
    "_C.TRAIN = CN()\n_C.TRAIN.rate = 0.1\n"
)
_CLONE = "\n\ndef get_config():\n    config = _C.clone()\n{}    return config\n"


def _made(library: str, make: str) -> str:
    text = parse().replace("argparse.ArgumentParser()", make)
    return text.replace("import argparse\n", f"{library}\n", 1)


FORMS = (
    Form(
        "jsonargparse",
        _made("from jsonargparse import ArgumentParser", "ArgumentParser()"),
        prelude=ARGS,
    ),
    Form(
        "configargparse", _made("import configargparse", "configargparse.ArgParser()"), prelude=ARGS
    ),
    Form(
        "aliased parser",
        _made("import configargparse as argparse", "argparse.ArgumentParser()"),
        prelude=ARGS,
    ),
    Form(
        "own option string",
        parse(more=_MORE.format("'--to_static', dest='static', action='store_true'")),
        prelude=ARGS,
    ),
    Form(
        "own option of another name",
        parse(more=_MORE.format("'--static', dest='to_static', action='store_true'")),
        prelude=ARGS,
    ),
    Form(
        "own option with a dash",
        parse(more=_MORE.format("'--to-static', action='store_true'")),
        prelude=ARGS,
    ),
    Form(
        "own option, on",
        parse(more=_MORE.format("'--to_static', action='store_false'")),
        prelude=ARGS,
    ),
    Form(
        "own option in a group",
        parse(
            more="    group = parser.add_argument_group('static')\n"
            "    group.add_argument('--to_static', dest='static', action='store_true')\n"
        ),
        prelude=ARGS,
    ),
    Form(
        "own option from a table",
        parse(
            more="    for name in ['--to_static']:\n"
            "        parser.add_argument(name, default='no')\n"
        ),
        prelude=ARGS,
    ),
    Form(
        "exclusive group",
        parse(
            epochs="    group = parser.add_mutually_exclusive_group()\n"
            "    group.add_argument('--epochs', type=int, default=1)\n"
        ),
        prelude=ARGS,
    ),
    Form(
        "remainder",
        parse(more=_MORE.format("'rest', nargs='...'")),
        prelude=ARGS,
        words=("one", "--two"),
    ),
    Form(
        "positional",
        parse(epochs=EPOCHS.replace("'--epochs', type=int, default=1", "'epochs', type=int")),
        prelude=ARGS,
        words=("1",),
    ),
    Form("prefix + and -", parse("prefix_chars='-+'"), prelude=ARGS),
    Form("from files", parse("fromfile_prefix_chars='@'"), prelude=ARGS),
    Form("no abbreviations", parse("allow_abbrev=False"), prelude=ARGS),
    Form("usage", parse("usage='train.py [--epochs]'"), prelude=ARGS),
    Form(
        "conflicts resolved",
        parse(
            "conflict_handler='resolve'",
            more=_MORE.format("'--to_static', dest='static', action='store_true'"),
        ),
        prelude=ARGS,
    ),
    Form(
        "set defaults, on",
        parse(more="    parser.set_defaults(**{'to_static': 7})\n"),
        prelude=ARGS,
    ),
    Form(
        "parsed twice",
        parse(
            more="    first, rest = parser.parse_known_args()\n"
            "    parser.add_argument('--seed', type=int, default=first.epochs)\n"
        ),
        prelude=ARGS,
    ),
    Form(
        "two parsers",
        parse(
            given="return argparse.Namespace(**vars(parser.parse_known_args()[0]), **vars(other()))"
        )
        + "\n\ndef other():\n    parser = argparse.ArgumentParser()\n"
        "    parser.add_argument('--seed', type=int, default=1)\n"
        "    return parser.parse_known_args()[0]\n",
        prelude=ARGS,
    ),
    Form(
        "rest to another parser",
        parse(given="args, rest = parser.parse_known_args()\n    assert not rest\n    return args"),
        prelude=ARGS,
    ),
    Form(
        "fixed by a name",
        parse(given="return parser.parse_args(GIVEN)") + "\n\nGIVEN = ['--epochs', '1']\n",
        prelude=ARGS,
    ),
    Form(
        "fixed for notebooks",
        parse(given="return parser.parse_args(args=[])"),
        prelude=ARGS,
    ),
    Form(
        "dataclass parser",
        f"from paddlenlp.trainer import PdArgumentParser\n{CONF}",
        prelude=("(args,) = PdArgumentParser((Conf,)).parse_args_into_dataclasses()",),
    ),
    Form(
        "dataclass parser, keywords",
        f"from paddlenlp.trainer import PdArgumentParser\n{CONF}\n\n"
        "def check(epochs):\n    return epochs\n",
        prelude=(
            "parser = PdArgumentParser((Conf,))",
            "args = parser.parse_args_into_dataclasses()[0]",
            "check(**vars(args))",
        ),
    ),
    Form(
        "typer",
        "import typer\n",
        parameters="epochs: int = 1",
        call="typer.run(main)",
        held="epochs",
        read="{o}",
    ),
    Form(
        "click keywords",
        f"import click\n{CONF}",
        before=("@click.command()", "@click.option('--epochs', type=int, default=1)"),
        parameters="**options",
        prelude=("conf = Conf(**options)",),
        call="main(standalone_mode=False)",
        held="conf",
    ),
    Form(
        "fire keywords",
        f"import fire\n{CONF}",
        parameters="**options",
        prelude=("conf = Conf(**options)",),
        call="fire.Fire(main)",
        held="conf",
    ),
    Form(
        "fire locals",
        "import fire\n",
        parameters="epochs=1",
        prelude=("args = locals()", "assert list(args) == ['epochs']"),
        call="fire.Fire(main)",
        read="{o}['epochs']",
    ),
    Form(
        "absl, own",
        "from absl import app, flags\n\nFLAGS = flags.FLAGS\n"
        "flags.DEFINE_integer('epochs', 1, 'How many.')\n"
        "flags.DEFINE_bool('to_static', True, 'Of something else.')\n",
        parameters="argv",
        call="app.run(main)",
        held="FLAGS",
    ),
    Form(
        "yacs clone", _YACS + _CLONE.format(""), prelude=("config = get_config()",), held="config"
    ),
    Form(
        "yacs merged",
        _YACS + "\nGIVEN = ['epochs', 1]\n" + _CLONE.format("    config.merge_from_list(GIVEN)\n"),
        prelude=("config = get_config()",),
        held="config",
    ),
    Form(
        "yacs spawned",
        _YACS + _CLONE.format(""),
        parameters="*args",
        prelude=("config = args[0]",),
        call="paddle.distributed.spawn(main, args=(get_config(), 0))",
        held="config",
    ),
    Form(
        "yacs updated",
        _YACS
        + _CLONE.format("")
        + "\n\ndef update(config, epochs):\n    config.defrost()\n    config.epochs = epochs\n"
        "    config.freeze()\n    return config\n",
        prelude=("config = get_config()", "config = update(config, 1)"),
        held="config",
    ),
    Form(
        "yacs keywords",
        "from yacs.config import CfgNode\n\n_C = CfgNode()\n_C.epochs = 1\n\n\n"
        "def check(epochs):\n    return epochs\n",
        prelude=("config = _C.clone()", "check(**config)"),
        held="config",
    ),
    Form(
        "yacs, own key",
        "from yacs.config import CfgNode\n\n_C = CfgNode()\n_C.epochs = 1\n_C.to_static = 'no'\n",
        prelude=("config = _C.clone()",),
        held="config",
    ),
    Form(
        "yacs in capitals",
        "from yacs.config import CfgNode\n\n_C = CfgNode()\n_C.EPOCHS = 1\n",
        prelude=("config = copy.deepcopy(_C)",),
        held="config",
        read="{o}.EPOCHS",
    ),
    Form(
        "omegaconf structured",
        f"from omegaconf import OmegaConf\n{CONF}",
        prelude=("cfg = OmegaConf.structured(Conf)",),
        held="cfg",
    ),
    Form(
        "omegaconf merged",
        "from omegaconf import OmegaConf\n",
        prelude=("cfg = OmegaConf.merge(OmegaConf.create({'epochs': 1}), OmegaConf.create({}))",),
        held="cfg",
    ),
    Form(
        "hydra",
        "import hydra\n\nCONFIG = {'epochs': 1}\n",
        before=("@hydra.main(CONFIG)",),
        parameters="cfg",
        call="main()",
        held="cfg",
    ),
)
