"""`codemod explain`: what an id means that another command printed."""

from __future__ import annotations

from dataclasses import asdict

import click

from codemod.base.terminal.spoken import language
from codemod.cli import completion, options
from codemod.cli.output import print_object, rendered


@click.command(name="explain")
@click.argument("ids", metavar="[ID]...", nargs=-1, shell_complete=completion.explained)
@options.said_in
@options.flag("--zh", "As --language zh.")
@options.as_json
def command(ids: tuple[str, ...], zh: bool, as_json: bool) -> int:
    """Say what each ID means; without one, list all.

    An id is a hazard (D-77), a fault (K-01), a fix of one kit (KIT/X-01), a kind of finding
    (copy-after-hook), a verdict (pass-partial), a class of difference (carried) or a cause that
    the survey names (kept_tensor.py).
    """
    from codemod.work.explaining import explain, known_ids, word

    if not ids:
        known = known_ids()
        if as_json:
            print_object({"ids": known})
        else:
            for id_, name in known.items():
                click.echo(f"{id_:24} {name}".rstrip())
        return 0
    spoken = "zh" if zh else language()
    found = [explain(id_, spoken) for id_ in ids]
    if as_json:
        objects = [asdict(one) for one in found]
        whole = objects[0] if len(found) == 1 else {"explained": objects}
        print_object(whole, indent=1)
        return 0
    for number, one in enumerate(found):
        if number:
            click.echo()
        click.secho(one.id if one.name == one.id else f"{one.id} {one.name}", bold=True)
        click.echo(rendered("explain.txt", one=one, word=word, language=spoken), nl=False)
    return 0
