"""The page that compares two decks."""

import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from pptx.util import Inches
from tests.rollouts.report.drawings import gray_slides
from typer.testing import CliRunner

from pptarena.cli import app
from pptarena.decks import read_deck
from pptarena.errors import DeckError, ImageError
from pptarena.rollouts.report.diff_page import diff_page
from pptarena.tasks import get_task


def fail_to_render(deck: bytes) -> list[bytes]:
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
def test_changed_added_and_removed_shapes_are_marked(original: bytes, edited: Any) -> None:
    def change(deck: Any) -> None:
        shapes = deck.slides[3].shapes
        shapes.title.text_frame.text = "Other title"
        tile = next(each for each in shapes if each.name == "Tile 1")
        tile._element.getparent().remove(tile._element)
        box = shapes.add_textbox(Inches(2), Inches(5), Inches(3), Inches(1))
        box.text_frame.text = "<b>new</b>"

    page, missing = diff_page("Two & two", original, edited(change), gray_slides)
    assert missing == ""
    assert "Two &amp; two" in page
    assert page.count("<section>") == 1
    assert "Slide 4: The quarter at a glance" in page
    before, after = re.findall(r"<svg.*?</svg>", page)
    assert [marker in before for marker in ("box gone", "box altered", "box came")] == [1, 1, 0]
    assert [marker in after for marker in ("box gone", "box altered", "box came")] == [0, 1, 1]
    assert "<b>new" not in page
    assert "<script" not in page
    assert not re.search(r'(src|href)="(?!data:|#)', page)


@pytest.mark.slow
def test_added_and_removed_slides_have_one_side(original: bytes, edited: Any) -> None:
    def change(deck: Any) -> None:
        deck.slides.add_slide(deck.slide_layouts[1]).shapes.title.text = "New one"
        ids = deck.slides._sldIdLst
        deck.part.drop_rel(ids[6].rId)
        ids.remove(ids[6])

    page, _ = diff_page("Decks", original, edited(change), gray_slides)
    assert "Slide 7, removed: Net income by quarter" in page
    assert "New slide 26: New one" in page
    assert page.count("no such slide after") == page.count("no such slide before") == 1
    assert page.count("<figcaption>") == 2


def test_changes_of_the_deck_are_listed_first(original: bytes, edited: Any) -> None:
    def change(deck: Any) -> None:
        deck.core_properties.title = "Another"

    page, _ = diff_page("Decks", original, edited(change), gray_slides)
    assert "1 change." in page
    assert "-&gt; Another</li>" in page
    assert "<figure>" not in page


def test_all_slides_are_shown_on_request(original: bytes) -> None:
    page, _ = diff_page("Decks", original, original, gray_slides, all_slides=True)
    assert "no changes." in page
    assert page.count("<figcaption>") == 2 * len(read_deck(original).slides)
    assert "<svg" not in page


def test_page_without_rendered_slides_lists_the_changes(original: bytes, edited: Any) -> None:
    def change(deck: Any) -> None:
        deck.slides[3].shapes.title.text_frame.text = "Other title"

    page, missing = diff_page("Decks", original, edited(change), fail_to_render)
    assert missing == "no image yet"
    assert "slide 4: text changed" in page
    assert "<figure>" not in page


def test_unreadable_deck_is_an_error(original: bytes) -> None:
    with pytest.raises(DeckError):
        diff_page("Decks", original, b"no deck", gray_slides)


def _run(*arguments: object) -> Any:
    return CliRunner().invoke(app, [str(each) for each in arguments])


def test_invalid_options_are_rejected(tmp_path: Path) -> None:
    decks = (tmp_path / "a.pptx", tmp_path / "b.pptx")
    for options, message in (
        (["--html", tmp_path], "is a folder; choose a file"),
        (["--all-slides"], "--html"),
    ):
        result = _run("decks", "diff", *decks, *options)
        assert result.exit_code == 1
        assert message in str(result.exception)


@pytest.mark.image
def test_command_writes_slides_rendered_by_libreoffice(
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
