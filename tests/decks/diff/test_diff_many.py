"""Ten thousand shapes on both sides: a diff within five seconds and a gigabyte."""

import random
import time
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from pptarena.decks import (
    Animation,
    Box,
    Deck,
    Paint,
    Paragraph,
    Run,
    RunStyle,
    Shape,
    Slide,
    TextFrame,
)
from pptarena.rewards import diff_decks

pytestmark = pytest.mark.slow

COUNT = 10_000
LIMIT_SEC = 5.0
LIMIT_BYTES = 2**30

Shapes = list[Shape]


def _text(words: str) -> tuple[Paragraph, ...]:
    return (Paragraph((Run(words, RunStyle()),)),)


def _shape(index: int) -> Shape:
    box = Box(index % 100 * 90_000, index // 100 * 60_000, 80_000, 50_000)
    return Shape(
        index, f"Shape {index}", "shape", "", "rect", box, _text(f"Text {index % 50}"),
        fill=Paint("solid", "#112233"), frame=TextFrame(),
    )  # fmt: skip


def _deck(shapes: Sequence[Shape]) -> Deck:
    placed = tuple(replace(shape, index=index) for index, shape in enumerate(shapes))
    return Deck((Slide(0, 256, placed),), 9_144_000, 6_858_000)


def _moved(shape: Shape) -> Shape:
    return replace(shape, box=replace(shape.box, left=shape.box.left + 500_000))


def _shuffled(shapes: Shapes) -> Shapes:
    found = list(shapes)
    random.Random(1).shuffle(found)
    return found


def _grouped(shapes: Shapes, depth: int) -> Shapes:
    """Return shapes with groups around; in each group of a nest, one shape."""
    found: Shapes = []
    for at in range(0, len(shapes) // 2, depth):
        outer: int | None = None
        for level in range(depth):
            group = Shape(len(found), "", "group", "", "", Box(at, at, 900, 900), group=outer)
            outer = len(found)
            found += [group, replace(shapes[at + level], index=len(found) + 1, group=outer)]
    return found


CASES: dict[str, tuple[Callable[[Shapes], Shapes], int]] = {
    "the same": (list, 0),
    "one more at the front": (lambda s: [_shape(COUNT), *s], 1),
    "all moved": (lambda s: [_moved(each) for each in s], COUNT),
    "all moved and renamed": (
        lambda s: [replace(_moved(each), name=f"Other {each.index}") for each in s], COUNT,
    ),
    "backwards": (lambda s: s[::-1], COUNT - 1),
    "shuffled": (_shuffled, COUNT // 2),
    "every other one": (lambda s: s[::2], COUNT // 2),
    "all retyped": (
        lambda s: [replace(each, paragraphs=_text(f"other {each.index}")) for each in s], COUNT,
    ),
    "all alike": (lambda s: [replace(s[0], box=each.box) for each in s], 1),
}  # fmt: skip


def _timed(before: Deck, after: Deck) -> int:
    started = time.process_time()
    changes = diff_decks(before, after)
    assert time.process_time() - started < LIMIT_SEC
    return len(changes)


@pytest.mark.parametrize("name", CASES)
def test_ten_thousand_shapes(name: str) -> None:
    edit, least = CASES[name]
    shapes = [_shape(index) for index in range(COUNT)]
    count = _timed(_deck(shapes), _deck(edit(shapes)))
    assert count >= least
    assert least or not count


@pytest.mark.parametrize("depth", [1, 10, 250])
def test_ten_thousand_shapes_in_groups(depth: int) -> None:
    shapes = _grouped([_shape(index) for index in range(COUNT)], depth)
    assert _timed(_deck(shapes), _deck([_moved(each) for each in shapes])) > 0


def test_equal_shapes_on_top_of_one_another() -> None:
    shapes = [replace(_shape(0), index=index) for index in range(COUNT)]
    assert _timed(_deck(shapes), _deck(shapes[:-1])) == 1
    assert _timed(_deck(shapes), _deck([_moved(each) for each in shapes])) == COUNT


def test_memory() -> None:
    shapes = [_shape(index) for index in range(COUNT)]
    before, after = _deck(shapes), _deck([_moved(each) for each in shapes])
    tracemalloc.start()
    try:
        assert len(diff_decks(before, after)) == COUNT
        assert tracemalloc.get_traced_memory()[1] < LIMIT_BYTES
    finally:
        tracemalloc.stop()


def test_ten_thousand_effects() -> None:
    effects = tuple(
        Animation("entrance", "fade", 10, "on_click", 0, None, float(n % 7)) for n in range(COUNT)
    )
    slides = [Slide(0, 256, (_shape(0),), animations=each) for each in (effects, effects[::-1])]
    decks = [Deck((each,), 9_144_000, 6_858_000) for each in slides]
    assert _timed(*decks) > 0


def test_a_long_text_of_many_runs() -> None:
    def text(size: float) -> Shape:
        runs = tuple(
            Run(f"word{n} ", RunStyle(size_pt=size + n % 2, bold=n % 3 == 0)) for n in range(COUNT)
        )
        return replace(_shape(0), paragraphs=(Paragraph(runs),))

    assert _timed(_deck([text(18)]), _deck([text(24)])) == 1


@pytest.mark.parametrize("count", [300, 2000])
def test_very_many_slides(count: int) -> None:
    slides = tuple(
        Slide(n, 256 + n, (replace(_shape(n), index=0, paragraphs=_text(f"Slide {n}")),))
        for n in range(count)
    )
    other = tuple(
        replace(slide, shapes=(replace(slide.shapes[0], paragraphs=_text(f"Other {slide.index}")),))
        for slide in slides
    )
    decks = [Deck(each, 9_144_000, 6_858_000) for each in (slides, other)]
    assert _timed(*decks) == count
    blank = Deck(tuple(replace(s, shapes=()) for s in slides), 9_144_000, 6_858_000)
    assert _timed(blank, Deck(blank.slides[1:], 9_144_000, 6_858_000)) == 1
