"""Properties that LibreOffice never writes into a .pptx file, so rubrics must not require them.

``never_saved.json`` is written by ``python -m tools.never_saved``, which saves decks with each of
these properties in the application; a test verifies it. ``python -m tools.kept_by_application``
examines every check, including edits made inside the application.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pptarena.rewards import Rubric

__all__ = ["NeverSaved", "never_saved", "never_saved_table", "why_never_saved"]

_FILE = Path(__file__).with_name("never_saved.json")


@dataclass(frozen=True, slots=True)
class NeverSaved:
    """Leaves that require something that is never saved.

    Attributes:
        check: Name of their check.
        why: What happens to the property, and what to require instead.
        argument: Restricts the entry to leaves with this argument; "" for all.
        value: Restricts the entry to leaves with this value, alone or in a list; "" for any.
    """

    check: str
    why: str
    argument: str = ""
    value: str | bool = ""

    def asks(self, check: str, args: Mapping[str, Any]) -> bool:
        """Return whether a leaf matches this entry."""
        if check != self.check:
            return False
        if not self.argument:
            return True
        given = args.get(self.argument)
        if self.value == "":
            return given is not None
        return self.value == given or (isinstance(given, list | tuple) and self.value in given)


@cache
def never_saved_table() -> tuple[NeverSaved, ...]:
    """Return all known entries."""
    return tuple(NeverSaved(**row) for row in json.loads(_FILE.read_text("utf-8")))


def why_never_saved(check: str, args: Mapping[str, Any]) -> str:
    """Return why a leaf cannot be fulfilled in LibreOffice; "" if no reason is known."""
    return next((row.why for row in never_saved_table() if row.asks(check, args)), "")


def never_saved(rubric: Rubric) -> dict[str, str]:
    """Return the reasons why leaves of a rubric cannot be fulfilled in LibreOffice, by leaf name.

    Only known entries are considered. Other losses show when the task's target deck is saved by the
    application and scored.
    """
    leaves = (node for _, node in rubric.root.walk())
    found = {
        leaf.name: why_never_saved(leaf.check.name, leaf.args)
        for leaf in leaves
        if leaf.check is not None
    }
    return {name: why for name, why in found.items() if why}
