"""The application executor: edits of a solution carried out inside the office application.

The file executor produces the target deck. LibreOffice then opens the original deck and sets every
property that differs from the target through UNO. All executors share one definition of each edit
and of its addresses.
"""

from collections.abc import Sequence
from typing import Protocol

from pptarena.decks import Deck, read_deck
from pptarena.decks.diff import diff_decks

__all__ = ["OfficeEditor", "changed_slides", "edit_in_application", "slide_origins"]


class OfficeEditor(Protocol):
    """Saves and edits decks in the office application, see `pptarena.vm_images.office.Office`."""

    def save(self, deck: bytes) -> bytes:
        """Return a deck as the application saves it."""

    def edit(
        self,
        deck: bytes,
        target: bytes,
        origins: Sequence[int | None],
        slides: Sequence[int] | None = None,
    ) -> bytes:
        """Return a deck after the application has applied the differences from another deck."""


def edit_in_application(office: OfficeEditor, deck: bytes, target: bytes) -> bytes:
    """Turn a deck into another one inside the application, and save it there.

    Args:
        office: The application.
        deck: The .pptx file to edit.
        target: The .pptx file to match, such as the result of `pptarena.edits.apply_solution`.

    Raises:
        DeckError: If a deck cannot be read, or the application refuses it.
        HostError: If bubblewrap is missing or not allowed to create namespaces.
        ImageError: If no machine image is installed.
        MachineError: If the application fails or takes too long.

    Example:
        >>> from pptarena.edits import apply_solution
        >>> from pptarena.vm_images.office import Office
        >>> target = apply_solution(deck, [{"edit": "hide_slide", "slide": 3}])  # doctest: +SKIP
        >>> with Office() as office:  # doctest: +SKIP
        ...     edited = edit_in_application(office, deck, target)
    """
    old, new = read_deck(deck), read_deck(target)
    return office.edit(deck, target, slide_origins(old, new), changed_slides(old, new))


def slide_origins(old: Deck, new: Deck) -> tuple[int | None, ...]:
    """Return for each slide of the new deck its index, from 0, in the old one; None if it is new.

    Slides are matched by their ids (`p:sldId/@id`).
    """
    index_by_id = {slide.id: slide.index for slide in old.slides}
    return tuple(index_by_id.get(slide.id) for slide in new.slides)


def changed_slides(old: Deck, new: Deck) -> tuple[int, ...] | None:
    """Return the indices, from 0, of slides that are new or differ; None if masters differ.

    If masters differ, any slide may: LibreOffice stores inherited colors of bullets and charts on
    the slides.
    """
    if old.masters != new.masters:
        return None
    numbers = {change.slide_now for change in diff_decks(old, new) if change.slide_now is not None}
    return tuple(sorted(number - 1 for number in numbers))
