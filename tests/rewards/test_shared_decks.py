"""Decks of other authors can be read, and saving them again changes nothing."""

import io
from pathlib import Path

import pytest
from pptx import Presentation

from pptarena.rewards import diff_decks, read_deck
from pptarena.vm_images.office import Office

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
FOLDER = ROOT.parent / "shared" / "data" / "decks"
DECKS = sorted(FOLDER.rglob("*.pptx"))
OWN_DECKS = sorted(p for name in ("tasks", "tools") for p in (ROOT / name).rglob("*.pptx"))

# The second save fits a placeholder of Pencil to its text, and drops the autofit of unused footers
# of Nature_Illustration.
UNSTABLE = {
    "Pencil.pptx": "of the body placeholder",
    "Nature_Illustration.pptx": "autofit of the",
}

needs_decks = pytest.mark.skipif(not DECKS, reason="the shared decks are missing")


@needs_decks
@pytest.mark.parametrize("path", DECKS, ids=lambda path: path.name)
def test_facts_are_reproducible(path: Path) -> None:
    deck = read_deck(path)
    assert diff_decks(deck, deck) == ()
    again = read_deck(path.read_bytes())
    assert diff_decks(deck, again) == ()
    assert again.slides == deck.slides


@needs_decks
@pytest.mark.parametrize("path", DECKS, ids=lambda path: path.name)
def test_saving_with_python_pptx_changes_no_fact(path: Path) -> None:
    deck = read_deck(path)
    file = io.BytesIO()
    Presentation(str(path)).save(file)
    changes = diff_decks(deck, read_deck(file.getvalue()))
    assert [change.text for change in changes] == []


@pytest.mark.image
@pytest.mark.timeout(600)
class TestRoundTrips:
    """Saving a deck a second time in the application changes no fact."""

    @needs_decks
    def test_shared_decks_survive_a_second_save(self) -> None:
        _require_equal_saves(DECKS)

    def test_task_decks_survive_a_second_save(self) -> None:
        _require_equal_saves([path for path in OWN_DECKS if path.name not in UNSTABLE])

    @pytest.mark.parametrize("name", UNSTABLE)
    def test_unstable_decks_differ_only_in_the_known_facts(self, name: str) -> None:
        (path,) = (path for path in OWN_DECKS if path.name == name)
        saved_once = Office().save(path.read_bytes())
        changes = diff_decks(read_deck(saved_once), read_deck(Office().save(saved_once)))
        assert changes
        assert [c.text for c in changes if UNSTABLE[name] not in c.text] == []


def _require_equal_saves(paths: list[Path]) -> None:
    saver = Office()
    first = saver.save_all([path.read_bytes() for path in paths])
    refused = {p.name: s for p, s in zip(paths, first, strict=True) if not isinstance(s, bytes)}
    assert refused == {}
    saved_once = [saved for saved in first if isinstance(saved, bytes)]
    for path, before, after in zip(paths, saved_once, saver.save_all(saved_once), strict=True):
        assert isinstance(after, bytes), f"{path.name}: {after}"
        changes = diff_decks(read_deck(before), read_deck(after))
        assert [f"{path.name}: {change.text}" for change in changes] == []
