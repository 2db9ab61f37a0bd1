"""Input of attacks: a task's deck, its target deck, and their differences."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from lxml import etree
from pptx.oxml.ns import qn

from pptarena.rewards.judges.protocol import SlideRenderer
from pptarena.tasks.goals.editing import opened
from pptarena.tasks.quality.attacks.unpacked import edited
from pptarena.tasks.scorer import Scorer, Services
from pptarena.tasks.targets import deck_facts
from pptarena.tasks.task import Task

__all__ = ["Material", "Touch", "Wanted", "shape_elements", "shape_id", "share_of_old"]

_SHAPES = frozenset(qn(f"p:{name}") for name in ("sp", "pic", "graphicFrame", "cxnSp", "grpSp"))


@dataclass(frozen=True, slots=True)
class Touch:
    """A slide that the target deck changes or adds.

    Attributes:
        id: Slide id in the target deck.
        is_new: Whether the original lacks the slide.
        shapes: Ids of the shapes on it that the target changes or adds.
        has_notes: Whether the target changes its notes.
    """

    id: int
    is_new: bool
    shapes: tuple[int, ...]
    has_notes: bool


@dataclass(frozen=True, slots=True)
class Wanted:
    """Text that the target deck adds to a slide or reformats.

    Attributes:
        slide: Slide id in the original: the same slide, or the slide before a new one.
        shape: Shape id in the original; 0 if a new shape has the text.
        text: The text, one paragraph per line.
        is_new_shape: Whether the target adds the shape to a slide of the original.
    """

    slide: int
    shape: int
    text: str
    is_new_shape: bool = False


@dataclass(frozen=True)
class Material:
    """A task with its original and target decks.

    Attributes:
        task: The task.
        original: The task's deck.
        goal: The target deck; slides and shapes keep their ids.
        known: Cache of decks that several attacks compare with, by description.
    """

    task: Task
    original: bytes
    goal: bytes
    known: dict[str, bytes] = field(default_factory=dict, compare=False, repr=False)

    def scorer(
        self, renderer: SlideRenderer | None = None, targets: Sequence[bytes] = ()
    ) -> Scorer:
        """Return the scorer of the task without a judge.

        Args:
            renderer: Renders slides, as at the end of an episode; without it, only facts count.
            targets: Target decks; empty for those of the task itself.
        """
        found = (lambda: tuple(map(deck_facts, targets))) if targets else None
        return Scorer(self.task, Services(renderer=renderer), original=self.original, targets=found)

    def on_original(self, *edits: Callable[[Any], None]) -> bytes:
        """Return the original deck after some edits."""
        return edited(self.original, *edits)

    def on_goal(self, *edits: Callable[[Any], None]) -> bytes:
        """Return the target deck after some edits."""
        return edited(self.goal, *edits)

    @property
    def goal_slides(self) -> tuple[Any, ...]:
        """The slides of a newly opened target deck."""
        return tuple(opened(self.goal).slides)

    @cached_property
    def touched(self) -> tuple[Touch, ...]:
        """Slides whose own content the target changes, in order."""
        before = {slide.slide_id: slide for slide in opened(self.original).slides}
        now = opened(self.goal).slides
        own = {s.slide_id for s in now if _own(before.get(s.slide_id)) != _own(s)}
        # A change on most slides, such as a transition, makes no slide a target of the task.
        own = own if len(own) <= len(now) / 2 else set()
        found = []
        for slide in now:
            old = before.get(slide.slide_id)
            shapes = tuple(_changed(old, slide))
            notes = old is not None and _notes(old) != _notes(slide)
            if old is None or shapes or notes or slide.slide_id in own:
                found.append(Touch(slide.slide_id, old is None, shapes, notes))
        return tuple(found)

    @cached_property
    def wanted(self) -> tuple[Wanted, ...]:
        """Text of the target deck by slide and shape, without notes."""
        before = {slide.slide_id: slide for slide in opened(self.original).slides}
        found = []
        last = 0
        touched = {touch.id: touch for touch in self.touched}
        for slide in opened(self.goal).slides:
            last = slide.slide_id if slide.slide_id in before else last
            for id in touched[slide.slide_id].shapes if slide.slide_id in touched else ():
                old = _by_id(before[last]).get(id) if slide.slide_id in before else None
                text = "\n".join(_new_lines(old, _by_id(slide)[id]))
                if text:
                    added = old is None and slide.slide_id in before
                    found.append(Wanted(last, 0 if old is None else id, text, added))
        return tuple(found)

    @cached_property
    def wanted_notes(self) -> tuple[tuple[int, str], ...]:
        """Slide id and text of notes that the target changes."""
        touched = {touch.id for touch in self.touched if touch.has_notes}
        slides = [slide for slide in opened(self.goal).slides if slide.slide_id in touched]
        return tuple((slide.slide_id, _notes(slide)) for slide in slides)


def share_of_old(material: Material) -> float:
    """Return the share of the target's words on slides that are in the original; 1 if it has none.

    Words of charts and diagrams do not count: they are stored in other parts.
    """
    old, new = (_letters(opened(deck)) for deck in (material.original, material.goal))
    return (old & new).total() / new.total() if new else 1.0


def _letters(deck: Any) -> Counter[str]:
    words = (each.text or "" for slide in deck.slides for each in slide._element.iter(qn("a:t")))
    return Counter(word for text in words for word in text.split())


def shape_elements(slide: Any) -> Iterator[Any]:
    """Yield the XML elements of all shapes of a slide, members of groups included."""
    yield from (each for each in slide.shapes._spTree.iter() if each.tag in _SHAPES)


def shape_id(element: Any) -> int:
    """Return the id of a shape from its XML element."""
    return int(next(element.iter(qn("p:cNvPr"))).get("id"))


def _by_id(slide: Any) -> dict[int, Any]:
    return {shape_id(element): element for element in shape_elements(slide)}


def _changed(old: Any, new: Any) -> Iterator[int]:
    before = {} if old is None else _by_id(old)
    for id, element in _by_id(new).items():
        if element.tag == qn("p:grpSp"):
            continue
        if id not in before or etree.tostring(before[id]) != etree.tostring(element):
            yield id


def _own(slide: Any) -> bytes:
    """Return a slide's XML without its shapes."""
    if slide is None:
        return b""
    element = deepcopy(slide._element)
    tree = element.cSld.spTree
    tree.getparent().remove(tree)
    return bytes(etree.tostring(element))


def _notes(slide: Any) -> str:
    if not slide.has_notes_slide or slide.notes_slide.notes_text_frame is None:
        return ""
    return str(slide.notes_slide.notes_text_frame.text)


def _new_lines(old: Any, new: Any) -> Iterator[str]:
    """Yield the paragraphs of a shape whose XML is not in its old state."""
    before = set() if old is None else {etree.tostring(p) for p in old.iter(qn("a:p"))}
    for paragraph in new.iter(qn("a:p")):
        if etree.tostring(paragraph) not in before:
            text = "".join(t.text or "" for t in paragraph.iter(qn("a:t")))
            if text.strip() and not text.strip().isdigit():
                yield text
