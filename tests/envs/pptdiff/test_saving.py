"""Changes that the office application makes at every save are no differences."""

from pathlib import Path

import pytest

from pptarena.envs.programs.pptdiff import diff_presentations
from pptarena.vm_images.office import Office

DECKS = Path(__file__).parents[3] / "tasks" / "decks"


@pytest.mark.image
@pytest.mark.parametrize("name", ["meridian", "resistance"])
def test_saving_again_is_no_difference(name: str) -> None:
    saver = Office()
    first = saver.save((DECKS / f"{name}.pptx").read_bytes())
    second = saver.save(first)
    assert not any(diff_presentations(first, second).to_dict().values())
    # The published comparison reports an edit of every slide.
    published = diff_presentations(first, second, quirks=True)
    assert len(published.modified_slides) > 10
