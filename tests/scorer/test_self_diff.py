"""Saving alone changes nothing.

Each deck is compared with itself and with its copy saved by python-pptx. The first save by the
office application is compared with another first save and with a second save. All diffs must be
empty.
"""

import io
import zipfile
from collections.abc import Sequence

import pytest
from tests.scorer.audit_decks import audit_decks

from pptarena.decks.presentation import open_presentation, save_presentation
from pptarena.errors import DeckError
from pptarena.rewards import diff_decks, read_deck
from pptarena.vm_images.office import Office

pytestmark = pytest.mark.nightly


@pytest.mark.timeout(3600)
def test_saving_by_python_pptx_changes_nothing() -> None:
    found = {}
    for name, data in audit_decks():
        found[f"{name}: itself"] = _changes(data, data)
        found[f"{name}: saved"] = _changes(data, save_presentation(open_presentation(data)))
    assert len(found) > 20
    assert {name: changes for name, changes in found.items() if changes} == {}


@pytest.mark.image
@pytest.mark.timeout(3600)
def test_saving_by_the_application_again_changes_nothing() -> None:
    names, decks = zip(*audit_decks(), strict=True)
    with Office() as office:
        firsts = office.save_all(decks)
        # A deck that differs by a byte is not in the cache of saved decks, so it is saved again.
        others = office.save_all([_with_comment(data) for data in decks])
        good = [(n, first) for n, first in zip(names, firsts, strict=True) if _is_saved(first)]
        seconds = office.save_all([first for _, first in good if isinstance(first, bytes)])
    found = {}
    for name, first, other in zip(names, firsts, others, strict=True):
        if isinstance(first, bytes) and isinstance(other, bytes):
            found[f"{name}: first saves"] = _changes(first, other)
    for (name, first), second in zip(good, seconds, strict=True):
        if isinstance(first, bytes) and isinstance(second, bytes):
            found[f"{name}: first and second save"] = _changes(first, second)
    assert len(found) > 20
    assert {name: changes for name, changes in found.items() if changes} == {}


def _is_saved(found: object) -> bool:
    return isinstance(found, bytes)


def _changes(before: bytes, after: bytes) -> Sequence[str]:
    try:
        return [change.text for change in diff_decks(read_deck(before), read_deck(after))]
    except DeckError as error:
        return [f"refused: {error}"]


def _with_comment(data: bytes) -> bytes:
    """Return a deck with a different zip comment, which readers ignore."""
    file = io.BytesIO(data)
    with zipfile.ZipFile(file, "a") as package:
        package.comment = b"once more"
    return file.getvalue()
