"""Diffs of ten thousand shapes take linear time and less than a gigabyte."""

import random
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from tests.growth import check_work

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
LIMIT_BYTES = 2**30

Shapes = list[Shape]


def _text(text: str) -> tuple[Paragraph, ...]:
    return (Paragraph((Run(text, RunStyle()),)),)


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
    shuffled = list(shapes)
    random.Random(1).shuffle(shuffled)
    return shuffled


def _grouped(shapes: Shapes, depth: int) -> Shapes:
    """Return half of the shapes in nested groups, one shape in each group."""
    grouped: Shapes = []
    for at in range(0, len(shapes) // 2, depth):
        outer: int | None = None
        for level in range(depth):
            group = Shape(len(grouped), "", "group", "", "", Box(at, at, 900, 900), group=outer)
            outer = len(grouped)
            grouped += [group, replace(shapes[at + level], index=len(grouped) + 1, group=outer)]
    return grouped


Case = tuple[Callable[[Shapes], Shapes], Callable[[int], int]]

CASES: dict[str, Case] = {
    "the same": (list, lambda count: 0),
    "one more at the front": (lambda s: [_shape(len(s)), *s], lambda count: 1),
    "all moved": (lambda s: [_moved(each) for each in s], lambda count: count),
    "all moved and renamed": (
        lambda s: [replace(_moved(each), name=f"Other {each.index}") for each in s],
        lambda count: count,
    ),
    "backwards": (lambda s: s[::-1], lambda count: count - 1),
    "shuffled": (_shuffled, lambda count: count // 2),
    "every other one": (lambda s: s[::2], lambda count: count // 2),
    "all retyped": (
        lambda s: [replace(each, paragraphs=_text(f"other {each.index}")) for each in s],
        lambda count: count,
    ),
    "all alike": (lambda s: [replace(s[0], box=each.box) for each in s], lambda count: 1),
}


def _change_count(make_decks: Callable[[int], tuple[Deck, Deck]], count: int = COUNT) -> int:
    """Return how many changes there are between two large decks; check the time they take."""
    counts: dict[int, int] = {}

    def work(size: int) -> Callable[[], None]:
        decks = make_decks(size)
        return lambda: counts.update({size: len(diff_decks(*decks))})

    check_work(work, count)
    if count not in counts:
        work(count)()
    return counts[count]


@pytest.mark.parametrize("name", CASES)
def test_ten_thousand_shapes_take_linear_time(name: str) -> None:
    edit, min_changes = CASES[name]

    def make(count: int) -> tuple[Deck, Deck]:
        shapes = [_shape(index) for index in range(count)]
        return _deck(shapes), _deck(edit(shapes))

    count = _change_count(make)
    assert count >= min_changes(COUNT)
    assert min_changes(COUNT) or not count


@pytest.mark.parametrize("depth", [1, 10, 250])
def test_ten_thousand_grouped_shapes_take_linear_time(depth: int) -> None:
    def make(count: int) -> tuple[Deck, Deck]:
        shapes = _grouped([_shape(index) for index in range(count)], depth)
        return _deck(shapes), _deck([_moved(each) for each in shapes])

    assert _change_count(make) > 0


def test_stacked_equal_shapes_take_linear_time() -> None:
    def same(count: int) -> Shapes:
        return [replace(_shape(0), index=index) for index in range(count)]

    assert _change_count(lambda n: (_deck(same(n)), _deck(same(n)[:-1]))) == 1
    assert _change_count(lambda n: (_deck(same(n)), _deck([_moved(s) for s in same(n)]))) == COUNT


def test_memory_stays_below_a_gigabyte() -> None:
    shapes = [_shape(index) for index in range(COUNT)]
    before, after = _deck(shapes), _deck([_moved(each) for each in shapes])
    tracemalloc.start()
    try:
        assert len(diff_decks(before, after)) == COUNT
        assert tracemalloc.get_traced_memory()[1] < LIMIT_BYTES
    finally:
        tracemalloc.stop()


def test_ten_thousand_animations_take_linear_time() -> None:
    def make(count: int) -> tuple[Deck, Deck]:
        effects = tuple(
            Animation("entrance", "fade", 10, "on_click", 0, None, float(n % 7))
            for n in range(count)
        )
        first, second = (
            Deck((Slide(0, 256, (_shape(0),), animations=each),), 9_144_000, 6_858_000)
            for each in (effects, effects[::-1])
        )
        return first, second

    assert _change_count(make) > 0


def test_text_of_many_runs_takes_linear_time() -> None:
    def text(size: float, count: int) -> Deck:
        runs = tuple(
            Run(f"word{n} ", RunStyle(size_pt=size + n % 2, bold=n % 3 == 0)) for n in range(count)
        )
        return _deck([replace(_shape(0), paragraphs=(Paragraph(runs),))])

    assert _change_count(lambda count: (text(18, count), text(24, count))) == 1


def _slides(count: int, prefix: str) -> Deck:
    slides = (
        Slide(n, 256 + n, (replace(_shape(n), index=0, paragraphs=_text(f"{prefix} {n}")),))
        for n in range(count)
    )
    return Deck(tuple(slides), 9_144_000, 6_858_000)


def _blank(count: int, missing: int = 0) -> Deck:
    slides = tuple(replace(slide, shapes=()) for slide in _slides(count, "Slide").slides[missing:])
    return Deck(slides, 9_144_000, 6_858_000)


@pytest.mark.parametrize("count", [300, 2000])
def test_many_slides_take_linear_time(count: int) -> None:
    assert (
        _change_count(lambda size: (_slides(size, "Slide"), _slides(size, "Other")), count) == count
    )
    assert _change_count(lambda size: (_blank(size), _blank(size, missing=1)), count) == 1
