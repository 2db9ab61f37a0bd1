"""The data of the decks: what it names is there, and what it draws leaves no old name."""

import re
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from tests.each_case import each_case

from pptarena.tasks import list_tasks
from pptarena.tasks.deck_source import read_source
from pptarena.tasks.edition import draw_variant, known_decks, load_names
from pptarena.tasks.edition.figures import number_of
from pptarena.tasks.edition.files import file_texts
from pptarena.tasks.edition.task_text import task_texts
from pptarena.tasks.registry import packaged_spec
from pptarena.tasks.task_files import read_files

BENCH = list_tasks("bench")


@cache
def texts_of(deck: str) -> str:
    """Return all texts of a deck, its tasks and their files."""
    found = file_texts("deck.pptx", read_source(deck, "deck"))
    for task in BENCH:
        if task.deck == deck:
            found += task_texts(packaged_spec(task.id))
            for name, content in read_files(task.files).items():
                found += file_texts(name, content)
    return "\n".join(found)


def places_in(value: Any, key: str = "") -> set[int]:
    """Return all whole numbers in a task file that may be a slide's place."""
    if isinstance(value, dict):
        fixed = ("version", "max_steps", "demonstration", "weight", "id", "canary")
        return set().union(*(places_in(each, k) for k, each in value.items() if k not in fixed))
    if isinstance(value, list):
        return set().union(*(places_in(each, key) for each in value))
    if isinstance(value, int) and not isinstance(value, bool):
        return {value}
    found: set[int] = set()
    if isinstance(value, str) and key in ("instruction", "question", "answer"):
        for first, last in re.findall(r"(\d+)(?: to (\d+))?", value):
            found |= set(range(int(first), int(last or first) + 1))
    return found


def test_every_deck_of_the_benchmark_is_known() -> None:
    assert set(known_decks()) == {task.deck for task in BENCH}


@pytest.mark.slow
@each_case("deck", known_decks())
def test_every_name_and_figure_stands_in_the_deck_or_its_tasks(deck: str) -> None:
    names, texts = load_names(deck), texts_of(deck)
    old = [form for choice in names.choices for form in choice.old]
    old += [figure for group in names.figures for figure in (*group.free, *group.derived)]
    assert [form for form in old if form not in texts] == []
    assert len(set(old)) == len(old)


@each_case("deck", known_decks())
def test_new_names_hold_no_old_name(deck: str) -> None:
    by = draw_variant(load_names(deck), 1).substitution
    new = [form for choice in load_names(deck).choices for forms in choice.new for form in forms]
    assert {form: by.leftovers(form) for form in new if by.leftovers(form)} == {}


@each_case("deck", known_decks())
def test_new_names_are_about_as_long(deck: str) -> None:
    for choice in load_names(deck).choices:
        for forms in choice.new:
            longer = [len(new) - len(old) for old, new in zip(choice.old, forms, strict=True)]
            assert max(longer) <= 3, forms


@each_case("deck", known_decks())
def test_sums_hold_as_they_stand_in_the_deck(deck: str) -> None:
    for group in load_names(deck).figures:
        for figure, formula in group.derived.items():
            words = formula.replace("#", "").split()
            total = sum(
                number_of(word) * (-1 if sign == "-" else 1)
                for sign, word in pairwise(["+", *words])
                if word not in "+-"
            )
            assert total == number_of(figure), formula


@each_case("deck", known_decks())
def test_no_task_knows_the_places_of_slides_that_change(deck: str) -> None:
    moved = {place for group in load_names(deck).order for place in group}
    for task in BENCH:
        if task.deck == deck:
            assert not moved & places_in(packaged_spec(task.id)), task.id


def test_seeds_draw_different_variants_of_every_deck() -> None:
    for deck in known_decks():
        drawn = [draw_variant(load_names(deck), seed) for seed in (1, 1, 2)]
        assert drawn[0] == drawn[1]
        assert drawn[0].substitution.words != drawn[2].substitution.words
