import os

import pytest
from tests.each_case import each_case
from tests.tasks.generator.conftest import deck_generators, sample_drafts

from pptarena.tasks import EDIT_TYPES
from pptarena.tasks.generator import OPERATORS
from pptarena.tasks.generator.proving import prove
from pptarena.tasks.generator.wording import templates_of

# No test deck has hidden slides.
_WITHOUT_TARGETS = {"show-slide"}
# Only shared decks have media clips, loose lines, filled shapes whose text stays legible without
# the fill, and layouts that all have a footer placeholder.
_SHARED_ONLY = {
    "delete-media",
    "resize-media",
    "move-media",
    "arrow-head",
    "line-color",
    "delete-line-shape",
    "fill-placeholder",
    "unfill-shape",
    "set-footer",
}


def test_every_edit_type_has_operators() -> None:
    assert {each.edit_type for each in OPERATORS.values()} == set(EDIT_TYPES)


@each_case("operator", sorted(OPERATORS))
def test_every_operator_has_ten_different_templates(operator: str) -> None:
    templates = templates_of(OPERATORS[operator])
    assert len({template.prefix + template.text for template in templates}) >= 10
    assert len({template.id for template in templates}) == len(templates)


@pytest.mark.slow
def test_drafts_of_every_operator_are_proven(operator: str) -> None:
    if operator in _WITHOUT_TARGETS:
        pytest.skip("no test deck has such a target")
    if operator in _SHARED_ONLY and not os.environ.get("PPTARENA_SHARED"):
        pytest.skip("the packaged decks have no such target")
    reasons = []
    proven = 0
    for generator in deck_generators():
        outcome = prove(generator.context, sample_drafts(generator, operator, 3), None)
        proven += len(outcome.proven)
        reasons += [reason for _, reason in outcome.rejected]
        if proven >= 3:
            break
    assert proven, reasons


@pytest.mark.slow
def test_targets_can_be_addressed_by_rubrics() -> None:
    targets = [
        target
        for generator in deck_generators()
        for each in generator.composer.targets.values()
        for target in each
    ]
    assert targets
    for target in targets:
        assert target.shape_index is None or target.spec
        assert target.to_json().get("slide", 0) == target.slide_number
