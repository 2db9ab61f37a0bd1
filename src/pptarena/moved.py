"""Old names of modules that moved, for one release: they import the new module and say so."""

import importlib
import sys
import warnings
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

__all__ = ["MOVED", "install"]

_PACKAGE_READERS = (
    "archive",
    "files",
    "markup",
    "names",
    "package",
    "relationships",
)
_FAKE = ("document", "input", "layout", "paint", "slides", "text")
_SANDBOX = ("guard", "reference_observations", "remains")
_CHECKING = ("address", "arguments", "definition", "pairs", "registry", "result", "values", "view")
_FACTS = ("chart", "content", "master", "motion", "paint", "shape", "text")

MOVED = {
    **{f"rewards.deck.{name}": f"decks.package.{name}" for name in _PACKAGE_READERS},
    **{f"rewards.deck.{name}_model": f"decks.facts.{name}" for name in _FACTS},
    "rewards.deck.model": "decks.facts.deck",
    "rewards.deck.opaque": "decks.read.fingerprint",
    "rewards.deck.seen": "decks.package.dependencies",
    "rewards.deck": "decks",
    "rewards.diff.opaque": "decks.diff.fingerprint",
    "rewards.diff": "decks.diff",
    "rewards.matching": "decks.match",
    "rewards.sight.slide_sight": "decks.visibility.slide_visibility",
    "rewards.sight": "decks.visibility",
    "rewards.lookup": "decks.selectors",
    "rewards.wording": "decks.text_match",
    **{f"rewards.checks.{name}": f"rewards.checking.{name}" for name in _CHECKING},
    "rewards.imported": "benchmarks.ppteval.score",
    "rewards.leaves.protocol": "rewards.judges.protocol",
    "rewards.leaf_protocol": "rewards.judges.protocol",
    "rewards.judges.facts": "decks.outline",
    "rewards.judges.similarity": "decks.visibility.similarity",
    "rewards.looks.pictures": "decks.visibility.pictures",
    "rewards.looks.places": "decks.visibility.picture_places",
    "rewards.looks.words": "decks.visibility.ink",
    "rewards.looks.edits": "decks.edits",
    "rewards.looks.excerpt": "decks.excerpt",
    "rewards.looks.protocol": "rewards.judges.protocol",
    "rewards.looks.unseen": "decks.visibility.without_words",
    "rewards.judges.dual_verdict": "benchmarks.pptarena_uiuc.verdict",
    "rewards.judges.budget": "rewards.judges.endpoint",
    "rewards.gold.distance": "decks.diff.distance",
    "rewards.scope.replaced": "decks.diff.new_words",
    "rewards.scope.intruders": "rewards.scope.loss",
    "rewards.scope.transitions": "rewards.scope.finer",
    "rewards.judges.dual": "benchmarks.pptarena_uiuc.dual",
    "rewards.leaves": "benchmarks.ppteval.python_checks",
    "rewards.pptdiff": "benchmarks.ppteval.pptdiff",
    "rewards.pptx_match": "benchmarks.pptc.pptx_match",
    "tasks.importers.ppteval": "benchmarks.ppteval.importer",
    "tasks.importers.rubric_file": "benchmarks.ppteval.rubric_file",
    "tasks.importers": "benchmarks.ppteval",
    "tasks.pptc": "benchmarks.pptc",
    "tasks.attacks": "audits.attacks",
    "audits.goals": "tasks.goals",
    "tasks.meta_eval": "audits.meta_eval",
    **{f"envs.machines.fake_{name}": f"envs.machines.fake.{name}" for name in _FAKE},
    **{f"envs.machines.{name}": f"envs.machines.sandbox.{name}" for name in _SANDBOX},
    "envs.machines.sandbox_process": "envs.machines.sandbox.process",
    "rollouts.agent": "agents.base",
    "rollouts.check": "audits.task_check",
    "rollouts.proofs": "audits.proofs",
}
"""Old name -> new name, below ``pptarena``; longer names before their beginnings."""


def _new_name(old: str) -> str | None:
    """Return the module that an old name stands for."""
    for before, now in MOVED.items():
        rest = old.removeprefix(f"pptarena.{before}")
        if rest != old and (not rest or rest.startswith(".")):
            # Readers of decks are in a package of their own now.
            if before == "rewards.deck" and rest:
                now = "decks.read"
            return f"pptarena.{now}{rest}"
    return None


class _MovedLoader(Loader):
    """Hands out the new module under the old name."""

    def __init__(self, new_name: str) -> None:
        self._new_name = new_name
        self._spec: ModuleSpec | None = None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(self._new_name)
        warnings.warn(
            f"{spec.name} is {self._new_name} now; the old name goes with the next release",
            DeprecationWarning,
            stacklevel=2,
        )
        self._spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        # The import system has just given it the old name's.
        module.__spec__ = self._spec


class _MovedFinder(MetaPathFinder):
    """Finds modules by their old names."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        new_name = _new_name(fullname) if fullname.startswith("pptarena.") else None
        return ModuleSpec(fullname, _MovedLoader(new_name)) if new_name else None


def install() -> None:
    """Let old names be imported."""
    if not any(isinstance(finder, _MovedFinder) for finder in sys.meta_path):
        # First: a new package found under its old name would else be imported twice.
        sys.meta_path.insert(0, _MovedFinder())
