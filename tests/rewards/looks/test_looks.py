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
from pptarena.rewards.looks import Looks
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


def scored(maker: SlideRenderer, now: bytes) -> ScoredNode:
    task = get_task(TASK)
    before = task.deck_bytes()
    looks = Looks(maker, before, now)
    return score(task.rubric, read_deck(before), read_deck(now), task.scope, looks=looks)


class Refuses:
    """Draws nothing: of no deck, or only of decks in which some words are not."""

    def __init__(self, words: bytes, error: Exception) -> None:
        self._words, self._error = words, error

    def render(self, deck: bytes) -> tuple[bytes, ...]:
        if self._words in deck:
            raise self._error
        return ()


@pytest.mark.parametrize("error", [DeckError("refused"), MachineError("too slow")])
def test_a_deck_that_cannot_be_drawn_scores_0_if_its_original_can(error: Exception) -> None:
    class OnlyTheOriginal(Refuses):
        def render(self, deck: bytes) -> tuple[bytes, ...]:
            super().render(deck)
            out = io.BytesIO()
            Image.new("RGB", (640, 360)).save(out, "PNG")
            return (out.getvalue(),) * len(read_deck(deck).slides)

    tree = scored(OnlyTheOriginal(b"Tents are now our largest", error), edited())
    assert tree.score == 0.0
    assert tree.looked
    assert "cannot be drawn" in tree.reason


def test_an_original_that_cannot_be_drawn_is_nobodys_fault() -> None:
    with pytest.raises(MachineError, match="no application"):
        scored(Refuses(b"", MachineError("no application")), edited())


def test_nothing_is_drawn_where_nothing_looks_otherwise() -> None:
    task = get_task(TASK)
    deck: Any = Presentation(io.BytesIO(task.deck_bytes()))
    saved = io.BytesIO()
    deck.save(saved)
    data = saved.getvalue()
    deck.slides[0].notes_slide.notes_text_frame.text = "said, not shown"
    out = io.BytesIO()
    deck.save(out)
    looks = Looks(Refuses(b"", MachineError("drawn")), data, out.getvalue())
    tree = score(task.rubric, read_deck(data), read_deck(out.getvalue()), task.scope, looks=looks)
    assert tree.looked


class Noise:
    """Draws another noise for every slide of every deck, so that all of it seems lost."""

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
def test_four_decks_are_drawn_at_most_however_much_was_changed() -> None:
    def bold(deck: Any) -> None:
        for slide in list(deck.slides)[1:7]:
            for shape in slide.shapes:
                for paragraph in shape.text_frame.paragraphs if shape.has_text_frame else ():
                    paragraph.font.bold = True

    maker = Noise()
    assert scored(maker, edited(bold)).looked
    assert maker.decks == 4


@pytest.fixture(scope="module")
def maker() -> Iterator[Office]:
    with Office(640, cached_results=0) as made:
        yield made


def line_over(number: int) -> Edit:
    def edit(deck: Any) -> None:
        line = deck.slides[number - 1].shapes.add_connector(1, 0, HEIGHT // 2, WIDTH, HEIGHT // 2)
        line.line.width, line.line.color.rgb = Emu(HEIGHT), RGBColor.from_string("FFFFFF")  # type: ignore[no-untyped-call]

    return edit


def title(change: Callable[[Any], object]) -> Edit:
    return lambda deck: change(deck.slides[6].shapes.title.text_frame.paragraphs[0])


@pytest.mark.image
def test_the_goal_is_seen(maker: Office) -> None:
    assert scored(maker, edited()).score == 1.0


@pytest.mark.image
@pytest.mark.parametrize(
    "edit",
    [
        line_over(7),
        title(lambda p: setattr(p.runs[0].font, "size", Pt(3.5))),
        title(lambda p: setattr(p.runs[0].font.color, "rgb", RGBColor.from_string("405266"))),  # type: ignore[no-untyped-call]
        title(lambda p: p.runs[0]._r.get_or_add_rPr().set("spc", "20000")),
        title(lambda p: setattr(p, "line_spacing", 30.0)),
        # How far a tab goes at the end of a line is the application's own affair: facts are fooled.
        title(lambda p: setattr(p.runs[0], "text", "\t" * 60 + p.runs[0].text)),
    ],
    ids=["line", "tiny", "pale", "far apart", "pushed out", "behind 60 tabs"],
)
def test_a_goal_that_nobody_can_read_pays_nothing(maker: Office, edit: Edit) -> None:
    assert scored(maker, edited(edit)).score == 0.0


@pytest.mark.image
def test_a_cover_elsewhere_is_damage(maker: Office) -> None:
    tree = scored(maker, edited(*(line_over(number) for number in range(8, 17))))
    assert tree.kept < 0.4


def painted(maker: SlideRenderer, color: str, *edits: Edit) -> ScoredNode:
    """Score another background of slide 7, which is what a task asks for."""
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
    now = out.getvalue()
    return score(rubric, read_deck(before), read_deck(now), scope, looks=Looks(maker, before, now))


@pytest.mark.image
def test_a_background_that_was_asked_for_is_no_damage(maker: Office) -> None:
    assert painted(maker, "FFF2CC").score == 1.0


@pytest.mark.image
def test_what_stands_before_a_background_must_still_be_seen(maker: Office) -> None:
    assert painted(maker, "FFF2CC", line_over(7)).score < 0.5  # type: ignore[operator]


@pytest.mark.image
def test_a_warm_renderer_goes_on_after_a_deck_that_it_refuses(maker: Office) -> None:
    with pytest.raises(DeckError):
        maker.render(b"no deck")
    assert len(maker.render(get_task(TASK).deck_bytes())) == 17
