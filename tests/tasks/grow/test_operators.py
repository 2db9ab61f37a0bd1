import os

import pytest
from tests.each_case import each_case
from tests.tasks.grow.conftest import drawn, growers

from pptarena.tasks import EDIT_TYPES
from pptarena.tasks.grow import OPERATORS
from pptarena.tasks.grow.proving import prove
from pptarena.tasks.grow.wording import frames_of

# No deck that is at hand has hidden slides.
_SITELESS = {"show-slide"}
# What only decks of other people have: media clips, loose lines, filled shapes whose words can be
# read without the fill, and layouts that all have a place for a footer.
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


def test_there_are_operators_for_every_kind_of_edit() -> None:
    assert {each.edit_type for each in OPERATORS.values()} == set(EDIT_TYPES)


@each_case("operator", sorted(OPERATORS))
def test_an_operator_has_ten_frames_that_differ(operator: str) -> None:
    frames = frames_of(OPERATORS[operator])
    assert len({frame.front + frame.text for frame in frames}) >= 10
    assert len({frame.id for frame in frames}) == len(frames)


@pytest.mark.slow
def test_an_original_scores_nothing_and_a_goal_everything(operator: str) -> None:
    if operator in _SITELESS:
        pytest.skip("no deck at hand has such a place")
    if operator in _SHARED_ONLY and not os.environ.get("PPTARENA_SHARED"):
        pytest.skip("the packaged decks have no such place")
    reasons = []
    kept = 0
    for grower in growers():
        found = prove(grower.ground, drawn(grower, operator, 3), None)
        kept += len(found.kept)
        reasons += [reason for _, reason in found.rejected]
        if kept >= 3:
            break
    assert kept, reasons


def test_sites_are_where_a_rubric_finds_them() -> None:
    sites = [
        site for grower in growers() for each in grower.composer.sites.values() for site in each
    ]
    assert sites
    for site in sites:
        assert site.shape_index is None or site.spec
        assert site.to_json().get("slide", 0) == site.number
