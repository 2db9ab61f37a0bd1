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
from pptarena.tasks.goals.editing import open_deck
from pptarena.tasks.quality.attacks.uncompressed import edit_uncompressed
from pptarena.tasks.scorer import Scorer, Services
from pptarena.tasks.targets import deck_facts
from pptarena.tasks.task import Task

__all__ = [
    "ChangedSlide",
    "Material",
    "RequestedText",
    "shape_elements",
    "shape_id",
    "share_of_original_words",
]

_SHAPES = frozenset(qn(f"p:{name}") for name in ("sp", "pic", "graphicFrame", "cxnSp", "grpSp"))


@dataclass(frozen=True, slots=True)
class ChangedSlide:
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
class RequestedText:
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
        cache: Decks with which several attacks compare, by description.
    """

    task: Task
    original: bytes
    goal: bytes
    cache: dict[str, bytes] = field(default_factory=dict, compare=False, repr=False)

    def scorer(
        self, renderer: SlideRenderer | None = None, targets: Sequence[bytes] = ()
    ) -> Scorer:
        """Return the scorer of the task without a judge.

        Args:
            renderer: Renders slides, as at the end of an episode; without it, only facts count.
            targets: Target decks; empty for those of the task itself.
        """
        target_facts = (lambda: tuple(map(deck_facts, targets))) if targets else None
        return Scorer(
            self.task, Services(renderer=renderer), original=self.original, targets=target_facts
        )

    def edit_original(self, *edits: Callable[[Any], None]) -> bytes:
        """Return the original deck after some edits."""
        return edit_uncompressed(self.original, *edits)

    def edit_goal(self, *edits: Callable[[Any], None]) -> bytes:
        """Return the target deck after some edits."""
        return edit_uncompressed(self.goal, *edits)

    @property
    def goal_slides(self) -> tuple[Any, ...]:
        """The slides of a newly opened target deck."""
        return tuple(open_deck(self.goal).slides)

    @cached_property
    def changed_slides(self) -> tuple[ChangedSlide, ...]:
        """Slides whose own content the target changes, in order."""
        originals = {slide.slide_id: slide for slide in open_deck(self.original).slides}
        slides = open_deck(self.goal).slides
        ids_with_own_changes = {
            s.slide_id
            for s in slides
            if _own_properties(originals.get(s.slide_id)) != _own_properties(s)
        }
        # A change on most slides, such as a transition, makes no slide a target of the task.
        ids_with_own_changes = (
            ids_with_own_changes if len(ids_with_own_changes) <= len(slides) / 2 else set()
        )
        changed = []
        for slide in slides:
            original = originals.get(slide.slide_id)
            shapes = tuple(_changed_shape_ids(original, slide))
            has_new_notes = original is not None and _notes_text(original) != _notes_text(slide)
            if (
                original is None
                or shapes
                or has_new_notes
                or slide.slide_id in ids_with_own_changes
            ):
                changed.append(
                    ChangedSlide(slide.slide_id, original is None, shapes, has_new_notes)
                )
        return tuple(changed)

    @cached_property
    def requested_texts(self) -> tuple[RequestedText, ...]:
        """Text of the target deck by slide and shape, without notes."""
        originals = {slide.slide_id: slide for slide in open_deck(self.original).slides}
        texts = []
        original_id = 0
        changed_ids = {changed.id: changed for changed in self.changed_slides}
        for slide in open_deck(self.goal).slides:
            original_id = slide.slide_id if slide.slide_id in originals else original_id
            for id in changed_ids[slide.slide_id].shapes if slide.slide_id in changed_ids else ():
                original = (
                    _elements_by_id(originals[original_id]).get(id)
                    if slide.slide_id in originals
                    else None
                )
                text = "\n".join(_new_lines(original, _elements_by_id(slide)[id]))
                if text:
                    is_added = original is None and slide.slide_id in originals
                    texts.append(
                        RequestedText(original_id, 0 if original is None else id, text, is_added)
                    )
        return tuple(texts)

    @cached_property
    def requested_notes(self) -> tuple[tuple[int, str], ...]:
        """Slide id and text of notes that the target changes."""
        changed_ids = {changed.id for changed in self.changed_slides if changed.has_notes}
        slides = [slide for slide in open_deck(self.goal).slides if slide.slide_id in changed_ids]
        return tuple((slide.slide_id, _notes_text(slide)) for slide in slides)


def share_of_original_words(material: Material) -> float:
    """Return the share of the target's words on slides that are in the original; 1 if it has none.

    Words of charts and diagrams do not count: they are stored in other parts.
    """
    old, new = (_word_counts(open_deck(deck)) for deck in (material.original, material.goal))
    return (old & new).total() / new.total() if new else 1.0


def _word_counts(deck: Any) -> Counter[str]:
    words = (each.text or "" for slide in deck.slides for each in slide._element.iter(qn("a:t")))
    return Counter(word for text in words for word in text.split())


def shape_elements(slide: Any) -> Iterator[Any]:
    """Yield the XML elements of all shapes of a slide, members of groups included."""
    yield from (each for each in slide.shapes._spTree.iter() if each.tag in _SHAPES)


def shape_id(element: Any) -> int:
    """Return the id of a shape from its XML element."""
    return int(next(element.iter(qn("p:cNvPr"))).get("id"))


def _elements_by_id(slide: Any) -> dict[int, Any]:
    return {shape_id(element): element for element in shape_elements(slide)}


def _changed_shape_ids(old: Any, new: Any) -> Iterator[int]:
    before = {} if old is None else _elements_by_id(old)
    for id, element in _elements_by_id(new).items():
        if element.tag == qn("p:grpSp"):
            continue
        if id not in before or etree.tostring(before[id]) != etree.tostring(element):
            yield id


def _own_properties(slide: Any) -> bytes:
    """Return a slide's XML without its shapes."""
    if slide is None:
        return b""
    element = deepcopy(slide._element)
    tree = element.cSld.spTree
    tree.getparent().remove(tree)
    return bytes(etree.tostring(element))


def _notes_text(slide: Any) -> str:
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
