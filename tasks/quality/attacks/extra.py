"""Extras: one unrequested change of an object that the target deck changes."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from random import Random
from typing import Any

from pptarena.tasks.quality.attacks.changed_objects import ChangedObject, masters_and_layouts
from pptarena.tasks.quality.attacks.material import shape_elements
from pptarena.tasks.quality.attacks.tools import shape_proxy

__all__ = ["EXTRAS", "Edit", "Extra", "ObjectContext", "extra"]


@dataclass(frozen=True)
class ObjectContext:
    """An object in an opened target deck.

    Attributes:
        deck: The presentation.
        object: The object to change.
        rng: Random number generator.
        background: Color behind the object as RRGGBB.
        changed_shapes: Indexes of all shapes of the slide that the target deck changes.
    """

    deck: Any
    object: ChangedObject
    rng: Random = field(repr=False)
    background: str = "FFFFFF"
    changed_shapes: frozenset[int] = frozenset()

    @property
    def slide(self) -> Any:
        """The slide, layout or master of the object; the first slide for type ``master``."""
        if self.object.type == "stamp":
            return masters_and_layouts(self.deck)[self.object.slide]
        return self.deck.slides[max(0, self.object.slide)]

    @property
    def element(self) -> Any:
        """The XML element of the shape, or of the slide if the object is not a shape."""
        if self.object.shape < 0:
            return self.slide._element
        return list(shape_elements(self.slide))[self.object.shape]

    @property
    def shape(self) -> Any:
        """The python-pptx shape."""
        return shape_proxy(self.slide, self.element)

    @property
    def original_lines(self) -> frozenset[str]:
        """The paragraphs of the object's original."""
        before = self.object.before
        return frozenset() if before is None else frozenset(before.all_text.split("\n"))


@dataclass(frozen=True, slots=True)
class Extra:
    """An unrequested change.

    Attributes:
        name: Short description.
        kind: A key of `KINDS`.
        object_types: Types of objects that it applies to.
        summary: What it does, in one sentence.
        edit: Applies the change; returns False if the object is not suitable.
        on_new_objects: Whether it also harms new objects, whose formatting is unspecified.
        aspects: Applies only if the target changes one of these aspects; empty for any.
    """

    name: str
    kind: str
    object_types: frozenset[str]
    summary: str
    edit: Callable[[ObjectContext], bool]
    on_new_objects: bool = True
    aspects: frozenset[str] = frozenset()

    def fits(self, changed: ChangedObject) -> bool:
        """Return whether the change may apply to an object."""
        if changed.type not in self.object_types or (changed.is_new and not self.on_new_objects):
            return False
        return not self.aspects or bool(self.aspects & changed.aspects)


EXTRAS: list[Extra] = []
"""All extras, registered by the modules ``extras_*``."""

Edit = Callable[[ObjectContext], bool]


def extra(
    name: str,
    kind: str,
    object_types: Collection[str],
    *,
    on_new_objects: bool = True,
    aspects: Collection[str] = (),
) -> Callable[[Edit], Edit]:
    """Register a function as an extra; its docstring becomes the summary."""

    def register(edit: Edit) -> Edit:
        summary = " ".join((edit.__doc__ or "").split())
        change = Extra(
            name, kind, frozenset(object_types), summary, edit, on_new_objects, frozenset(aspects)
        )
        EXTRAS.append(change)
        return edit

    return register
