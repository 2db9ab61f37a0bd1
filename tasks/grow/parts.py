"""Parts of a generated task: one edit, or several that one clause requests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pptarena.tasks.grow.draft import Edit, Item

__all__ = [
    "Part",
    "composition_of",
    "is_composed",
    "kind_of",
    "may_follow",
    "may_share_place",
]

# Aspects that affect neither shape names nor other edits of the slide.
_LOOKS = frozenset(("formatting", "style", "alt_text", "hyperlinks"))

# A link has the theme's link color, which may be illegible on the fill. The application also makes
# it a single field, in which no word can be selected.
_APART = frozenset(
    frozenset((link, other))
    for link in ("link-text", "link-to-slide")
    for other in ("fill-shape", "bold-words")
)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a generated task.

    Attributes:
        kind: How it is composed; ``one`` for a single edit.
        tree: The operator tree as JSON data.
        edits: The edits that it requests.
        items: Its wording.
        operators: Names of all operators, including those of branches not taken.
        depth: Number of operators to understand.
    """

    kind: str
    tree: Mapping[str, Any]
    edits: tuple[Edit, ...]
    items: tuple[Item, ...]
    operators: tuple[str, ...]
    depth: int

    @property
    def is_whole(self) -> bool:
        """Whether it adds, removes or reorders slides, or changes slides that it does not name."""
        return any(edit.operator.whole for edit in self.edits)


def may_follow(before: Sequence[Edit], edits: Sequence[Edit]) -> bool:
    """Return whether edits change and name nothing that earlier edits change."""
    return not any(edit.operator.whole for edit in before) and all(
        _are_apart(first, second) for first in before for second in edits
    )


def _are_apart(first: Edit, second: Edit) -> bool:
    if None in (first.site.slide_index, second.site.slide_index):
        return first.site.slide_index != second.site.slide_index
    if first.site.slide_index != second.site.slide_index:
        return True
    one, two = first.site.shape_index, second.site.shape_index
    aspects = {*first.operator.aspects, *second.operator.aspects}
    return None not in (one, two) and one != two and aspects <= _LOOKS


def may_share_place(first: Edit, second: Edit) -> bool:
    """Return whether two edits of one site do not interfere."""
    if first.operator is second.operator or first.operator.whole or second.operator.whole:
        return False
    if "shapes" in first.operator.aspects or "shapes" in second.operator.aspects:
        return False
    if frozenset((first.operator.name, second.operator.name)) in _APART:
        return False
    parts = [edit.operator.part(edit.site, edit.params) for edit in (first, second)]
    if not set(first.operator.aspects) & set(second.operator.aspects):
        return True
    known = [set(part.get("properties") or ()) for part in parts]
    return all(known) and not known[0] & known[1]


def kind_of(parts: Sequence[Part]) -> str:
    """Return how a task of these parts is composed."""
    return parts[0].kind if len(parts) == 1 else "then"


def is_composed(parts: Sequence[Part]) -> bool:
    """Return whether a task consists of more than a single edit."""
    return kind_of(parts) != "one"


def composition_of(parts: Sequence[Part]) -> str:
    """Return the composition of operators as text."""
    said = [f"{part.kind}({','.join(part.operators)})" for part in parts]
    return said[0] if len(said) == 1 else f"then({','.join(said)})"
