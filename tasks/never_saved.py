"""Properties that LibreOffice never writes into a .pptx file, so rubrics must not require them.

``tests/tasks/test_never_saved.py`` saves the decks of all checks' tests in the application and
verifies that it loses these properties and no others.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pptarena.rewards import Rubric

__all__ = ["NEVER_SAVED", "NeverSaved", "never_saved", "never_saved_reason"]


@dataclass(frozen=True, slots=True)
class NeverSaved:
    """Leaves that require a property that is never saved.

    Attributes:
        check: Name of their check.
        reason: What happens to the property, and what to require instead.
        argument: Restricts the entry to leaves with this argument; "" for all.
        value: Restricts the entry to leaves with this value, alone or in a list; "" for any.
    """

    check: str
    reason: str
    argument: str = ""
    value: str | bool = ""

    def matches(self, check: str, args: Mapping[str, Any]) -> bool:
        """Return whether a leaf matches this entry."""
        if check != self.check:
            return False
        if not self.argument:
            return True
        argument = args.get(self.argument)
        if self.value == "":
            return argument is not None
        return self.value == argument or (
            isinstance(argument, list | tuple) and self.value in argument
        )


NEVER_SAVED = (
    NeverSaved(
        "animation_timing",
        "LibreOffice writes an effect per paragraph, but no build: count them by animation_count",
        "build",
        "paragraph",
    ),
    NeverSaved(
        "diagram_contains",
        "what is edited in a SmartArt is lost: LibreOffice writes the imported one back",
    ),
    NeverSaved(
        "picture_embedded", "LibreOffice writes linked pictures into the deck", "embedded", False
    ),
)
"""All known entries, sorted by check and argument."""


def never_saved_reason(check: str, args: Mapping[str, Any]) -> str:
    """Return why a leaf cannot be fulfilled in LibreOffice; "" if no reason is known."""
    return next((row.reason for row in NEVER_SAVED if row.matches(check, args)), "")


def never_saved(rubric: Rubric) -> dict[str, str]:
    """Return the reasons why leaves of a rubric cannot be fulfilled in LibreOffice, by leaf name.

    Only known entries are considered. Other losses show when the task's target deck is saved by the
    application and scored.
    """
    leaves = (node for _, node in rubric.root.walk())
    reasons = {
        leaf.name: never_saved_reason(leaf.check.name, leaf.args)
        for leaf in leaves
        if leaf.check is not None
    }
    return {name: reason for name, reason in reasons.items() if reason}
