"""The objects that a task's target deck changes; derived attacks edit them further."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from pptarena.decks import Deck, Shape
from pptarena.rewards import diff_decks
from pptarena.tasks.goals.editing import open_deck
from pptarena.tasks.quality.attacks.material import shape_elements, shape_id
from pptarena.tasks.targets import deck_facts

__all__ = ["ChangedObject", "ObjectType", "changed_objects", "masters_and_layouts"]

ObjectType = Literal[
    "text", "shape", "line", "picture", "media", "table", "chart", "slide", "master", "stamp"
]
_SLIDE_ASPECTS = frozenset(
    ("transition", "animation", "background", "visibility", "layout", "shapes", "notes", "order")
)
_TYPE_BY_KIND: dict[str, ObjectType] = {
    "picture": "picture", "media": "media", "table": "table", "chart": "chart", "line": "line",
}  # fmt: skip


@dataclass(frozen=True)
class ChangedObject:
    """An object that differs between the original and the target deck.

    Attributes:
        type: Type of the object; a ``stamp`` is a shape that the target adds to a master or layout.
        slide: Index of the slide in the target deck. For a stamp, the index in
            `masters_and_layouts`; -1 for type ``master``.
        shape: Index of the shape, counting members of groups; -1 if the object is not a shape.
        is_new: Whether the original lacks the object.
        aspects: Changed aspects.
        before: The shape in the original; None if there is none.
        now: The shape in the target deck; None if the object is not a shape.
    """

    type: ObjectType
    slide: int
    shape: int = -1
    is_new: bool = False
    aspects: frozenset[str] = frozenset()
    before: Shape | None = field(default=None, compare=False)
    after: Shape | None = field(default=None, compare=False)

    @property
    def place(self) -> str:
        """Location of the object, for the name of an attack."""
        if self.type == "master":
            return "the master"
        if self.type == "stamp":
            return f"layout {self.slide + 1} shape {self.shape + 1}"
        return f"slide {self.slide + 1}" + (f" shape {self.shape + 1}" if self.shape >= 0 else "")


@lru_cache(maxsize=2)  # attacks and variants of a task use the same objects
def changed_objects(original_file: bytes, goal_file: bytes) -> tuple[ChangedObject, ...]:
    """Return the objects that a target deck changes or adds, and their slides.

    If a target changes no object, for example by deleting a slide, the result is the first slide.

    Args:
        original_file: The task's deck.
        goal_file: The target deck.

    Raises:
        DeckError: If a deck cannot be read.
    """
    original, goal = deck_facts(original_file), deck_facts(goal_file)
    aspects: dict[tuple[int, int], set[str]] = {}
    before: dict[tuple[int, int], Shape] = {}
    new_slides: set[int] = set()
    is_master = False
    for change in diff_decks(original, goal):
        is_master |= change.aspect == "master"
        if change.slide_now is None:
            continue
        slide, shape = change.slide_now - 1, change.shape_index_now
        if change.kind == "slide_added":
            new_slides.add(slide)
        if shape is None and change.aspect not in _SLIDE_ASPECTS | {"slides"}:
            continue
        key = slide, -1 if shape is None else shape
        aspects.setdefault(key, set()).add(change.aspect)
        if shape is not None and change.slide is not None and change.shape_index is not None:
            before[key] = original.slides[change.slide - 1].shapes[change.shape_index]
    for slide in new_slides:
        for new in goal.slides[slide].shapes:
            aspects.setdefault((slide, new.index), set()).add("shapes")
    for slide in {slide for slide, _ in aspects}:
        aspects.setdefault((slide, -1), set())
    if not aspects and not is_master:
        aspects[0, -1] = set()
    objects = [_changed_object(goal, key, names, before.get(key), new_slides)
             for key, names in sorted(aspects.items())]  # fmt: skip
    if is_master:
        objects += [
            ChangedObject("master", -1, aspects=frozenset(("master",))),
            *_stamps(original_file, goal_file),
        ]
    return tuple(each for each in objects if each is not None)


def _changed_object(
    goal: Deck, key: tuple[int, int], aspects: set[str], before: Shape | None, new: set[int]
) -> ChangedObject | None:
    slide, index = key
    is_new = slide in new or (index >= 0 and before is None)
    if index < 0:
        return ChangedObject("slide", slide, -1, is_new, frozenset(aspects))
    shape = goal.slides[slide].shapes[index]
    if shape.kind in ("group", "graphic"):
        return None
    kind = _TYPE_BY_KIND.get(shape.kind) or ("text" if shape.text.strip() else "shape")
    if kind == "shape" and shape.placeholder:
        return None  # an empty placeholder shows nothing
    return ChangedObject(kind, slide, index, is_new, frozenset(aspects), before, shape)


def _stamps(original: bytes, goal: bytes) -> Iterator[ChangedObject]:
    """Yield the shapes that the target deck adds to masters and layouts."""
    before = [
        {shape_id(e) for e in shape_elements(layout)}
        for layout in masters_and_layouts(open_deck(original))
    ]
    for index, layout in enumerate(masters_and_layouts(open_deck(goal))):
        existing = before[index] if index < len(before) else set()
        for shape_index, element in enumerate(shape_elements(layout)):
            if shape_id(element) not in existing:
                yield ChangedObject("stamp", index, shape_index, is_new=True)


def masters_and_layouts(deck: Any) -> list[Any]:
    """Return the masters and layouts of a presentation, each master before its layouts."""
    return [each for one in deck.slide_masters for each in (one, *one.slide_layouts)]
