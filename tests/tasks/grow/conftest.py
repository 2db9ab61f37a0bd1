"""Decks to grow tasks on: those of the package, and some of other people where they are there."""

import os
from functools import cache
from pathlib import Path
from random import Random

import pytest

from pptarena.decks.presentation import open_presentation
from pptarena.edits import edit_presentation
from pptarena.tasks.deck_files import read_deck_file
from pptarena.tasks.grow import OPERATORS, DeckGrower
from pptarena.tasks.grow.draft import Draft
from pptarena.tasks.quality.attacks import Material, unpacked
from pptarena.tasks.task_file import parse_task

_SHARED = (
    "docling/powerpoint_sample.pptx",
    "docling/powerpoint_with_image.pptx",
    "docling/docling_ecosystem.pptx",
    "pptagent/default_template.pptx",
    "python-pptx/ph-unpopulated-placeholders.pptx",
    "python-pptx/shp-common-props.pptx",
    "python-pptx/shp-movie-props.pptx",
    "python-pptx/shp-shapes.pptx",
    "python-pptx/txt-text.pptx",
)


@cache
def growers() -> tuple[DeckGrower, ...]:
    """Return what grows on each deck."""
    found = [DeckGrower(read_deck_file(name), name) for name in ("meridian", "resistance")]
    shared = os.environ.get("PPTARENA_SHARED", "")
    for name in _SHARED if shared else ():
        file = Path(shared) / "data/decks" / name
        if file.is_file():
            found.append(DeckGrower(file.read_bytes(), str(file)))
    return tuple(found)


def drawn(grower: DeckGrower, operator: str, count: int, *, words: bool = False) -> list[Draft]:
    """Return drafts of one operator on a deck, as many as come together."""
    rng = Random(f"{operator}/{grower.ground.label.rpartition('/')[2]}")
    found = {}
    for _ in range(count if operator in grower.composer.operators else 0):
        part = grower.composer.part("one", [operator], rng, held_out_words=words, plain=False)
        if part is not None:
            draft = grower.said((part,), "train", rng)
            found[draft.key] = draft
    return list(found.values())


def generated_material(draft: Draft) -> Material:
    """Return what attacks of a generated task start from."""
    # The attacks get the deck from `Material`; its name does not matter.
    task = parse_task(draft.row(0) | {"deck": "meridian"}, Path(), "grown", "")
    presentation = open_presentation(draft.ground.file)
    edit_presentation(presentation, draft.solution())
    original = unpacked.saved(open_presentation(draft.ground.file))
    return Material(task, original, unpacked.saved(presentation))


@pytest.fixture(params=sorted(OPERATORS))
def operator(request: pytest.FixtureRequest) -> str:
    return str(request.param)
