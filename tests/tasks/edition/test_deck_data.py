"""Substitution data of the decks: old names exist, and variants contain none of them."""

import re
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from tests.each_case import each_case

from pptarena.tasks import list_tasks
from pptarena.tasks.deck_source import read_source
from pptarena.tasks.edition import draw_variant, load_names, supported_decks
from pptarena.tasks.edition.figures import number_of
from pptarena.tasks.edition.files import file_texts
from pptarena.tasks.edition.task_text import task_texts
from pptarena.tasks.registry import packaged_spec
from pptarena.tasks.task_files import read_files

BENCH = list_tasks("bench")


@cache
def texts_of(deck: str) -> str:
    """Return all texts of a deck, its tasks and their files."""
    texts = file_texts("deck.pptx", read_source(deck, "deck"))
    for task in BENCH:
        if task.deck == deck:
            texts += task_texts(packaged_spec(task.id))
            for name, content in read_files(task.files).items():
                texts += file_texts(name, content)
    return "\n".join(texts)


def positions_in(value: Any, key: str = "") -> set[int]:
    """Return all integers in a task file that may be slide positions."""
    if isinstance(value, dict):
        fixed = ("version", "max_steps", "demonstration", "weight", "id", "canary")
        return set().union(*(positions_in(each, k) for k, each in value.items() if k not in fixed))
    if isinstance(value, list):
        return set().union(*(positions_in(each, key) for each in value))
    if isinstance(value, int) and not isinstance(value, bool):
        return {value}
    positions: set[int] = set()
    if isinstance(value, str) and key in ("instruction", "question", "answer"):
        for first, last in re.findall(r"(\d+)(?: to (\d+))?", value):
            positions |= set(range(int(first), int(last or first) + 1))
    return positions


def test_every_bench_deck_is_supported() -> None:
    assert set(supported_decks()) == {task.deck for task in BENCH}


@pytest.mark.slow
@each_case("deck", supported_decks())
def test_every_name_and_figure_occurs_in_the_deck_or_its_tasks(deck: str) -> None:
    names, texts = load_names(deck), texts_of(deck)
    old = [form for choice in names.choices for form in choice.old]
    old += [figure for group in names.figures for figure in (*group.free, *group.derived)]
    assert [form for form in old if form not in texts] == []
    assert len(set(old)) == len(old)


@each_case("deck", supported_decks())
def test_new_names_contain_no_old_name(deck: str) -> None:
    substitution = draw_variant(load_names(deck), 1).substitution
    new = [form for choice in load_names(deck).choices for forms in choice.new for form in forms]
    assert {
        form: substitution.leftovers(form) for form in new if substitution.leftovers(form)
    } == {}


@each_case("deck", supported_decks())
def test_new_names_have_similar_length(deck: str) -> None:
    for choice in load_names(deck).choices:
        for forms in choice.new:
            longer = [len(new) - len(old) for old, new in zip(choice.old, forms, strict=True)]
            assert max(longer) <= 3, forms


@each_case("deck", supported_decks())
def test_derived_figures_are_correct_in_the_original(deck: str) -> None:
    for group in load_names(deck).figures:
        for figure, formula in group.derived.items():
            terms = formula.replace("#", "").split()
            total = sum(
                number_of(term) * (-1 if sign == "-" else 1)
                for sign, term in pairwise(["+", *terms])
                if term not in "+-"
            )
            assert total == number_of(figure), formula


@each_case("deck", supported_decks())
def test_tasks_do_not_refer_to_positions_of_reordered_slides(deck: str) -> None:
    reordered = {position for group in load_names(deck).order for position in group}
    for task in BENCH:
        if task.deck == deck:
            assert not reordered & positions_in(packaged_spec(task.id)), task.id


def test_seed_determines_the_variant() -> None:
    for deck in supported_decks():
        variants = [draw_variant(load_names(deck), seed) for seed in (1, 1, 2)]
        assert variants[0] == variants[1]
        assert variants[0].substitution.words != variants[2].substitution.words
