"""The engine: from a source to a plan. `plan_change` is its one entry.

>>> import ast
>>> from codemod.code.liveness import flow
>>> sorted(flow(ast.parse("total = loss + penalty").body).needed)
['loss', 'penalty']
"""

from __future__ import annotations

from codemod.base.changeset import Source
from codemod.base.collector import collector_paused
from codemod.code.tree import Tree
from codemod.engine.plan import Plan


def plan_change(source: Source, rule_ids: tuple[str, ...] = (), switch: str = "config") -> Plan:
    """What would be done to a source: hooks with reasons, and the operations on its files.

    A kit has its rule; any other repository is searched by what trains in it. With the switch
    `env` an environment variable turns every hook on, else the kit's config or options do, and the
    variable only where discovery finds neither.

    Raises:
        UsageError: the rule is broken, or has no trainer of a given id.
    """
    from codemod.engine.planner import UNKNOWN, make_plan, switched_by_variable
    from codemod.kits.rulebook import rule_for

    rule = rule_for(source.kit, rule_ids) if source.kit else UNKNOWN
    if switch == "env":
        rule = switched_by_variable(rule)
    with collector_paused():
        return make_plan(source, Tree(source.root), rule, rule_ids)
