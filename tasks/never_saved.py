"""What LibreOffice never writes into a .pptx file, so that no rubric played there may ask for it.

``never_saved.json`` is written by ``python -m tools.never_saved``, which lets the application save
a deck with each of these things in it; a test proves it. ``python -m tools.kept_by_application``
looks at every check, and makes the edits inside the application as well.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pptarena.rewards import Rubric, RubricNode

__all__ = ["NeverSaved", "never_saved", "never_saved_table", "why_never_saved"]

_FILE = Path(__file__).with_name("never_saved.json")


@dataclass(frozen=True, slots=True)
class NeverSaved:
    """Leaves that ask for something that is never written.

    Attributes:
        check: Their check.
        why: What becomes of it, and what to ask for instead.
        argument: Only leaves that give this argument; "" is all.
        value: Only leaves whose argument has this value, alone or among others; "" is any.
    """

    check: str
    why: str
    argument: str = ""
    value: str | bool = ""

    def asks(self, check: str, args: Mapping[str, Any]) -> bool:
        """Return whether a leaf asks for this."""
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
    """Return all that is known never to be written."""
    return tuple(NeverSaved(**row) for row in json.loads(_FILE.read_text("utf-8")))


def why_never_saved(check: str, args: Mapping[str, Any]) -> str:
    """Return why a leaf cannot be earned in LibreOffice; "" if nothing is known against it."""
    return next((row.why for row in never_saved_table() if row.asks(check, args)), "")


def never_saved(rubric: Rubric) -> dict[str, str]:
    """Return, by their names, the leaves of a rubric that cannot be earned in LibreOffice, and why.

    Only what is in the table: whether a leaf is lost in saving for another reason, its task's goal
    tells, when the application has saved it.
    """
    found = {leaf.name: why_never_saved(*_asked(leaf)) for leaf in _leaves(rubric.root)}
    return {name: why for name, why in found.items() if why}


def _asked(leaf: RubricNode) -> tuple[str, Mapping[str, Any]]:
    return "" if leaf.check is None else leaf.check.name, leaf.args


def _leaves(node: RubricNode) -> Iterator[RubricNode]:
    if node.check is not None:
        yield node
    for child in node.children:
        yield from _leaves(child)
