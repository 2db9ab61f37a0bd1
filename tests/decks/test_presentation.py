"""Decks opened and saved with python-pptx never have two parts of the same name."""

import io
import time
import zipfile
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from pptx import Presentation
from pptx.opc.packuri import PackURI
from tests.decks.packing import pack, unpack
from tests.each_case import each_case

from pptarena.decks import read_deck
from pptarena.decks.presentation import open_presentation, save_presentation
from pptarena.errors import DeckError

COUNT = 5
STRICT = "http://purl.oclc.org/ooxml/officeDocument/relationships"
TRANSITIONAL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def deck(*edits: Callable[[Any], None]) -> bytes:
    """Return a deck of five titled slides, edited with plain python-pptx and perhaps invalid."""
    presentation = Presentation()
    for number in range(1, COUNT + 1):
        slide = presentation.slides.add_slide(presentation.slide_layouts[5])
        slide.shapes.title.text = f"slide {number}"
    for edit in edits:
        edit(presentation)
    stream = io.BytesIO()
    presentation.save(stream)
    return stream.getvalue()


def orphan(*numbers: int) -> Callable[[Any], None]:
    """Remove entries from the slide list but keep their parts, as most answers on the web do."""

    def edit(presentation: Any) -> None:
        entries = presentation.slides._sldIdLst
        for entry in [e for number, e in enumerate(entries, 1) if number in numbers]:
            entries.remove(entry)

    return edit


def delete(number: int) -> Callable[[Any], None]:
    """Delete a slide, its relationship included."""

    def edit(presentation: Any) -> None:
        entries = presentation.slides._sldIdLst
        for entry in list(entries)[number - 1 : number]:
            presentation.part.drop_rel(entry.rId)
            entries.remove(entry)

    return edit


def add(title: str) -> Callable[[Any], None]:
    def edit(presentation: Any) -> None:
        slide = presentation.slides.add_slide(presentation.slide_layouts[5])
        slide.shapes.title.text = title

    return edit


def move_last_to_front(presentation: Any) -> None:
    entries = presentation.slides._sldIdLst
    entry = entries[-1]
    entries.remove(entry)
    entries.insert(0, entry)


def link_to_third(presentation: Any) -> None:
    first, third = presentation.slides[0], presentation.slides[2]
    first.shapes.title.click_action.target_slide = third


def annotate(presentation: Any) -> None:
    for slide in presentation.slides:
        slide.notes_slide.notes_text_frame.text = f"notes of {slide.shapes.title.text}"


def rename(number: int, name: str) -> Callable[[Any], None]:
    def edit(presentation: Any) -> None:
        presentation.slides[number - 1].part.partname = PackURI(name)

    return edit


# Edits before the deck is opened.
BEFORE: dict[str, tuple[Callable[[Any], None], ...]] = {
    "nothing": (),
    "the first orphaned": (orphan(1),),
    "one in the middle orphaned": (orphan(3),),
    "the last orphaned": (orphan(5),),
    "two orphaned": (orphan(2, 4),),
    "all but one orphaned": (orphan(1, 2, 4, 5),),
    "all orphaned": (orphan(1, 2, 3, 4, 5),),
    "an orphan that a link leads to": (link_to_third, orphan(3)),
    "an orphan with notes": (annotate, orphan(2)),
    "an orphan of a name in capitals": (rename(4, "/ppt/slides/Slide4.xml"), orphan(4)),
    "an orphan of a name of its own": (rename(4, "/ppt/slides/backup.xml"), orphan(4)),
    "slides out of order": (move_last_to_front, orphan(2)),
    "one deleted with its relationship": (delete(2),),
}
# Edits of the opened deck.
EDITS: dict[str, tuple[Callable[[Any], None], ...]] = {
    "nothing": (),
    "one added": (add("new"),),
    "one orphaned, two added": (orphan(1), add("new"), add("newer")),
    "the first deleted, one added": (delete(1), add("new")),
    "one added, deleted and added": (add("new"), delete(1), add("newer"), delete(1), add("last")),
}


def titles(presentation: Any) -> list[str]:
    return [slide.shapes.title.text for slide in presentation.slides]


