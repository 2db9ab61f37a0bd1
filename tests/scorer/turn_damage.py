"""Damage done in addition to the work, in plays of multi-turn tasks."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from lxml import etree
from pptx.util import Emu, Pt

from pptarena.tasks.goals.editing import edit_deck, open_deck

__all__ = ["DAMAGES", "RENAMED", "Damage", "UnchangedParts"]

_INSULT = "Nobody here can count"

Edit = Callable[[Any, "UnchangedParts"], bool]


class UnchangedParts:
    """The parts of a deck that no turn changes.

    Args:
        chain: The packaged deck and the deck at the end of each turn, as .pptx files.
    """

    def __init__(self, chain: Sequence[bytes]) -> None:
        decks = [{slide.slide_id: slide for slide in open_deck(deck).slides} for deck in chain]
        self.first = decks[0]
        self.untouched = [
            id for id in self.first if all(id in d and _same(self.first[id], d[id]) for d in decks)
        ]
        self._touched = {id: [d[id] for d in decks if id in d] for id in self.first}

    def untouched_titles(self) -> list[int]:
        """Return the ids of titled slides that no turn changes."""
        return [id for id in self.untouched if _title(self.first[id])]

    def unchanged_shapes_near_work(self) -> Iterator[tuple[int, int]]:
        """Yield slide and shape ids of unchanged text shapes on slides that a turn changes."""
        for id, versions in self._touched.items():
            if id in self.untouched or len(versions) < 2:
                continue
            for shape in self.first[id].shapes:
                if not shape.has_text_frame or len(shape.text_frame.text.strip()) < 4:
                    continue
                matches = [_shape(slide, shape.shape_id) for slide in versions]
                if all(each is not None and _same(shape, each) for each in matches):
                    yield id, shape.shape_id


@dataclass(frozen=True, slots=True)
class Damage:
    """One type of damage.

    Attributes:
        name: Short description.
        edit: Applies the damage; returns False if the deck has no suitable target.
        counts: Whether a viewer notices the damage.
    """

    name: str
    edit: Edit
    counts: bool = True

    def apply(self, deck: bytes, unchanged: UnchangedParts) -> bytes | None:
        """Return the damaged deck; None if it has no suitable target."""
        applied: list[bool] = []
        damaged = edit_deck(
            deck, lambda presentation: applied.append(self.edit(presentation, unchanged))
        )
        return damaged if all(applied) else None


def _same(first: Any, second: Any) -> bool:
    if etree.tostring(first._element) != etree.tostring(second._element):
        return False
    return not hasattr(first, "has_notes_slide") or _notes(first) == _notes(second)


def _notes(slide: Any) -> str:
    return slide.notes_slide.notes_text_frame.text if slide.has_notes_slide else ""


def _title(slide: Any) -> str:
    title = slide.shapes.title
    return "" if title is None else str(title.text_frame.text).strip()


def _slide(deck: Any, id: int) -> Any:
    return next((slide for slide in deck.slides if slide.slide_id == id), None)


def _shape(slide: Any, id: int) -> Any:
    return next((shape for shape in slide.shapes if shape.shape_id == id), None)


def _retitle(deck: Any, unchanged: UnchangedParts) -> bool:
    for id in unchanged.untouched_titles()[-1:]:
        _slide(deck, id).shapes.title.text_frame.paragraphs[0].runs[0].text = _INSULT
        return True
    return False


def _reword_near_work(deck: Any, unchanged: UnchangedParts) -> bool:
    for id, shape_id in unchanged.unchanged_shapes_near_work():
        slide = _slide(deck, id)
        if slide is not None:
            _shape(slide, shape_id).text_frame.paragraphs[0].runs[0].text = _INSULT
            return True
    return False


def _empty(deck: Any, unchanged: UnchangedParts) -> bool:
    for id in unchanged.untouched:
        for shape in _slide(deck, id).shapes:
            if shape.has_text_frame:
                shape.text_frame.text = ""
    return bool(unchanged.untouched)


def _add_box(deck: Any, unchanged: UnchangedParts) -> bool:
    for id in unchanged.untouched[:1]:
        slide = _slide(deck, id)
        box = slide.shapes.add_textbox(Emu(400_000), Emu(400_000), Emu(5_000_000), Emu(600_000))
        box.text_frame.text = _INSULT
        box.text_frame.paragraphs[0].runs[0].font.size = Pt(24)
    return bool(unchanged.untouched)


def _swap(deck: Any, unchanged: UnchangedParts) -> bool:
    entries = deck.slides._sldIdLst
    inner = [entry for entry in entries if entry.id in unchanged.untouched][1:]
    if len(inner) < 2:
        return False
    first, last = inner[0], inner[-1]
    marker = etree.Element("marker")
    entries.replace(first, marker)
    entries.replace(last, first)
    entries.replace(marker, last)
    return True


def _delete(deck: Any, unchanged: UnchangedParts) -> bool:
    entries = deck.slides._sldIdLst
    for entry in [each for each in entries if each.id in unchanged.untouched[1:2]]:
        deck.part.drop_rel(entry.rId)
        entries.remove(entry)
    return len(unchanged.untouched) > 1


def _rename(deck: Any, unchanged: UnchangedParts) -> bool:
    for slide in [each for each in deck.slides if each.slide_id not in unchanged.untouched]:
        for number, shape in enumerate(slide.shapes, 1):
            shape.name = f"Object {number}"
    return True


RENAMED = Damage("shapes of the work renamed", _rename, counts=False)
"""Invisible to a viewer: later turns must still find their shapes."""

DAMAGES: tuple[Damage, ...] = (
    Damage("a title elsewhere reworded", _retitle),
    Damage("a text next to the work reworded", _reword_near_work),
    Damage("a text box added elsewhere", _add_box),
    Damage("two slides swapped", _swap),
    Damage("a slide deleted", _delete),
    Damage("all other slides emptied", _empty),
)
"""Damage that lowers the score until it is reverted."""
