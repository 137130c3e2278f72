"""`codemod explain`: what an id means that another command printed."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from codemod.cli import completion, options
from codemod.cli.as_json import print_object

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from codemod.work.explaining import Explained


@click.command(name="explain")
@click.argument("ids", metavar="[ID]...", nargs=-1, shell_complete=completion.explained)
@click.option("--zh", is_flag=True, help="In Chinese.")
@options.as_json
def command(ids: tuple[str, ...], zh: bool, as_json: bool) -> int:
    """Say what each ID means; without one, list all.

    An id is a hazard (D-77), a fault (K-01), a fix of one kit (KIT/X-01), a kind of finding
    (copy-after-hook), a verdict (pass-partial), a class of difference (carried) or a cause that
    the survey names (kept_tensor.py).
    """
    from codemod.work.explaining import explain, known_ids

    if not ids:
        known = known_ids()
        if as_json:
            print_object({"ids": known})
        else:
            for id_, name in known.items():
                click.echo(f"{id_:24} {name}".rstrip())
        return 0
    language = "zh" if zh else "en"
    found = [explain(id_, language) for id_ in ids]
    if as_json:
        objects = [asdict(one) for one in found]
        whole = objects[0] if len(found) == 1 else {"explained": objects}
        print_object(whole, indent=1)
        return 0
    for number, one in enumerate(found):
        if number:
            click.echo()
        click.secho(one.id if one.name == one.id else f"{one.id} {one.name}", bold=True)
        for line in _lines(one, language):
            click.echo(line)
    return 0


def _lines(one: Explained, language: str) -> Iterator[str]:
    from codemod.work.explaining import word

    def label(key: str) -> str:
        return word("labels", key, language) + word("labels", "colon", language)

    yield f"{one.kind}{word('labels', 'colon', language)}{one.summary}"
    if one.effects:
        yield ""
        yield from (f"  {place}  {effect}" for place, effect in one.effects.items())
    yield from _code(label("flagged"), one.flagged)
    yield from _code(label("silent"), one.silent)
    if one.remedy:
        yield from ("", label("remedy") + one.remedy)
    if one.rewrite:
        yield from ("", label("rewrite") + one.rewrite)
    for before, after in one.before_after:
        yield from _code(label("before"), (before,))
        yield from _code(label("after"), (after,))
    if one.proved or one.seen:
        yield ""
    if one.proved:
        yield label("proved") + _by_kit(one.proved)
    if one.seen:
        yield label("seen") + _by_kit(one.seen)


def _code(title: str, pieces: tuple[str, ...]) -> Iterator[str]:
    for number, piece in enumerate(pieces):
        yield ""
        if not number:
            yield title.rstrip()
        yield from (f"    {line}".rstrip() for line in piece.strip().splitlines())


def _by_kit(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{kit} {number}" for kit, number in counts.items())
