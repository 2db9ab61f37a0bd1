"""Objects imported by name: plug-ins, and modules that are expensive to import."""

import importlib
from typing import Any, Final

__all__ = ["EDIT_JUDGE", "EXPORTERS", "FOREIGN_SUITES", "TOOL_FAMILIES", "import_object"]

# Only this module lets lower packages refer to the benchmarks package above them.
EDIT_JUDGE: Final = "pptarena.benchmarks.pptarena_uiuc:DualJudge"
"""The judge of edits, called with a judge client and a slide renderer."""

FOREIGN_SUITES: Final = {"task_registry/tasks.json": "pptarena.benchmarks.ppteval.suite:load_tasks"}
"""Loaders of other benchmarks' folders, by a file that identifies the folder. A loader is called
with the folder and returns tasks."""

EXPORTERS: Final = {
    "minari": "pptarena.rollouts.exporters.minari_dataset:FORMAT",
    "agentnet": "pptarena.rollouts.exporters.agentnet:FORMAT",
    "sharegpt": "pptarena.rollouts.exporters.sharegpt:FORMAT",
    "chat": "pptarena.rollouts.exporters.chat:FORMAT",
    "atif": "pptarena.rollouts.exporters.atif:FORMAT",
    "dagger": "pptarena.rollouts.exporters.dagger:FORMAT",
}
"""Exporters by format; see `pptarena.rollouts.exporters`."""

TOOL_FAMILIES: Final = {
    "pptc": "pptarena.benchmarks.pptc.tools:FAMILY",
    "pptc-lack": "pptarena.benchmarks.pptc.tools:LACK",
    "pptc-update": "pptarena.benchmarks.pptc.tools:UPDATE",
}
"""Families of document tools by name."""


def import_object(reference: str) -> Any:
    """Import a module and return one of its attributes.

    Args:
        reference: Module and attribute, such as ``"package.module:NAME"``.

    Raises:
        ImportError: If the module cannot be imported, or `reference` is malformed.
        AttributeError: If the module has no such attribute.
    """
    module, _, name = reference.partition(":")
    if not module or module.startswith(".") or not name:
        raise ImportError(f"expected 'package.module:NAME', got {reference!r}")
    return getattr(importlib.import_module(module), name)
