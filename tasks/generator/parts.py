"""Parts of a generated task: one edit, or several that one clause requests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pptarena.tasks.generator.draft import Edit, Item

__all__ = [
    "Part",
    "composition_kind",
    "composition_of",
    "is_composed",
    "may_follow",
    "may_share_target",
]

# Aspects that affect neither shape names nor other edits of the slide.
_STYLING_ASPECTS = frozenset(("formatting", "style", "alt_text", "hyperlinks"))

# A link has the theme's link color, which may be illegible on the fill. The application also turns
# it into a single field, in which no word can be selected.
_CONFLICTING_OPERATORS = frozenset(
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
    def is_deck_wide(self) -> bool:
        """Whether it adds, removes or reorders slides, or changes slides that it does not name."""
        return any(edit.operator.deck_wide for edit in self.edits)


def may_follow(earlier: Sequence[Edit], edits: Sequence[Edit]) -> bool:
    """Return whether edits neither change nor name anything that earlier edits change."""
    return not any(edit.operator.deck_wide for edit in earlier) and all(
        _are_independent(first, second) for first in earlier for second in edits
    )


def _are_independent(first: Edit, second: Edit) -> bool:
    if None in (first.target.slide_index, second.target.slide_index):
        return first.target.slide_index != second.target.slide_index
    if first.target.slide_index != second.target.slide_index:
        return True
    first_shape, second_shape = first.target.shape_index, second.target.shape_index
    aspects = {*first.operator.aspects, *second.operator.aspects}
    return (
        None not in (first_shape, second_shape)
        and first_shape != second_shape
        and aspects <= _STYLING_ASPECTS
    )


def may_share_target(first: Edit, second: Edit) -> bool:
    """Return whether two edits of one target do not interfere."""
    if first.operator is second.operator or first.operator.deck_wide or second.operator.deck_wide:
        return False
    if "shapes" in first.operator.aspects or "shapes" in second.operator.aspects:
        return False
    if frozenset((first.operator.name, second.operator.name)) in _CONFLICTING_OPERATORS:
        return False
    parts = [edit.operator.scope_part(edit.target, edit.params) for edit in (first, second)]
    if not set(first.operator.aspects) & set(second.operator.aspects):
        return True
    properties = [set(part.get("properties") or ()) for part in parts]
    return all(properties) and not properties[0] & properties[1]


def composition_kind(parts: Sequence[Part]) -> str:
    """Return how a task of these parts is composed."""
    return parts[0].kind if len(parts) == 1 else "then"


def is_composed(parts: Sequence[Part]) -> bool:
    """Return whether a task consists of more than a single edit."""
    return composition_kind(parts) != "one"


def composition_of(parts: Sequence[Part]) -> str:
    """Return the composition of operators as text."""
    compositions = [f"{part.kind}({','.join(part.operators)})" for part in parts]
    return compositions[0] if len(compositions) == 1 else f"then({','.join(compositions)})"
