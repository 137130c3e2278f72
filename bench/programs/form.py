"""How a form of options is written down."""

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


PARSER = "    parser = argparse.ArgumentParser({make})\n"
EPOCHS = "    parser.add_argument('--epochs', type=int, default=1)\n"


def parse(
    make: str = "", more: str = "", given: str = "return parser.parse_args()", epochs: str = EPOCHS
) -> str:
    """A script's parser, and the function that parses."""
    text = f"import argparse\n\n\ndef parse_args():\n{PARSER.format(make=make)}{epochs}{more}"
    return f"{text}    {given}\n"


ARGS = ("args = parse_args()",)
CONF = "from dataclasses import dataclass\n\n\n@dataclass\nclass Conf:\n    epochs: int = 1\n"
