"""The kinds of findings: what each is called, what it means, what to do."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache

from codemod.audit.findings import CONFIG_BLOCKED, HOOK_FAULTY, SLOW_STATIC, Level
from codemod.audit.suppression import BAD_SUPPRESSION
from codemod.base.errors import UsageError, did_you_mean


@dataclass(frozen=True, slots=True)
class FindingKind:
    """One kind of finding. `level` is its usual level; a hazard may be found at another."""

    id: str
    name: str
    level: Level
    summary: str
    help: str


_APPLY = "`codemod apply` inserts the hook; `codemod apply --dry-run` shows it first."
_TIPC = "Correct the chain in its train_infer_python.txt, or take its static mode out."
_OWN = (
    FindingKind(
        "not-hooked",
        "TrainerNotHooked",
        Level.WARNING,
        "A net is trained and never made static.",
        _APPLY,
    ),
    FindingKind(
        "hooked-in-part",
        "TrainerHookedInPart",
        Level.WARNING,
        "There is a hook, but it leaves cases out.",
        _APPLY,
    ),
    FindingKind(
        "unplaced",
        "HookUnplaced",
        Level.WARNING,
        "A net is trained, and no place for a hook satisfies every constraint.",
        "The message says which constraint is violated; move the code, or place the hook by hand.",
    ),
    FindingKind(
        CONFIG_BLOCKED,
        "ConfigBlocked",
        Level.WARNING,
        "Training with this config reaches no hook that serves.",
        "The message says what stops it: a key that is missing, a list that leaves the model out.",
    ),
    FindingKind(
        HOOK_FAULTY,
        "HookFaulty",
        Level.WARNING,
        "The kit's own hook, or its switch, goes wrong in some case.",
        "The message says in which; `codemod apply` mends it.",
    ),
    FindingKind(
        "hook-on-wrapper",
        "HookOnWrapper",
        Level.ERROR,
        "The hook is given the wrapper for several cards: calling it raises.",
        "Hook the layer before it is wrapped.",
    ),
    FindingKind(
        "hook-after-wrap",
        "HookAfterWrap",
        Level.WARNING,
        "The hook stands after the wrap for several cards.",
        "Move the hook before the wrap: it acts only because to_static changes the layer in place.",
    ),
    FindingKind(
        "copy-after-hook",
        "CopyAfterHook",
        Level.WARNING,
        "A deepcopy after the hook makes both nets dynamic again on Paddle 2.6.",
        "Hook after the copy.",
    ),
    FindingKind(
        "hook-without-gate",
        "HookWithoutGate",
        Level.WARNING,
        "A method that training runs is made static by a decorator, whatever the switch says.",
        "Take the decorator off, and make the method static where it is exported.",
    ),
    FindingKind(
        SLOW_STATIC,
        "SlowStatic",
        Level.NOTE,
        "Static training was timed, and something makes it slow on any device.",
        "The message says what: a program a step, graph breaks, gradients of a table made dense.",
    ),
    FindingKind(
        "hooked-twice",
        "HookedTwice",
        Level.WARNING,
        "A hooked net is handed to a class that hooks it again: the first spec is replaced.",
        "Hook the net in one place.",
    ),
    FindingKind(
        "spec-length",
        "SpecLength",
        Level.ERROR,
        "The spec names more arguments than a call of the training loop passes.",
        "`codemod spec` derives the spec from the batches that are fed.",
    ),
    FindingKind(
        "exec-differs",
        "ExecutionDiffers",
        Level.WARNING,
        "Run with its own option code, a config does something else than its code says.",
        "Found by `check --exec`. The message says what the run came to: believe the run.",
    ),
    FindingKind(
        "switch-off-is-on",
        "SwitchOffIsOn",
        Level.ERROR,
        "A switch that says off turns the hook on.",
        "Found by `check --exec`. Compare the value with the words for true, not with truth.",
    ),
    FindingKind(
        "switch-not-read",
        "SwitchNotRead",
        Level.WARNING,
        "One way of setting the switch turns the hook on, and this one does not.",
        "Found by `check --exec`. Read the switch after all options are merged.",
    ),
    FindingKind(
        "rehearsal-refused",
        "RehearsalRefused",
        Level.ERROR,
        "Run on a stand-in for Paddle, a trainer with the planned hook does something else.",
        "Found by `check --exec`. The message says which event differs.",
    ),
    FindingKind(
        "flag-type-bool",
        "FlagOfTypeBool",
        Level.WARNING,
        "`type=bool` reads every word as true: `--to_static False` switches training to static.",
        "Use action='store_true', or a function that reads the word.",
    ),
    FindingKind(
        "tipc-no-script",
        "TipcWithoutScript",
        Level.WARNING,
        "A TIPC chain claims static training, and its script is missing.",
        _TIPC,
    ),
    FindingKind(
        "tipc-no-config",
        "TipcWithoutConfig",
        Level.WARNING,
        "A TIPC chain claims static training, and its config is missing.",
        _TIPC,
    ),
    FindingKind(
        "tipc-no-code",
        "TipcWithoutCode",
        Level.WARNING,
        "A TIPC chain claims static training, and its script makes no model static.",
        "Hook the trainer that the chain runs (`codemod apply`), or take its static mode out.",
    ),
    FindingKind(
        "tipc-no-gate",
        "TipcWithoutSwitch",
        Level.WARNING,
        "A TIPC chain sets an option that its script does not read.",
        _TIPC,
    ),
    FindingKind(
        "tipc-no-option",
        "TipcWithoutOption",
        Level.WARNING,
        "A TIPC chain adds its option to a command that does not end with a list of options.",
        _TIPC,
    ),
    FindingKind(
        "tipc-not-read",
        "TipcNotRead",
        Level.WARNING,
        "The static mode of a TIPC chain stands where the parser does not look for it.",
        "Move the line to where test_train_inference_python.sh reads it.",
    ),
    FindingKind(
        "tipc-unused",
        "TipcUnused",
        Level.WARNING,
        "The parser sets a variable for static training and never uses it.",
        "Use the variable in the training command, or remove it.",
    ),
    FindingKind(
        "tipc-blocked",
        "TipcBlocked",
        Level.WARNING,
        "A TIPC chain claims static training with a config that reaches no hook that serves.",
        "See what stops the config; `codemod apply` may fix it.",
    ),
    FindingKind(
        BAD_SUPPRESSION,
        "BadSuppression",
        Level.WARNING,
        "A suppression comment without a reason, or for a kind that does not exist.",
        "Write `# codemod: ignore[KIND] the reason`.",
    ),
)


@cache
def kinds() -> dict[str, FindingKind]:
    """All kinds by identifier: the audit's own, then the hazards of the catalogue."""
    from codemod.hazards.catalog import CATALOG

    hazards = (
        FindingKind(
            h.id,
            h.name,
            Level.WARNING,
            f"Code that breaks static training: {h.name}.",
            h.remedy,
        )
        for h in CATALOG
    )
    return {kind.id: kind for kind in (*_OWN, *hazards)}


def matching(patterns: tuple[str, ...]) -> frozenset[str]:
    """The kinds that identifiers or globs (`tipc-*`, `D-*`) name.

    Raises:
        UsageError: a pattern names no kind.
    """
    named: set[str] = set()
    for pattern in patterns:
        found = [name for name in kinds() if fnmatchcase(name.lower(), pattern.lower())]
        if not found:
            own = ", ".join(kind.id for kind in _OWN)
            every = f"Known: {own} and the hazards D-01 and on."
            raise UsageError(
                f"`{pattern}` is not a kind of finding.", did_you_mean(pattern, kinds(), every)
            )
        named.update(found)
    return frozenset(named)
