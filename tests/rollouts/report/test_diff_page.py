"""The page of two decks, with drawn rectangles for slides."""

import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from PIL import Image
from pptx import Presentation
from pptx.util import Inches
from typer.testing import CliRunner

from pptarena.cli import app
from pptarena.decks import read_deck
from pptarena.errors import DeckError, ImageError
from pptarena.rollouts.report.diff_page import diff_page
from pptarena.tasks import get_task


def drawn(deck: bytes) -> list[bytes]:
    """Return a grey rectangle for every slide, by what can be read on it."""
    made = []
    for slide in read_deck(deck).slides:
        stream = io.BytesIO()
        shade = crc32(repr(slide).encode()) % 256
        Image.new("RGB", (64, 36), (shade, shade, shade)).save(stream, "PNG")
        made.append(stream.getvalue())
    return made


def not_drawn(deck: bytes) -> list[bytes]:
    raise ImageError("no image yet")


@pytest.fixture
def original() -> bytes:
    return get_task("ledger-corrections").deck_bytes()


@pytest.fixture
def edited(original: bytes) -> Callable[[Callable[[Any], None]], bytes]:
    def edit(change: Callable[[Any], None]) -> bytes:
        deck: Any = Presentation(io.BytesIO(original))
        change(deck)
        stream = io.BytesIO()
        deck.save(stream)
        return stream.getvalue()

    return edit


@pytest.mark.slow
def test_shapes_that_changed_came_and_went_are_marked(original: bytes, edited: Any) -> None:
    def change(deck: Any) -> None:
        shapes = deck.slides[3].shapes
        shapes.title.text_frame.text = "Other title"
        tile = next(each for each in shapes if each.name == "Tile 1")
        tile._element.getparent().remove(tile._element)
        box = shapes.add_textbox(Inches(2), Inches(5), Inches(3), Inches(1))
        box.text_frame.text = "<b>new</b>"

    page, missing = diff_page("Two & two", original, edited(change), drawn)
    assert missing == ""
    assert "Two &amp; two" in page
    assert page.count("<section>") == 1
    assert "Slide 4: The quarter at a glance" in page
    before, after = re.findall(r"<svg.*?</svg>", page)
    assert [look in before for look in ("box gone", "box altered", "box came")] == [1, 1, 0]
    assert [look in after for look in ("box gone", "box altered", "box came")] == [0, 1, 1]
    assert "<b>new" not in page
    assert "<script" not in page
    assert not re.search(r'(src|href)="(?!data:|#)', page)


@pytest.mark.slow
def test_a_new_and_a_removed_slide_have_one_side(original: bytes, edited: Any) -> None:
    def change(deck: Any) -> None:
        deck.slides.add_slide(deck.slide_layouts[1]).shapes.title.text = "New one"
        ids = deck.slides._sldIdLst
        deck.part.drop_rel(ids[6].rId)
        ids.remove(ids[6])

    page, _ = diff_page("Decks", original, edited(change), drawn)
    assert "Slide 7, removed: Net income by quarter" in page
    assert "New slide 26: New one" in page
    assert page.count("not there after") == page.count("not there before") == 1
    assert page.count("<figcaption>") == 2


def test_changes_of_the_deck_stand_at_the_top(original: bytes, edited: Any) -> None:
    def change(deck: Any) -> None:
        deck.core_properties.title = "Another"

    page, _ = diff_page("Decks", original, edited(change), drawn)
    assert "1 change." in page
    assert "-&gt; Another</li>" in page
    assert "<figure>" not in page


def test_all_slides_are_shown_when_asked_for(original: bytes) -> None:
    page, _ = diff_page("Decks", original, original, drawn, all_slides=True)
    assert "no changes." in page
    assert page.count("<figcaption>") == 2 * len(read_deck(original).slides)
    assert "<svg" not in page


def test_without_pictures_there_are_words(original: bytes, edited: Any) -> None:
    def change(deck: Any) -> None:
        deck.slides[3].shapes.title.text_frame.text = "Other title"

    page, missing = diff_page("Decks", original, edited(change), not_drawn)
    assert missing == "no image yet"
    assert "slide 4: text changed" in page
    assert "<figure>" not in page


def test_a_broken_deck_is_an_error(original: bytes) -> None:
    with pytest.raises(DeckError):
        diff_page("Decks", original, b"no deck", drawn)


def _run(*arguments: object) -> Any:
    return CliRunner().invoke(app, [str(each) for each in arguments])


def test_a_folder_is_no_page(tmp_path: Path) -> None:
    result = _run("decks", "diff", tmp_path / "a.pptx", tmp_path / "b.pptx", "--html", tmp_path)
    assert result.exit_code == 1
    assert "is a folder; name a file" in str(result.exception)


def test_all_slides_need_a_page(tmp_path: Path) -> None:
    result = _run("decks", "diff", tmp_path / "a.pptx", tmp_path / "b.pptx", "--all-slides")
    assert result.exit_code == 1
    assert "--html" in str(result.exception)


@pytest.mark.image
def test_the_command_writes_slides_of_libreoffice(
    tmp_path: Path, original: bytes, edited: Any
) -> None:
    def change(deck: Any) -> None:
        deck.slides[3].shapes.title.text_frame.text = "Other title"

    (tmp_path / "a.pptx").write_bytes(original)
    (tmp_path / "b.pptx").write_bytes(edited(change))
    page = tmp_path / "pages" / "diff.html"
    result = _run("decks", "diff", tmp_path / "a.pptx", tmp_path / "b.pptx", "--html", page)
    assert result.exit_code == 0, result.output
    assert page.read_text("utf-8").count("data:image/webp") == 2