def part_names(file: bytes) -> Counter[str]:
    with zipfile.ZipFile(io.BytesIO(file)) as package:
        return Counter(name.casefold() for name in package.namelist())


@pytest.mark.slow
@each_case("edits", EDITS.values(), ids=EDITS)
@each_case("before", BEFORE.values(), ids=BEFORE)
def test_edited_deck_has_unique_parts_and_the_listed_slides(
    before: tuple[Callable[[Any], None], ...], edits: tuple[Callable[[Any], None], ...]
) -> None:
    presentation = open_presentation(deck(*before))
    for edit in edits:
        edit(presentation)
    expected = titles(presentation)
    # Relationships keep the names of the first save, so the second file must be valid as well.
    for file in (save_presentation(presentation), save_presentation(presentation)):
        assert max(part_names(file).values()) == 1
        assert [slide.title for slide in read_deck(file).slides] == expected
        assert titles(open_presentation(file)) == expected


@pytest.mark.slow
@each_case("before", BEFORE.values(), ids=BEFORE)
def test_opening_and_saving_keeps_all_slide_text(before: tuple[Callable[[Any], None], ...]) -> None:
    file = deck(*before)
    saved = save_presentation(open_presentation(file))
    content = b"".join(unpack(saved).values())
    slides = [data for name, data in unpack(file).items() if name.startswith("ppt/slides/s")]
    for text in (slide.partition(b"<a:t>")[2].partition(b"</a:t>")[0] for slide in slides):
        assert text in content


def test_saving_later_writes_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    file = deck(orphan(3))
    saved = save_presentation(open_presentation(file))
    monkeypatch.setattr(time, "localtime", lambda seconds=None: time.gmtime(1_900_000_000))
    assert save_presentation(open_presentation(file)) == saved
    with zipfile.ZipFile(io.BytesIO(saved)) as package:
        assert {entry.date_time for entry in package.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert package.testzip() is None


def test_link_to_orphaned_slide_still_resolves() -> None:
    presentation = open_presentation(deck(link_to_third, orphan(3)))
    saved = open_presentation(save_presentation(presentation))
    target = saved.slides[0].shapes.title.click_action._hlink
    part = saved.slides[0].part.related_part(target.rId)
    assert part.slide.shapes.title.text == "slide 3"


def _edit_parts(file: bytes, edit: Callable[[str, bytes], bytes | None]) -> bytes:
    return pack({name: edit(name, data) for name, data in unpack(file).items()})


def test_strict_deck_is_refused_with_a_fix() -> None:
    strict = _edit_parts(
        deck(), lambda _, data: data.replace(TRANSITIONAL.encode(), STRICT.encode())
    )
    with pytest.raises(DeckError, match=r"Strict Open XML .* save it as a PowerPoint Presentation"):
        open_presentation(strict)


@pytest.mark.parametrize(
    ("file", "reason"),
    [(b"", "not a zip file"), (b"no zip", "not a zip file"), (deck()[:500], "truncated")],
    ids=["empty", "no zip", "cut"],
)
def test_non_zip_file_raises_deck_error(file: bytes, reason: str) -> None:
    with pytest.raises(DeckError, match=rf"^not a valid \.pptx: the file is {reason}"):
        open_presentation(file)


@pytest.mark.parametrize(
    "file",
    [
        _edit_parts(deck(), lambda name, data: None if name == "_rels/.rels" else data),
        _edit_parts(deck(), lambda name, data: None if "presentation.xml" in name else data),
        _edit_parts(deck(), lambda name, data: b"<" if name == "ppt/presentation.xml" else data),
        _edit_parts(deck(), lambda name, data: b"" if name == "[Content_Types].xml" else data),
        _edit_parts(deck(), lambda name, data: data.replace(b'r:id="rId7"', b'r:id="rId99"')),
        _edit_parts(deck(), lambda name, data: data.replace(b"presentation.main", b"show.main")),
    ],
    ids=[
        "no root", "no presentation", "no markup", "no types", "no such slide", "a show",
    ],
)  # fmt: skip
def test_deck_that_python_pptx_cannot_open_raises_deck_error(file: bytes) -> None:
    with pytest.raises(DeckError, match="cannot be edited: python-pptx cannot open it"):
        open_presentation(file)
