"""Changes beyond the work: one more change of an object that the target deck changes."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from random import Random
from typing import Any

from pptarena.tasks.quality.attacks.material import shape_elements
from pptarena.tasks.quality.attacks.tools import proxy
from pptarena.tasks.quality.attacks.touched import Touched, backs

__all__ = ["EXTRAS", "Edit", "Extra", "Scene", "extra"]


@dataclass(frozen=True)
class Scene:
    """An object in an opened target deck.

    Attributes:
        deck: The presentation.
        object: The object to change.
        rng: Random number generator.
        background: Color behind the object as RRGGBB.
        touched_shapes: Indexes of all shapes of the slide that the target deck changes.
    """

    deck: Any
    object: Touched
    rng: Random = field(repr=False)
    background: str = "FFFFFF"
    touched_shapes: frozenset[int] = frozenset()

    @property
    def slide(self) -> Any:
        """The slide, layout or master of the object; the first slide for type ``master``."""
        if self.object.type == "stamp":
            return backs(self.deck)[self.object.slide]
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
        return proxy(self.slide, self.element)

    @property
    def kept_lines(self) -> frozenset[str]:
        """The paragraphs of the object's original."""
        before = self.object.before
        return frozenset() if before is None else frozenset(before.all_text.split("\n"))


@dataclass(frozen=True, slots=True)
class Extra:
    """One more change.

    Attributes:
        name: Short description.
        kind: A key of `KINDS`.
        on: Types of objects that it applies to.
        summary: What it does, in one sentence.
        edit: Applies the change; returns False if the object has no suitable target.
        of_new: Whether it also harms new objects, whose formatting is unspecified.
        aspects: Applies only if the target changes one of these aspects; empty for any.
    """

    name: str
    kind: str
    on: frozenset[str]
    summary: str
    edit: Callable[[Scene], bool]
    of_new: bool = True
    aspects: frozenset[str] = frozenset()

    def fits(self, touched: Touched) -> bool:
        """Return whether the change may apply to an object."""
        if touched.type not in self.on or (touched.is_new and not self.of_new):
            return False
        return not self.aspects or bool(self.aspects & touched.aspects)


EXTRAS: list[Extra] = []
"""All changes, registered by the modules ``extras_*``."""

Edit = Callable[[Scene], bool]


def extra(
    name: str,
    kind: str,
    on: Collection[str],
    *,
    of_new: bool = True,
    aspects: Collection[str] = (),
) -> Callable[[Edit], Edit]:
    """Register a function as one more change; its docstring becomes the summary."""

    def register(edit: Edit) -> Edit:
        summary = " ".join((edit.__doc__ or "").split())
        one = Extra(name, kind, frozenset(on), summary, edit, of_new, frozenset(aspects))
        EXTRAS.append(one)
        return edit

    return register
