"""Which rows of the base stand on today's code, and the base without the others."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from codemod.base.files.shared_file import held
from codemod.base.files.workspace import Workspace
from codemod.code.tree import Tree
from codemod.judging.evidence import base
from codemod.judging.evidence.fix_proofs import PROOFS
from codemod.judging.evidence.rows import EvidenceRow
from codemod.kits.catalogue import load_kits
from codemod.kits.config_rule import config_rule
from codemod.reports.survey import inventory, predictions
from codemod.reports.survey.families import catalogue
from codemod.reports.survey.grounds import Grounds, grounds, is_version
from codemod.work.planning import Request, root_and_plan


@dataclass(frozen=True, slots=True)
class Standing:
    """The rows of one file: those that stand, and the others with the reason."""

    file: Path
    stand: tuple[EvidenceRow, ...]
    fallen: tuple[tuple[EvidenceRow, str], ...]


def grounds_of(kit: str, place: Workspace) -> Grounds | None:
    """What the kit's configs rest on in the workspace's checkout; None without one."""
    checkout = place.kits() / kit
    known = load_kits().get(kit)
    if known is None or not checkout.is_dir():
        return None
    _, made = root_and_plan(Request(kit, checkout, (), place.root))
    change_set = made.change_set()
    tree = Tree(change_set.source.root)
    found = inventory.take(known, config_rule(known), catalogue(kit), tree, change_set)
    models = predictions.scanned(tree, found.loaded)
    return grounds(change_set, tree, found, models)


def standing(file: Path, ground: Grounds, *, older: bool = False) -> Standing:
    """Hold each row of a file of the base against today's code.

    With `older`, rows whose recorder is told by a checksum, as before it had versions, do not
    stand.

    Raises:
        DamagedFileError: a line of the file cannot be read.
    """
    stand: list[EvidenceRow] = []
    fallen: list[tuple[EvidenceRow, str]] = []
    for row in base.whole(file):
        why = ground.fault(row, row.config)
        if older and not why and not is_version(row.recorder):
            why = "its recorder is of before there were versions"
        if why:
            fallen.append((row, why))
        else:
            stand.append(row)
    return Standing(file, tuple(stand), tuple(fallen))


def prune(place: Workspace, kit: str | None, *, older: bool = False) -> list[Standing | str]:
    """Take the rows that do not stand out of the base; kits without a checkout are named instead.

    The files are written anew, so that each line has its digest; of proofs those that stand.

    Raises:
        DamagedFileError: a line of a file cannot be read; that file is left as it is.
    """
    done: list[Standing | str] = []
    for file in base.files(kit):
        ground = grounds_of(file.stem, place)
        if ground is None:
            done.append(file.stem)
            continue
        found = standing(file, ground, older=older)
        base.write_base(file, found.stand)
        done.append(found)
    for file in PROOFS.files():
        if kit in (None, file.stem):
            with held(file):
                PROOFS.write(file, [proof for proof in PROOFS.whole(file) if proof.stands])
    return done


def proofs_without_outputs(file: Path) -> list[str]:
    """The proofs of a file that compare no outputs, a sentence each."""
    return [
        f"{file}: the proof of {one.config} on Paddle {one.paddle} compares no outputs: "
        f"codemod fix {one.kit} -c {one.config} --force."
        for one in PROOFS.read_file(file).rows
        if not one.stands
    ]
