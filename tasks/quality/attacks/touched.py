"""The objects that a task's target deck changes, which derived attacks change as well."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from pptarena.decks import Deck, Shape
from pptarena.rewards import diff_decks
from pptarena.tasks.goals.editing import opened
from pptarena.tasks.quality.attacks.material import shape_elements, shape_id
from pptarena.tasks.targets import deck_facts

__all__ = ["ObjectType", "Touched", "backs", "touched_objects"]

ObjectType = Literal[
    "text", "shape", "line", "picture", "media", "table", "chart", "slide", "master", "stamp"
]
_OF_SLIDE = frozenset(
    ("transition", "animation", "background", "visibility", "layout", "shapes", "notes", "order")
)
_BY_KIND: dict[str, ObjectType] = {
    "picture": "picture", "media": "media", "table": "table", "chart": "chart", "line": "line",
}  # fmt: skip


@dataclass(frozen=True)
class Touched:
    """An object that differs between the original and the target deck.

    Attributes:
        type: Type of the object; a ``stamp`` is a shape that the target adds to a master or layout.
        slide: Index of the slide in the target deck. For a stamp, the index in `backs`; -1 for type
            ``master``.
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
    now: Shape | None = field(default=None, compare=False)

    @property
    def place(self) -> str:
        """Location of the object, for the name of an attack."""
        if self.type == "master":
            return "the master"
        if self.type == "stamp":
            return f"layout {self.slide + 1} shape {self.shape + 1}"
        return f"slide {self.slide + 1}" + (f" shape {self.shape + 1}" if self.shape >= 0 else "")


@lru_cache(maxsize=2)  # attacks and variants of a task use the same objects
def touched_objects(original_file: bytes, goal_file: bytes) -> tuple[Touched, ...]:
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
        if shape is None and change.aspect not in _OF_SLIDE | {"slides"}:
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
    found = [_touched(goal, key, names, before.get(key), new_slides)
             for key, names in sorted(aspects.items())]  # fmt: skip
    if is_master:
        found += [
            Touched("master", -1, aspects=frozenset(("master",))),
            *_stamps(original_file, goal_file),
        ]
    return tuple(each for each in found if each is not None)


def _touched(
    goal: Deck, key: tuple[int, int], aspects: set[str], before: Shape | None, new: set[int]
) -> Touched | None:
    slide, index = key
    is_new = slide in new or (index >= 0 and before is None)
    if index < 0:
        return Touched("slide", slide, -1, is_new, frozenset(aspects))
    shape = goal.slides[slide].shapes[index]
    if shape.kind in ("group", "graphic"):
        return None
    kind = _BY_KIND.get(shape.kind) or ("text" if shape.text.strip() else "shape")
    if kind == "shape" and shape.placeholder:
        return None  # an empty placeholder shows nothing
    return Touched(kind, slide, index, is_new, frozenset(aspects), before, shape)


def _stamps(original: bytes, goal: bytes) -> Iterator[Touched]:
    """Yield the shapes that the target deck adds to masters and layouts."""
    before = [{shape_id(e) for e in shape_elements(one)} for one in backs(opened(original))]
    for index, back in enumerate(backs(opened(goal))):
        known = before[index] if index < len(before) else set()
        for at, element in enumerate(shape_elements(back)):
            if shape_id(element) not in known:
                yield Touched("stamp", index, at, is_new=True)


def backs(deck: Any) -> list[Any]:
    """Return the masters and layouts of a presentation, each master before its layouts."""
    return [each for one in deck.slide_masters for each in (one, *one.slide_layouts)]
