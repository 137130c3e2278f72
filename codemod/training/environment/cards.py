"""The GPUs of this machine, as `nvidia-smi` tells of them and `CUDA_VISIBLE_DEVICES` shows them."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from codemod.base.launch import tools
from codemod.base.reason import Reason

_FIELDS = (
    "index",
    "uuid",
    "name",
    "compute_cap",
    "driver_version",
    "memory.total",
    "memory.used",
    "mig.mode.current",
)
# Drivers before 450 know no MIG, older ones no compute capability.
_FEWER = tuple(field for field in _FIELDS if field not in ("compute_cap", "mig.mode.current"))
_PACE = ("clocks.sm", "clocks_throttle_reasons.active")
# Bits of the second: power caps, heat and the brake. An idle card and a set clock have others.
_HELD_BACK = 0x4 | 0x8 | 0x20 | 0x40 | 0x80
_ANSWER_S = 30
_NUMBER = re.compile(r"\s*\+?(\d+)")


@dataclass(frozen=True, slots=True)
class Card:
    """One GPU. `id` is what CUDA calls it: its number, or a UUID where the user named that.

    `arch` is its sm number (90 for an H100), memory is in MiB; None where the driver does not tell.
    """

    id: str
    name: str
    arch: int | None
    driver: str
    uuid: str = ""
    total: int | None = None
    used: int | None = None
    mig: bool = False

    def __str__(self) -> str:
        return f"{self.name}, card {self.id}"

    @property
    def free(self) -> int | None:
        """MiB that nobody uses."""
        return None if self.total is None or self.used is None else self.total - self.used


@dataclass(frozen=True, slots=True)
class Cards:
    """The GPUs that a run may use, in CUDA's order; without one, `why` says what is in the way."""

    cards: tuple[Card, ...] = ()
    why: Reason | str = ""


def cards() -> Cards:
    """Ask the driver, and keep to what `CUDA_VISIBLE_DEVICES` shows of its answer."""
    lines, why = _ask(_FIELDS)
    if "not a valid field" in str(why):
        lines, why = _ask(_FEWER)
    if why:
        return Cards(why=why)
    found = tuple(_card(line) for line in lines)
    wanted = os.environ.get("CUDA_VISIBLE_DEVICES")
    return Cards(found) if wanted is None else _shown(found, wanted)


def pace(card: Card) -> tuple[int, bool] | None:
    """The MHz of a card's clock now, and whether power or heat holds it back; None if not told."""
    rows, _ = _ask(_PACE, "-i", card.uuid or card.id)
    told = rows[0] if rows else {}
    clock = _number(told.get(_PACE[0], ""))
    held = re.fullmatch(r"0x[0-9a-fA-F]+", told.get(_PACE[1], ""))
    return None if clock is None else (clock, bool(held and int(held.group(), 16) & _HELD_BACK))


def _ask(fields: tuple[str, ...], *of: str) -> tuple[list[dict[str, str]], Reason | str]:
    """One mapping a card, or why the driver does not answer; `of` names one card."""
    smi = tools.found("nvidia-smi")
    if smi is None:
        return [], Reason.of("training.no-smi")
    query = [smi, *of, f"--query-gpu={','.join(fields)}", "--format=csv,noheader,nounits"]
    try:
        done = tools.ask(query, seconds=_ANSWER_S)
    except TimeoutError:
        return [], Reason.of("training.smi-late", seconds=_ANSWER_S)
    except OSError as error:
        return [], Reason.of("training.smi-not-run", error=str(error.strerror))
    said = [line.strip() for line in done.text.splitlines() if line.strip()]
    if done.code != 0:
        first = next(iter(said or done.complaint.strip().splitlines()), "").rstrip(".")
        return [], Reason.of("training.smi-failed", error=first or Reason.of("training.smi-silent"))
    rows = [[part.strip() for part in line.split(",")] for line in said]
    return [dict(zip(fields, row, strict=False)) for row in rows if len(row) == len(fields)], ""


def _card(told: dict[str, str]) -> Card:
    arch = re.fullmatch(r"(\d+)\.(\d+)", told.get("compute_cap", ""))
    return Card(
        id=told["index"],
        name=told["name"],
        arch=int(arch.group(1) + arch.group(2)) if arch else None,
        driver=told["driver_version"],
        uuid=told["uuid"],
        total=_number(told["memory.total"]),
        used=_number(told["memory.used"]),
        mig=told.get("mig.mode.current") == "Enabled",
    )


def _number(text: str) -> int | None:
    return int(text) if text.isdigit() else None


def _shown(found: tuple[Card, ...], wanted: str) -> Cards:
    """The cards that the variable names, in its order, as CUDA's driver reads it.

    A part begins with a number, or with a UUID; of that its beginning is enough if it is one
    card's alone. The driver stops at a part that is no card's and at one of the other kind than
    the first, and shows none at all where a card is named twice (`bench.cards` asks it).
    """
    shown: list[Card] = []
    parts = wanted.split(",")
    for part in parts:
        number = _NUMBER.match(part)
        card = _numbered(found, int(number[1])) if number else _named(found, part)
        if card is None or bool(number) is not bool(_NUMBER.match(parts[0])):
            break
        shown.append(card)
    if len({card.id for card in shown}) < len(shown):
        return Cards((), Reason.of("training.card-twice", wanted=wanted))
    ids = tuple(card.id for card in found)
    return Cards(
        tuple(shown), "" if shown else Reason.of("training.no-card", wanted=wanted, ids=ids)
    )


def _numbered(found: tuple[Card, ...], number: int) -> Card | None:
    return next((card for card in found if card.id == str(number)), None)


def _named(found: tuple[Card, ...], name: str) -> Card | None:
    """The card of a UUID: `GPU-` as it is, the rest in either case; text after it all is passed."""
    if not name.startswith("GPU-"):
        return _slice(found, name.strip())
    length = len(name)
    begun = [card for card in found if card.uuid[:length].lower() == name[: len(card.uuid)].lower()]
    return begun[0] if len(begun) == 1 and length > len("GPU-") else None


def _slice(found: tuple[Card, ...], name: str) -> Card | None:
    """A slice of a card by its UUID: the query does not list slices, and CUDA takes their name.

    Which card it is cut from is not told; the first that is cut stands for its generation.
    """
    cut = next((card for card in found if card.mig), None)
    if cut is None or not name.startswith("MIG-"):
        return None
    return Card(name, f"{cut.name} (MIG)", cut.arch, cut.driver, mig=True)
