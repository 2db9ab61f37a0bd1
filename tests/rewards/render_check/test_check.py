import io
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PIL import Image
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.util import Emu, Pt

from pptarena.errors import DeckError, MachineError
from pptarena.rewards import ScoredNode, load_rubric, load_scope, read_deck, score
from pptarena.rewards.judges import SlideRenderer
from pptarena.rewards.render_check import RenderCheck
from pptarena.tasks import get_task
from pptarena.tasks.goals.registry import turn_edits
from pptarena.vm_images.office import Office

TASK = "meridian-retitle-products"
WIDTH, HEIGHT = 10_080_625, 5_670_550
Edit = Callable[[Any], object]


def edited(*edits: Edit) -> bytes:
    deck = Presentation(io.BytesIO(get_task(TASK).deck_bytes()))
    for edit in (*turn_edits(get_task(TASK)), *edits):
        edit(deck)
    out = io.BytesIO()
    deck.save(out)
    return out.getvalue()


def scored(renderer: SlideRenderer, current: bytes) -> ScoredNode:
    task = get_task(TASK)
    before = task.deck_bytes()
    render_check = RenderCheck(renderer, before, current)
    return score(
        task.rubric, read_deck(before), read_deck(current), task.scope, render_check=render_check
    )


class FailingRenderer:
    """A renderer that fails on decks containing a text and renders no slides of others."""

    def __init__(self, text: bytes, error: Exception) -> None:
        self._text, self._error = text, error

    def render(self, deck: bytes) -> tuple[bytes, ...]:
        if self._text in deck:
            raise self._error
        return ()


@pytest.mark.slow
@pytest.mark.parametrize("error", [DeckError("refused"), MachineError("too slow")])
def test_unrenderable_deck_scores_0_if_its_original_renders(error: Exception) -> None:
    class OriginalOnlyRenderer(FailingRenderer):
        def render(self, deck: bytes) -> tuple[bytes, ...]:
            super().render(deck)
            out = io.BytesIO()
            Image.new("RGB", (640, 360)).save(out, "PNG")
            return (out.getvalue(),) * len(read_deck(deck).slides)

    tree = scored(OriginalOnlyRenderer(b"Tents are now our largest", error), edited())
    assert tree.score == 0.0
    assert tree.looked
    assert "cannot be rendered" in tree.reason


@pytest.mark.slow
def test_unrenderable_original_raises() -> None:
    with pytest.raises(MachineError, match="no application"):
        scored(FailingRenderer(b"", MachineError("no application")), edited())


@pytest.mark.slow
def test_nothing_is_rendered_if_no_visible_fact_changed() -> None:
    task = get_task(TASK)
    deck: Any = Presentation(io.BytesIO(task.deck_bytes()))
    saved = io.BytesIO()
    deck.save(saved)
    data = saved.getvalue()
    deck.slides[0].notes_slide.notes_text_frame.text = "spoken only"
    out = io.BytesIO()
    deck.save(out)
    render_check = RenderCheck(FailingRenderer(b"", MachineError("drawn")), data, out.getvalue())
    tree = score(
        task.rubric,
        read_deck(data),
        read_deck(out.getvalue()),
        task.scope,
        render_check=render_check,
    )
    assert tree.looked


class NoiseRenderer:
    """A renderer of random noise, so every drawing seems lost."""

    def __init__(self) -> None:
        self.decks = 0

    def render(self, deck: bytes) -> tuple[bytes, ...]:
        self.decks += 1
        return tuple(self._picture() for _ in read_deck(deck).slides)

    def _picture(self) -> bytes:
        out = io.BytesIO()
        Image.effect_noise((640, 360), 100).convert("RGB").save(out, "PNG")
        return out.getvalue()


