"""Copies of slides and shapes are matched by position.

Random decks of copies and near copies are edited once or twice. The matching must not need more
changes than were made; if only one explanation is that short, the matching must find it.
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
_BOX = Box(0, 0, 9_144_000, 914_400)
_EDITS = (
    *("edit", "edit", "edit_like_another", "rewrite", "delete", "copy", "insert", "move", "notes"),
    *("empty", "recolor", "edit_two", "insert_and_edit", "delete_and_edit", "swap"),
)


def _shape(text: str, index: int = 0, color: str = "#000000") -> Shape:
    runs = (Run(text, RunStyle(color=color)),) if text else ()
    return Shape(index, "Title 1", "placeholder", "title", "rect", _BOX, (Paragraph(runs),))


def _slide(text: str, color: str = "#000000", notes: str = "") -> Slide:
    return Slide(0, 256, (_shape(text, 0, color),), "Title Only", notes)


def _deck(slides: Sequence[Slide]) -> Deck:
    return Deck(tuple(replace(slide, index=i) for i, slide in enumerate(slides)), 9_144_000, 0)


def _edit(slides: list[Slide], edit_name: str, rng: random.Random) -> tuple[list[Slide], int]:
    """Return the slides after an edit and how many changes that is."""
    edited, at = list(slides), rng.randrange(len(slides))
    other = rng.randrange(len(slides))
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
    edited[at] = new.get(edit_name, slides[at])
    if edit_name == "edit_two":
        edited[other] = _slide(f"{slides[other].title} once more")
    elif edit_name == "insert_and_edit":
        # Not next to it: either of two neighbors may count as the new one.
        edited.insert(0 if at > 1 else len(edited), _slide("Break"))
    elif edit_name == "swap":
        edited[other] = slides[at]
    elif edit_name in ("delete", "delete_and_edit"):
        del edited[other]
    elif edit_name == "copy":
        edited.insert(at + 1, slides[at])
    elif edit_name == "insert":
        edited.insert(at, _slide("Break"))
    elif edit_name == "move":
        edited.insert(other, edited.pop(at))
    return edited, 1 + (edit_name in ("edit_two", "insert_and_edit", "delete_and_edit", "swap"))


def _change_count(before: Deck, after: Deck) -> int:
    """Return how many slides are added, removed, moved or different by the matching."""
    match = match_decks(before, after)
    unmoved = longest_increasing([j for _, j in match.pairs])
    differing = sum(
        replace(before.slides[i], index=0) != replace(after.slides[j], index=0)
        for i, j in match.pairs
    )
    return len(match.added) + len(match.removed) + len(match.pairs) - len(unmoved) + differing


@pytest.mark.slow
@each_case("seed", range(10))
@each_case("edit_name", sorted(set(_EDITS)))
def test_matching_needs_no_more_changes_than_were_made(edit_name: str, seed: int) -> None:
    rng = random.Random(f"{edit_name} {seed}")
    slides = [_slide(rng.choice(_WORDS)) for _ in range(rng.randint(3, 9))]
    edited, edit_size = _edit(slides, edit_name, rng)
    assert _change_count(_deck(slides), _deck(edited)) <= edit_size


@pytest.mark.slow
@each_case("count", [2, 4, 9, 120])
@each_case("text", ["Plan", ""])
@each_case("new", ["Plan 2", "Nothing in common", "Results"])
def test_edited_copy_keeps_its_position(count: int, text: str, new: str) -> None:
    slides = [_slide(text)] * count
    for at in {0, 1, count // 2, count - 1}:
        edited = [*slides]
        edited[at] = _slide(new)
        assert match_decks(_deck(slides), _deck(edited)).pairs == tuple(
            (i, i) for i in range(count)
        )


@each_case("at", range(4))
def test_edited_copy_among_other_slides_keeps_its_position(at: int) -> None:
    slides = [_slide("Cover"), *[_slide("Plan")] * 4, _slide("End")]
    edited = [*slides]
    edited[1 + at] = _slide("Plan B")
    edited.insert(0, _slide("Word in advance"))
    pairs = match_decks(_deck(slides), _deck(edited)).pairs
    assert pairs == tuple((i, i + 1) for i in range(6))


def test_copy_edited_to_equal_its_neighbor_keeps_its_position() -> None:
    before = [_slide("Part 1"), _slide("Part 2"), _slide("Part 3")]
    after = [_slide("Part 1"), _slide("Part 3"), _slide("Part 3")]
    assert match_decks(_deck(before), _deck(after)).pairs == ((0, 0), (1, 1), (2, 2))


def test_removed_copy_moves_no_other_across_a_divider() -> None:
    plan, divider = _slide("Plan"), _slide("Divider")
    match = match_decks(
        _deck([plan, plan, divider, plan, plan]), _deck([plan, divider, plan, plan])
    )
    assert len(match.removed) == 1
    assert match.removed[0] in (0, 1)
    assert [j for _, j in match.pairs] == [0, 1, 2, 3]


def _with_show_changes(slide: Slide) -> Slide:
    """Return the slide hidden and with another transition."""
    return replace(slide, hidden=True, transition=Transition("circle"))


def test_copy_recolored_like_the_next_one_has_not_moved() -> None:
    first, second = _slide("Plan", "#FF0000"), _slide("Plan")
    after = [_slide("Plan"), _with_show_changes(second)]
    match = match_decks(_deck([first, second]), _deck(after))
    assert match.pairs == ((0, 0), (1, 1))


def test_moved_copies_of_different_colors_are_recognized() -> None:
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
def test_edited_shape_of_a_stack_keeps_its_position(count: int) -> None:
    for at in {0, 1, count // 2, count - 1}:
        texts = ["same"] * count
        edited = [*texts]
        edited[at] = "same but edited"
        pairs = match_shapes(_row(texts), _row(edited)).pairs
        assert pairs == tuple((i, i) for i in range(count))


@each_case("seed", range(15))
def test_edited_shapes_of_a_stack_keep_their_positions(seed: int) -> None:
    rng = random.Random(seed)
    texts = [rng.choice(("same", "same", "other", "")) for _ in range(rng.randint(3, 12))]
    edited = [*texts]
    for at in rng.sample(range(len(texts)), 2):
        edited[at] = f"{texts[at]} edited {at}"
    pairs = match_shapes(_row(texts), _row(edited)).pairs
    assert pairs == tuple((i, i) for i in range(len(texts)))


@pytest.mark.slow
def test_many_copies_with_many_edits_are_matched_in_linear_time() -> None:
    def work(count: int) -> Callable[[], Sequence[tuple[int, int]]]:
        slides = [_slide("Plan")] * count
        edited = [_slide(f"Plan {i}") if i % 7 == 0 else slide for i, slide in enumerate(slides)]
        return lambda: match_decks(_deck(slides), _deck(edited)).pairs

    check_work(work, 1500)
    assert work(1500)() == tuple((i, i) for i in range(1500))


@pytest.mark.slow
def test_many_moved_copies_are_matched_in_linear_time() -> None:
    def work(count: int) -> Callable[[], Sequence[tuple[int, int]]]:
        slides = [_slide(f"Plan {i // 2}", ("#000000", "#FF0000")[i % 2]) for i in range(count)]
        moved = [slides[i ^ 1] for i in range(count)]
        return lambda: match_decks(_deck(slides), _deck(moved)).pairs

    check_work(work, 1000)
    assert work(1000)() == tuple((i, i ^ 1) for i in range(1000))
