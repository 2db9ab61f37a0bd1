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
    """Return an image for each slide, with a color that depends on its title."""
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


def positions(comparison: dict[str, Any]) -> list[tuple[int | None, int | None]]:
    return [(slide["before"], slide["after"]) for slide in comparison["slides"]]


def test_changed_slides_are_shown(folder: Path) -> None:
    pool = PicturePool()
    comparison = SlideComparer(pool, paint).compare(folder)
    assert positions(comparison) == [(2, 2)]
    assert comparison["total"] == 3
    assert comparison["missing"] == ""
    assert any("bold" in change for change in comparison["changes"])
    assert comparison["slides"][0]["changes"] == [
        text.removeprefix("slide 2: ") for text in comparison["changes"]
    ]
    assert comparison["slides"][0]["before_picture"] is not None
    assert len(list(pool.encoded(FIDELITIES[0]))) == 1  # both renderings are equal


def test_all_slides_are_shown_on_request(folder: Path) -> None:
    comparison = SlideComparer(PicturePool(), paint, all_slides=True).compare(folder)
    assert positions(comparison) == [(1, 1), (2, 2), (3, 3)]
    assert [slide["changed"] for slide in comparison["slides"]] == [False, True, False]


@pytest.mark.parametrize(
    ("titles", "position"),
    [
        (["Harvest", "Cellar"], (2, None)),
        ([*TITLES, "Olives"], (None, 4)),
        (["Olives", *TITLES], (None, 1)),  # the other slides moved
    ],
)
def test_added_and_deleted_slides_have_no_counterpart(
    folder: Path, titles: list[str], position: tuple[int | None, int | None]
) -> None:
    (folder / "final.pptx").write_bytes(deck(titles))
    comparison = SlideComparer(PicturePool(), paint).compare(folder)
    assert positions(comparison) == [position]
    images = comparison["slides"][0]["before_picture"], comparison["slides"][0]["after_picture"]
    assert [image is None for image in images] == [number is None for number in position]


@pytest.mark.parametrize(("shade", "expected"), [(30, []), (90, [(1, 1), (3, 3)])])
def test_visibly_different_slides_are_changed(
    folder: Path, shade: int, expected: list[tuple[int, int]]
) -> None:
    def render(data: bytes) -> tuple[bytes, ...]:
        return paint(data, shade if data == (folder / "final.pptx").read_bytes() else 0)

    comparison = SlideComparer(PicturePool(), render).compare(folder)
    assert [place for place in positions(comparison) if place != (2, 2)] == expected


def test_unchanged_decks_are_not_rendered(folder: Path) -> None:
    (folder / "final.pptx").write_bytes(deck())

    def render(data: bytes) -> tuple[bytes, ...]:
        raise AssertionError("rendered")

    comparison = SlideComparer(PicturePool(), render).compare(folder)
    assert (comparison["changes"], comparison["slides"], comparison["missing"]) == ([], [], "")


def test_original_is_rendered_once(folder: Path) -> None:
    rendered = []

    def render(data: bytes) -> tuple[bytes, ...]:
        rendered.append(data)
        return paint(data)

    comparer = SlideComparer(PicturePool(), render)
    comparer.compare(folder)
    comparer.compare(folder)
    original, final = ((folder / name).read_bytes() for name in ("original.pptx", "final.pptx"))
    assert rendered == [original, final, final]


def test_changes_are_listed_without_an_image(folder: Path) -> None:
    rendered = []

    def render(data: bytes) -> tuple[bytes, ...]:
        rendered.append(data)
        raise ImageError("there is no image")

    comparer = SlideComparer(PicturePool(), render)
    for _ in range(2):
        comparison = comparer.compare(folder)
        assert comparison["changes"]
        assert comparison["slides"] == []
        assert comparison["missing"] == "there is no image"
    assert len(rendered) == 1  # a missing image is not retried


def test_failed_rendering_does_not_affect_later_decks(folder: Path) -> None:
    final = (folder / "final.pptx").read_bytes()
    broken = True

    def render(data: bytes) -> tuple[bytes, ...]:
        if broken and data == final:
            raise MachineError("it took too long")
        return paint(data)

    comparer = SlideComparer(PicturePool(), render)
    assert comparer.compare(folder)["missing"] == "a deck could not be rendered"
    broken = False
    assert positions(comparer.compare(folder)) == [(2, 2)]


def test_unreadable_and_missing_decks_are_reported(folder: Path) -> None:
    comparer = SlideComparer(PicturePool(), paint)
    (folder / "final.pptx").write_bytes(b"PK broken")
    assert comparer.compare(folder)["missing"]
    (folder / "final.pptx").unlink()
    assert comparer.compare(folder)["missing"] == "final.pptx not stored"
    (folder / "original.pptx").rename(folder / "final.pptx")
    assert comparer.compare(folder)["missing"] == "original.pptx not stored"


@pytest.mark.image
def test_application_renders_the_changed_slides(folder: Path) -> None:
    pool = PicturePool()
    comparison = SlideComparer(pool, Office().render).compare(folder)
    assert positions(comparison) == [(2, 2)]
    files = list(pool.encoded(FIDELITIES[0]))
    assert [Image.open(io.BytesIO(file)).width for file in files] == [960, 960]