@pytest.mark.slow
def test_at_most_four_decks_are_rendered() -> None:
    def bold(deck: Any) -> None:
        for slide in list(deck.slides)[1:7]:
            for shape in slide.shapes:
                for paragraph in shape.text_frame.paragraphs if shape.has_text_frame else ():
                    paragraph.font.bold = True

    renderer = NoiseRenderer()
    assert scored(renderer, edited(bold)).looked
    assert renderer.decks == 4


@pytest.fixture(scope="module")
def renderer() -> Iterator[Office]:
    with Office(640, cached_results=0) as office:
        yield office


def cover_slide(number: int) -> Edit:
    def edit(deck: Any) -> None:
        line = deck.slides[number - 1].shapes.add_connector(1, 0, HEIGHT // 2, WIDTH, HEIGHT // 2)
        line.line.width, line.line.color.rgb = Emu(HEIGHT), RGBColor.from_string("FFFFFF")  # type: ignore[no-untyped-call]

    return edit


def edit_title(change: Callable[[Any], object]) -> Edit:
    return lambda deck: change(deck.slides[6].shapes.title.text_frame.paragraphs[0])


@pytest.mark.image
def test_goal_scores_one(renderer: Office) -> None:
    assert scored(renderer, edited()).score == 1.0


@pytest.mark.image
@pytest.mark.parametrize(
    "edit",
    [
        cover_slide(7),
        edit_title(lambda p: setattr(p.runs[0].font, "size", Pt(3.5))),
        edit_title(lambda p: setattr(p.runs[0].font.color, "rgb", RGBColor.from_string("405266"))),  # type: ignore[no-untyped-call]
        edit_title(lambda p: p.runs[0]._r.get_or_add_rPr().set("spc", "20000")),
        edit_title(lambda p: setattr(p, "line_spacing", 30.0)),
        # Facts cannot tell where the application puts text behind tabs at the end of a line.
        edit_title(lambda p: setattr(p.runs[0], "text", "\t" * 60 + p.runs[0].text)),
    ],
    ids=["line", "tiny", "pale", "far apart", "pushed out", "behind 60 tabs"],
)
def test_illegible_goal_scores_zero(renderer: Office, edit: Edit) -> None:
    assert scored(renderer, edited(edit)).score == 0.0


@pytest.mark.image
def test_covering_other_slides_is_damage(renderer: Office) -> None:
    tree = scored(renderer, edited(*(cover_slide(number) for number in range(8, 17))))
    assert tree.kept < 0.4


def painted(renderer: SlideRenderer, color: str, *edits: Edit) -> ScoredNode:
    """Score a requested background of slide 7."""
    before = get_task(TASK).deck_bytes()
    deck = Presentation(io.BytesIO(before))
    fill = deck.slides[6].background.fill
    fill.solid()
    fill.fore_color.rgb = RGBColor.from_string(color)  # type: ignore[no-untyped-call]
    for edit in edits:
        edit(deck)
    out = io.BytesIO()
    deck.save(out)
    leaf = {"check": "slide_background", "args": {"slide": 7, "color": f"#{color}"}}
    root = {"name": "all", "children": [{"name": "painted", **leaf}]}
    rubric = load_rubric({"version": 1, "root": root})
    scope = load_scope({"parts": [{"slides": [7], "aspects": ["background"]}]})
    current = out.getvalue()
    return score(
        rubric,
        read_deck(before),
        read_deck(current),
        scope,
        render_check=RenderCheck(renderer, before, current),
    )


@pytest.mark.image
def test_requested_background_is_no_damage(renderer: Office) -> None:
    assert painted(renderer, "FFF2CC").score == 1.0


@pytest.mark.image
def test_content_before_a_requested_background_must_stay_visible(renderer: Office) -> None:
    assert painted(renderer, "FFF2CC", cover_slide(7)).score < 0.5  # type: ignore[operator]


@pytest.mark.image
def test_renderer_continues_after_a_broken_deck(renderer: Office) -> None:
    with pytest.raises(DeckError):
        renderer.render(b"no deck")
    assert len(renderer.render(get_task(TASK).deck_bytes())) == 17
