"""`Document`: the deck that tools edit, addressed by stable ids, and the calls that made it."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from pptarena.decks import read_deck
from pptarena.decks.package.archive import Archive
from pptarena.decks.package.files import Parts
from pptarena.decks.presentation import open_presentation
from pptarena.edits import OpenDeck
from pptarena.envs.document.part_cache import PartCache
from pptarena.envs.document.slide_lines import SlideLines, slide_lines
from pptarena.envs.document.slide_outline import slide_outline
from pptarena.envs.programs.programs import Programs
from pptarena.errors import ActionError, DeckError, MachineError

__all__ = ["DOCUMENT_MAX_BYTES", "MAX_SHAPES", "MAX_SLIDES", "Document", "Step", "open_document"]

DOCUMENT_MAX_BYTES = 40 * 2**20
"""Most bytes of a document after a call, unpacked."""

MAX_SLIDES = 500
MAX_SHAPES = 5_000

Step = Callable[["Document"], object]
"""A call applied to a document."""


class Document(OpenDeck):
    """A deck, opened on first use.

    Its state consists of a file and the calls applied to it since. Restoring a state opens the file
    and replays the calls, so later calls give the same results as in the original.

    Args:
        data: The .pptx file.
        programs: Runs programs.
        steps: The calls to apply to the file.
        files: Files next to the deck, by name.

    Attributes:
        programs: Runs programs.
        files: Files next to the deck that programs can read.
        state: State that tools keep between calls, such as the selection; cleared whenever the deck
            is reopened.
    """

    def __init__(
        self,
        data: bytes,
        programs: Programs,
        steps: tuple[Step, ...] = (),
        files: Mapping[str, bytes] = MappingProxyType({}),
    ) -> None:
        super().__init__(None, files)
        self.programs = programs
        self.state: dict[str, Any] = {}
        self._data = data
        self._steps = list(steps)
        self._outlines: dict[int, Any] = {}
        self._lines: dict[int, SlideLines] = {}
        self._part_cache = PartCache()
        self._changing_slides: dict[int, Any] = {}
        # The deck as last written; None after a change.
        self._parts: Parts | None = None

    def snapshot(self) -> tuple[bytes, tuple[Step, ...]]:
        """Return the file and the calls since, which together reproduce this document."""
        return self._data, tuple(self._steps)

    @property
    def presentation(self) -> Any:
        """The deck as a python-pptx presentation.

        Raises:
            DeckError: If the deck cannot be read.
        """
        if self._presentation is None:
            self._presentation = open_document(self._data)
            for step in self._steps:
                self._run(step)
        return self._presentation

    def apply(self, step: Step) -> str:
        """Apply a call that may change the document; if it fails, nothing is changed.

        Raises:
            ActionError: If the call fails.
        """
        before, data = self.presentation, self._data
        self._parts = None
        try:
            result = self._run(step)
        except (ActionError, MachineError):
            raise
        except Exception as error:
            # Errors of python-pptx on incomplete decks, possibly after a partial edit.
            self._discard_caches()
            raise ActionError(f"the deck does not allow it: {error!r}"[:500]) from error
        finally:
            self._parts = None  # a call may read the file before it is complete
        if self._data is data and self._presentation is before:
            self._steps.append(step)
        return result

    def _run(self, step: Step) -> str:
        """Run a call; what it derives from a slide before it changes the slide is not kept."""
        self._changing_slides = {}
        try:
            return str(step(self))
        finally:
            for slide, part in self._changing_slides.items():
                self._invalidate(slide, part)

    def replace(self, data: bytes) -> None:
        """Replace the document with another deck file.

        Raises:
            ActionError: If the file cannot be read or is too large.
        """
        try:
            presentation = open_document(data)
            if (count := len(presentation.slides)) > MAX_SLIDES:
                raise DeckError(f"expected at most {MAX_SLIDES} slides, got {count}")
        except DeckError as error:
            raise ActionError(f"the changed deck is refused: {error}") from error
        self._data, self._steps = data, []
        self._discard_caches()
        self._presentation = presentation

    def slide_ids(self) -> list[int]:
        """Return the ids of all slides in presentation order."""
        return [int(entry.get("id")) for entry in self.presentation.slides._sldIdLst]

    def index(self, slide: int) -> int:
        """Return the position of a slide, from 0.

        Raises:
            ActionError: If no slide has this id.
        """
        ids = self.slide_ids()
        if slide not in ids:
            raise ActionError(f"no slide has the id {slide}; the slides are {_list_ids(ids)}")
        return ids.index(slide)

    def changing(self, slide: Any) -> None:
        """Invalidate everything derived from a slide that is about to change."""
        self._changing_slides[slide.slide_id] = slide.part
        self._invalidate(slide.slide_id, slide.part)

    def _invalidate(self, slide: int, part: Any) -> None:
        self._outlines.pop(slide, None)
        self._lines.pop(slide, None)
        self._part_cache.forget((part, *_owned_parts(part)))

    def touch(self, *parts: Any) -> None:
        """Invalidate everything derived from parts that do not belong to a slide."""
        self._part_cache.forget(parts)

    def require_room(self, slides: int = 0, shapes: int = 0) -> None:
        """Check that the deck stays within its size limits.

        Raises:
            ActionError: If the added slides or shapes would exceed a limit.
        """
        outlines = [self.outline_of(slide) for slide in self.slide_ids()]
        for count, limit, noun in (
            (len(outlines) + slides, MAX_SLIDES, "slides"),
            (sum(outline.shapes for outline in outlines) + shapes, MAX_SHAPES, "shapes"),
        ):
            if count > limit:
                raise ActionError(f"expected at most {limit} {noun}, it would have {count}")

    def outline_of(self, slide: int) -> Any:
        """Return the outline lines of a slide and its number of shapes."""
        if slide not in self._outlines:
            pptx_slide = self.presentation.slides[self.index(slide)]
            self._outlines[slide] = slide_outline(pptx_slide)
        return self._outlines[slide]

    def lines_of(self, slide: int) -> SlideLines:
        """Return the lines of a slide for the view `compact`."""
        if slide not in self._lines:
            self._lines[slide] = slide_lines(self.presentation.slides[self.index(slide)])
        return self._lines[slide]

    def to_bytes(self) -> bytes:
        """Return the deck as a .pptx file, uncompressed."""
        return self.parts().to_bytes()

    def parts(self) -> Parts:
        """Return the current parts of the deck; unchanged parts are not serialized again."""
        presentation = self.presentation
        if self._parts is None:
            self._part_cache.forget([presentation.part])
            self._parts = self._part_cache.parts(presentation.part.package)
        return self._parts

    def _discard_caches(self) -> None:
        self._presentation = None
        self.state = {}
        self._outlines, self._lines, self._part_cache = {}, {}, PartCache()
        self._parts = None


def open_document(data: bytes) -> Any:
    """Open a file as a python-pptx presentation.

    Raises:
        DeckError: If the file cannot be read or is too large.
    """
    # Rejects zip bombs and the like, which python-pptx does not.
    size = sum(entry.size for entry in Archive(data).entries.values())
    if size > DOCUMENT_MAX_BYTES:
        raise DeckError(f"expected at most {DOCUMENT_MAX_BYTES} bytes unpacked, got {size}")
    read_deck(data)
    try:
        presentation = open_presentation(data)
        ids = [int(entry.get("id")) for entry in presentation.slides._sldIdLst]
        for slide in presentation.slides:
            slide_outline(slide)  # refuse a slide that cannot be shown now
    except DeckError:
        raise
    except Exception as error:
        raise DeckError(f"expected a .pptx file: {error!r}"[:500]) from error
    if len(set(ids)) < len(ids):
        raise DeckError("expected slides with an id each, got two with the same")
    return presentation


def _owned_parts(part: Any) -> Iterator[Any]:
    """Yield the parts that belong to a slide: notes, charts and their parts."""
    for rel in part.rels.values():
        if not rel.is_external and rel.target_part.partname.startswith(_OWNED_PREFIXES):
            yield rel.target_part
            yield from _embedded(rel.target_part)


def _embedded(part: Any) -> Iterator[Any]:
    for rel in part.rels.values():
        if not rel.is_external and rel.target_part.partname.startswith("/ppt/embeddings/"):
            yield rel.target_part


_OWNED_PREFIXES = ("/ppt/notesSlides/", "/ppt/charts/", "/ppt/embeddings/", "/ppt/diagrams/")


def _list_ids(ids: list[int]) -> str:
    text = ", ".join(map(str, ids[:40]))
    return f"{text} and {len(ids) - 40} more" if len(ids) > 40 else text or "none"
