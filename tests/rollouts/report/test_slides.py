import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pptx import Presentation
from pptx.util import Pt

from pptarena.errors import ImageError, MachineError
from pptarena.rewards import read_deck
from pptarena.rollouts.report.pictures import FIDELITIES, PicturePool
from pptarena.rollouts.report.slides import SlideComparer
from pptarena.vm_images.office import Office

TITLES = ("Harvest", "Orchard", "Cellar")


def deck(titles: Sequence[str] = TITLES, bold: int | None = None) -> bytes:
    presentation = Presentation()
    for number, title in enumerate(titles):
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        slide.shapes.title.text = title
        run = slide.shapes.title.text_frame.paragraphs[0].runs[0]
        run.font.size, run.font.bold = Pt(40), number == bold
    stream = io.BytesIO()
    presentation.save(stream)
    return stream.getvalue()


def paint(data: bytes, shade: int = 0) -> tuple[bytes, ...]:
    """Return a picture per slide, of one colour for each title."""
    pictures = []
    for slide in read_deck(data).slides:
        red = sum(slide.title.encode()) % 150
        stream = io.BytesIO()
        Image.new("RGB", (16, 9), (red, 0, shade)).save(stream, "PNG")
        pictures.append(stream.getvalue())
    return tuple(pictures)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "original.pptx").write_bytes(deck())
    (tmp_path / "final.pptx").write_bytes(deck(bold=1))
    return tmp_path


def places(found: dict[str, Any]) -> list[tuple[int | None, int | None]]:
    return [(slide["before"], slide["after"]) for slide in found["slides"]]


def test_only_changed_slides_are_shown(folder: Path) -> None:
    pool = PicturePool()
    found = SlideComparer(pool, paint).compare(folder)
    assert places(found) == [(2, 2)]
    assert found["total"] == 3
    assert found["missing"] == ""
    assert any("bold" in change for change in found["changes"])
    assert found["slides"][0]["changes"] == [
        text.removeprefix("slide 2: ") for text in found["changes"]
    ]
    assert found["slides"][0]["before_picture"] is not None
    assert len(list(pool.encoded(FIDELITIES[0]))) == 1  # both look the same here


def test_all_slides_are_shown_when_asked_for(folder: Path) -> None:
    found = SlideComparer(PicturePool(), paint, all_slides=True).compare(folder)
    assert places(found) == [(1, 1), (2, 2), (3, 3)]
    assert [slide["changed"] for slide in found["slides"]] == [False, True, False]


@pytest.mark.parametrize(
    ("titles", "shown"),
    [
        (["Harvest", "Cellar"], (2, None)),
        ([*TITLES, "Olives"], (None, 4)),
        (["Olives", *TITLES], (None, 1)),  # the others only moved on
    ],
)
def test_new_and_deleted_slides_stand_alone(
    folder: Path, titles: list[str], shown: tuple[int | None, int | None]
) -> None:
    (folder / "final.pptx").write_bytes(deck(titles))
    found = SlideComparer(PicturePool(), paint).compare(folder)
    assert places(found) == [shown]
    pictures = found["slides"][0]["before_picture"], found["slides"][0]["after_picture"]
    assert [picture is None for picture in pictures] == [place is None for place in shown]


@pytest.mark.parametrize(("shade", "shown"), [(30, []), (90, [(1, 1), (3, 3)])])
def test_slides_that_look_different_are_changed_but_not_for_a_shade(
    folder: Path, shade: int, shown: list[tuple[int, int]]
) -> None:
    def render(data: bytes) -> tuple[bytes, ...]:
        return paint(data, shade if data == (folder / "final.pptx").read_bytes() else 0)

    found = SlideComparer(PicturePool(), render).compare(folder)
    assert [place for place in places(found) if place != (2, 2)] == shown


def test_nothing_is_rendered_where_nothing_changed(folder: Path) -> None:
    (folder / "final.pptx").write_bytes(deck())

    def render(data: bytes) -> tuple[bytes, ...]:
        raise AssertionError("asked for")

    found = SlideComparer(PicturePool(), render).compare(folder)
    assert (found["changes"], found["slides"], found["missing"]) == ([], [], "")


def test_equal_originals_are_rendered_once(folder: Path) -> None:
    asked = []

    def render(data: bytes) -> tuple[bytes, ...]:
        asked.append(data)
        return paint(data)

    comparer = SlideComparer(PicturePool(), render)
    comparer.compare(folder)
    comparer.compare(folder)
    original, final = ((folder / name).read_bytes() for name in ("original.pptx", "final.pptx"))
    assert asked == [original, final, final]


def test_without_an_image_the_changes_are_told_in_words(folder: Path) -> None:
    asked = []

    def render(data: bytes) -> tuple[bytes, ...]:
        asked.append(data)
        raise ImageError("there is no image")

    comparer = SlideComparer(PicturePool(), render)
    for _ in range(2):
        found = comparer.compare(folder)
        assert found["changes"]
        assert found["slides"] == []
        assert found["missing"] == "there is no image"
    assert len(asked) == 1  # it would not be there the next time either


def test_a_deck_that_cannot_be_rendered_does_not_stop_the_others(folder: Path) -> None:
    final = (folder / "final.pptx").read_bytes()
    broken = True

    def render(data: bytes) -> tuple[bytes, ...]:
        if broken and data == final:
            raise MachineError("it took too long")
        return paint(data)

    comparer = SlideComparer(PicturePool(), render)
    assert comparer.compare(folder)["missing"] == "a deck could not be rendered"
    broken = False
    assert places(comparer.compare(folder)) == [(2, 2)]


@pytest.mark.parametrize("name", ["original.pptx", "final.pptx"])
def test_a_missing_deck_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    assert SlideComparer(PicturePool(), paint).compare(folder)["missing"] == f"{name} not stored"


def test_a_broken_deck_is_told(folder: Path) -> None:
    (folder / "final.pptx").write_bytes(b"PK broken")
    assert SlideComparer(PicturePool(), paint).compare(folder)["missing"]


@pytest.mark.image
def test_the_application_renders_what_changed(folder: Path) -> None:
    pool = PicturePool()
    found = SlideComparer(pool, Office().render).compare(folder)
    assert places(found) == [(2, 2)]
    files = list(pool.encoded(FIDELITIES[0]))
    assert [Image.open(io.BytesIO(file)).width for file in files] == [960, 960]
