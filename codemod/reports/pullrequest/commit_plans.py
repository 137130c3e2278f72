"""Plans on the files of commits, each commit brought out and planned once for all branches."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from codemod.base.changeset import Source
from codemod.code.tree import Tree
from codemod.engine.plan import Plan
from codemod.kits.catalogue import find_kit
from codemod.kits.config_rule import Configs, config_rule
from codemod.reports.pullrequest.git.export import export
from codemod.reports.pullrequest.git.repository import Repository


@dataclass(frozen=True, slots=True)
class CommitPlan:
    """The files of a commit under `tree.root`, their modes by path, and the plan made on them.

    `configs` keep what they load. Nothing may write under the root: several branches are
    planned on it.
    """

    tree: Tree
    configs: Configs
    modes: dict[str, str]
    plan: Plan


class CommitPlans:
    """The planned commits of one repository; their files are gone when the context is left.

    `kit` is the kit's name, None for a repository that is none of the kits.
    """

    def __init__(
        self, repository: Repository, kit: str | None, plan: Callable[[Source], Plan]
    ) -> None:
        self.repository = repository
        self._kit = kit
        self._plan = plan
        self._found: dict[str, CommitPlan] = {}

    def __enter__(self) -> CommitPlans:
        """Make the folder for the files."""
        self._folder = tempfile.TemporaryDirectory(prefix="codemod-")
        return self

    def __exit__(self, *_: object) -> None:
        """Take the files away."""
        self._folder.cleanup()

    def at(self, commit: str) -> CommitPlan:
        """The files of a commit and their plan.

        Raises:
            UsageError: the clone lacks the text of some files, or the rule is broken.
        """
        if commit not in self._found:
            # The root bears the kit's name, by which messages call it.
            name = self._kit or self.repository.folder.resolve().name
            root = Path(self._folder.name, commit, name)
            modes = export(self.repository, commit, root)
            plan = self._plan(Source(self._kit, root, commit, "git"))
            tree = plan.project.tree
            kit = find_kit(self._kit) if self._kit else None
            rule = config_rule(kit) if kit else None
            configs = Configs(tree, rule.base if rule else ())
            self._found[commit] = CommitPlan(tree, configs, modes, plan)
        return self._found[commit]
