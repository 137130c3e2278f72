"""The table of proofs in `docs/measured/fixes.md`, from `evidence/fixes/`. `--write` updates it."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from codemod.audit.fixes.declared import with_kit
from codemod.experiments.probe.proving import LEGS
from codemod.judging.evidence.fix_proofs import (
    PADDLES,
    PROOFS,
    FixProof,
    counting,
    harmful_fixes,
    judged,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = Path(__file__).parent.parent / "docs" / "measured" / "fixes.md"
_HEAD = """\
| kit, config | fixes | Paddle | dynamic training, legs | AST | SOT | trainer | lines | offered |
|---|---|---|---|---|---|---|---|---|
"""


def table() -> str:
    """A line for each proof, those of one config together."""
    return _HEAD + "".join(line for file in PROOFS.files() for line in _kit(file.stem))


def _kit(kit: str) -> Iterator[str]:
    known = [one for one in PROOFS.read(kit) if one.stands]
    groups: dict[tuple[str, str], dict[str, FixProof]] = {}
    for proof in known:
        groups.setdefault((proof.config, proof.ground), {})[proof.paddle] = proof
    harmful = harmful_fixes(known)
    for (config, _), proofs in sorted(groups.items()):
        refusal = judged(proofs)
        if refusal is not None and set(PADDLES) <= set(counting(proofs)):
            continue  # its own proof refuses it
        for paddle, proof in sorted(proofs.items()):
            first = paddle == min(proofs)
            ids = ", ".join(sorted({with_kit(kit, name.split(" ")[0]) for name in proof.fixes}))
            offered = "yes" if refusal is None else f"no: {refusal.reason}"
            refuting = sorted({harmful[name] for name in proof.fixes if name in harmful})
            if refusal is None and refuting:
                offered = f"no: `{refuting[0]}` refutes it"
            cells = [
                f"{kit}, `{config}`" if first else "",
                ids if first else "",
                paddle,
                _dynamic(proof),
                _modes(proof, "ast"),
                _modes(proof, "sot"),
                _trained(proof),
                f"+{proof.lines_added} -{proof.lines_removed}",
                offered if first else "",
            ]
            yield f"| {' | '.join(cells)} |\n"


def _dynamic(proof: FixProof) -> str:
    """What became of dynamic training, and of the legs beside it."""
    return ", ".join(
        [proof.dynamic.value, *([f"{len(proof.agree)} of {len(LEGS)}"] * bool(proof.agree))]
    )


def _modes(proof: FixProof, mode: str) -> str:
    one, other = proof.before.get(mode), proof.after.get(mode)
    if one is None or other is None:
        return ""
    return one.value if one is other else f"{one.value} → {other.value}"


def _trained(proof: FixProof) -> str:
    """What the kit's own trainer said, and after how many steps."""
    one = proof.trained
    if one is None:
        return "–"
    modes = (f"{mode} {verdict.value}" for mode, verdict in sorted(one.modes.items()))
    return f"{one.steps} steps, {', '.join((one.dynamic.value, *modes))}"


def filled(text: str) -> str:
    """The page with its table as the proofs are."""
    return filled_block(text, "proofs", table())


def filled_block(text: str, name: str, content: str) -> str:
    """The text with this content between `<!-- NAME -->` and `<!-- end -->`."""
    block = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
    return block.sub(lambda found: found[1] + content + found[2], text)


def main() -> int:
    """Print the table, or write it into the page."""
    if "--write" in sys.argv[1:]:
        PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        sys.stdout.write(table())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
