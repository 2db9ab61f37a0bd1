"""Generators for packaged decks and, if available, for shared decks of other authors."""

import os
from functools import cache
from pathlib import Path
from random import Random

import pytest

from pptarena.decks.presentation import open_presentation
from pptarena.edits import edit_presentation
from pptarena.tasks.deck_files import read_deck_file
from pptarena.tasks.generator import OPERATORS, DeckGenerator
from pptarena.tasks.generator.draft import Draft
from pptarena.tasks.quality.attacks import Material, uncompressed
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
def deck_generators() -> tuple[DeckGenerator, ...]:
    """Return a generator for each deck."""
    generators = [DeckGenerator(read_deck_file(name), name) for name in ("meridian", "resistance")]
    shared = os.environ.get("PPTARENA_SHARED", "")
    for name in _SHARED if shared else ():
        file = Path(shared) / "data/decks" / name
        if file.is_file():
            generators.append(DeckGenerator(file.read_bytes(), str(file)))
    return tuple(generators)


def sample_drafts(
    generator: DeckGenerator, operator: str, count: int, *, held_out_wording: bool = False
) -> list[Draft]:
    """Return up to `count` different drafts of one operator on a deck."""
    rng = Random(f"{operator}/{generator.context.label.rpartition('/')[2]}")
    drafts = {}
    for _ in range(count if operator in generator.composer.operators else 0):
        part = generator.composer.sample_part(
            "one", [operator], rng, held_out_wording=held_out_wording, plain=False
        )
        if part is not None:
            draft = generator.make_draft((part,), "train", rng)
            drafts[draft.key] = draft
    return list(drafts.values())


def generated_material(draft: Draft) -> Material:
    """Return the material for attacks on a generated task."""
    # The attacks get the deck from `Material`; its name does not matter.
    task = parse_task(draft.row(0) | {"deck": "meridian"}, Path(), "grown", "")
    presentation = open_presentation(draft.context.file)
    edit_presentation(presentation, draft.solution())
    original = uncompressed.save_uncompressed(open_presentation(draft.context.file))
    return Material(task, original, uncompressed.save_uncompressed(presentation))


@pytest.fixture(params=sorted(OPERATORS))
def operator(request: pytest.FixtureRequest) -> str:
    return str(request.param)
