"""Copies of a slide, and of a shape, are told apart by place.

Decks of copies and near copies are drawn by seed and edited once or twice. What the matching says
must never take more changes than what was done; where only one explanation is that short, it must
be that one.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from tests.each_case import each_case
from tests.growth import check_work

from pptarena.decks import Box, Deck, Paragraph, Run, RunStyle, Shape, Slide, Transition
from pptarena.decks.match.decks import match_decks, match_shapes
from pptarena.decks.match.sequences import longest_increasing

_WORDS = ("", "Plan", "Plan of the year", "Plan of the month", "Results", "Thank you")
_ROOM = Box(0, 0, 9_144_000, 914_400)
_EDITS = (
    *("edit", "edit", "edit_like_another", "rewrite", "delete", "copy", "insert", "move", "notes"),
    *("empty", "recolor", "edit_two", "insert_and_edit", "delete_and_edit", "swap"),
)


def _shape(text: str, index: int = 0, color: str = "#000000") -> Shape:
    runs = (Run(text, RunStyle(color=color)),) if text else ()
    return Shape(index, "Title 1", "placeholder", "title", "rect", _ROOM, (Paragraph(runs),))


def _slide(text: str, color: str = "#000000", notes: str = "") -> Slide:
    return Slide(0, 256, (_shape(text, 0, color),), "Title Only", notes)


def _deck(slides: Sequence[Slide]) -> Deck:
    return Deck(tuple(replace(slide, index=i) for i, slide in enumerate(slides)), 9_144_000, 0)


def _edit(slides: list[Slide], how: str, draw: random.Random) -> tuple[list[Slide], int]:
    """Return the slides after an edit and how many changes that is."""
    now, at = list(slides), draw.randrange(len(slides))
    other = draw.randrange(len(slides))
    title = slides[at].title
    new = {
        **dict.fromkeys(("edit", "edit_two", "insert_and_edit"), _slide(f"{title} revised")),
        "delete_and_edit": _slide(f"{title} revised"),
        "edit_like_another": slides[other],
        "rewrite": _slide("Wholly different words here"),
        "empty": _slide(""),
        "recolor": _slide(title, "#FF0000"),
        "notes": _slide(title, notes="Say hello"),
        "swap": slides[other],
    }
    now[at] = new.get(how, slides[at])
    if how == "edit_two":
        now[other] = _slide(f"{slides[other].title} once more")
    elif how == "insert_and_edit":
        # Not next to it: of two neighbors, either one may be the new one.
        now.insert(0 if at > 1 else len(now), _slide("Break"))
    elif how == "swap":
        now[other] = slides[at]
    elif how in ("delete", "delete_and_edit"):
        del now[other]
    elif how == "copy":
        now.insert(at + 1, slides[at])
    elif how == "insert":
        now.insert(at, _slide("Break"))
    elif how == "move":
        now.insert(other, now.pop(at))
    return now, 1 + (how in ("edit_two", "insert_and_edit", "delete_and_edit", "swap"))


def _size(before: Deck, now: Deck) -> int:
    """Return how many changes the matching needs: slides that came, went, moved or differ."""
    match = match_decks(before, now)
    kept = longest_increasing([j for _, j in match.pairs])
    differ = sum(
        replace(before.slides[i], index=0) != replace(now.slides[j], index=0)
        for i, j in match.pairs
    )
    return len(match.added) + len(match.removed) + len(match.pairs) - len(kept) + differ


@each_case("seed", range(10))
@each_case("how", sorted(set(_EDITS)))
def test_no_explanation_is_longer_than_what_was_done(how: str, seed: int) -> None:
    draw = random.Random(f"{how} {seed}")
    slides = [_slide(draw.choice(_WORDS)) for _ in range(draw.randint(3, 9))]
    now, size = _edit(slides, how, draw)
    assert _size(_deck(slides), _deck(now)) <= size


@each_case("count", [2, 4, 9, 120])
@each_case("text", ["Plan", ""])
@each_case("new", ["Plan 2", "Nothing in common", "Results"])
def test_an_edited_copy_is_named(count: int, text: str, new: str) -> None:
    slides = [_slide(text)] * count
    for at in {0, 1, count // 2, count - 1}:
        now = [*slides]
        now[at] = _slide(new)
        assert match_decks(_deck(slides), _deck(now)).pairs == tuple((i, i) for i in range(count))


@each_case("at", range(4))
def test_copies_behind_and_before_others(at: int) -> None:
    slides = [_slide("Cover"), *[_slide("Plan")] * 4, _slide("End")]
    now = [*slides]
    now[1 + at] = _slide("Plan B")
    now.insert(0, _slide("Word in advance"))
    pairs = match_decks(_deck(slides), _deck(now)).pairs
    assert pairs == tuple((i, i + 1) for i in range(6))


def test_a_copy_that_is_made_like_its_neighbour_stays_in_its_place() -> None:
    before = [_slide("Part 1"), _slide("Part 2"), _slide("Part 3")]
    now = [_slide("Part 1"), _slide("Part 3"), _slide("Part 3")]
    assert match_decks(_deck(before), _deck(now)).pairs == ((0, 0), (1, 1), (2, 2))


def test_a_copy_removed_before_a_divider_moves_none_across_it() -> None:
    plan, divider = _slide("Plan"), _slide("Divider")
    match = match_decks(
        _deck([plan, plan, divider, plan, plan]), _deck([plan, divider, plan, plan])
    )
    assert len(match.removed) == 1
    assert match.removed[0] in (0, 1)
    assert [j for _, j in match.pairs] == [0, 1, 2, 3]


def _at_show(slide: Slide) -> Slide:
    """Return a slide that is left out of the show and comes in otherwise."""
    return replace(slide, hidden=True, transition=Transition("circle"))


def test_a_copy_that_came_to_look_like_the_next_one_has_not_moved() -> None:
    first, second = _slide("Plan", "#FF0000"), _slide("Plan")
    now = [_slide("Plan"), _at_show(second)]
    match = match_decks(_deck([first, second]), _deck(now))
    assert match.pairs == ((0, 0), (1, 1))


def test_copies_that_look_otherwise_are_still_seen_to_move() -> None:
    first, second, cover = _slide("Plan", "#FF0000"), _slide("Plan"), _slide("Cover")
    before = _deck([cover, first, second])
    assert match_decks(before, _deck([cover, second, first])).pairs == ((0, 0), (1, 2), (2, 1))
    hidden = replace(first, hidden=True)
    assert match_decks(before, _deck([cover, second, hidden])).pairs == ((0, 0), (1, 2), (2, 1))


def _row(texts: Sequence[str]) -> tuple[Shape, ...]:
    return tuple(
        replace(_shape(text, i), placeholder="", kind="text_box", name="Box")
        for i, text in enumerate(texts)
    )


@pytest.mark.parametrize("count", [2, 3, 5, 40, 300])
def test_of_shapes_upon_one_another_the_edited_one_is_named(count: int) -> None:
    for at in {0, 1, count // 2, count - 1}:
        texts = ["same"] * count
        now = [*texts]
        now[at] = "same but edited"
        pairs = match_shapes(_row(texts), _row(now)).pairs
        assert pairs == tuple((i, i) for i in range(count))


@each_case("seed", range(15))
def test_edits_among_shapes_upon_one_another(seed: int) -> None:
    draw = random.Random(seed)
    texts = [draw.choice(("same", "same", "other", "")) for _ in range(draw.randint(3, 12))]
    now = [*texts]
    for at in draw.sample(range(len(texts)), 2):
        now[at] = f"{texts[at]} edited {at}"
    pairs = match_shapes(_row(texts), _row(now)).pairs
    assert pairs == tuple((i, i) for i in range(len(texts)))


@pytest.mark.slow
def test_many_copies_with_many_edits_are_matched_in_linear_time() -> None:
    def work(count: int) -> Callable[[], Sequence[tuple[int, int]]]:
        slides = [_slide("Plan")] * count
        now = [_slide(f"Plan {i}") if i % 7 == 0 else slide for i, slide in enumerate(slides)]
        return lambda: match_decks(_deck(slides), _deck(now)).pairs

    check_work(work, 1500)
    assert work(1500)() == tuple((i, i) for i in range(1500))


@pytest.mark.slow
def test_very_many_copies_that_moved_are_matched_in_linear_time() -> None:
    def work(count: int) -> Callable[[], Sequence[tuple[int, int]]]:
        slides = [_slide(f"Plan {i // 2}", ("#000000", "#FF0000")[i % 2]) for i in range(count)]
        now = [slides[i ^ 1] for i in range(count)]
        return lambda: match_decks(_deck(slides), _deck(now)).pairs

    check_work(work, 1000)
    assert work(1000)() == tuple((i, i ^ 1) for i in range(1000))
