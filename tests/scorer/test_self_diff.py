"""Saving a deck produces no diff.

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


def test_saving_with_python_pptx_changes_nothing() -> None:
    diffs = {}
    for name, data in audit_decks():
        diffs[f"{name}: itself"] = _changes(data, data)
        diffs[f"{name}: saved"] = _changes(data, save_presentation(open_presentation(data)))
    assert len(diffs) > 20
    assert {name: changes for name, changes in diffs.items() if changes} == {}


@pytest.mark.image
def test_saving_with_application_again_changes_nothing() -> None:
    names, decks = zip(*audit_decks(), strict=True)
    with Office() as office:
        firsts = office.save_all(decks)
        # A deck that differs by a byte is not in the cache of saved decks, so it is saved again.
        others = office.save_all([_with_comment(data) for data in decks])
        saved = [
            (n, first) for n, first in zip(names, firsts, strict=True) if isinstance(first, bytes)
        ]
        seconds = office.save_all([first for _, first in saved if isinstance(first, bytes)])
    diffs = {}
    for name, first, other in zip(names, firsts, others, strict=True):
        if isinstance(first, bytes) and isinstance(other, bytes):
            diffs[f"{name}: first saves"] = _changes(first, other)
    for (name, first), second in zip(saved, seconds, strict=True):
        if isinstance(first, bytes) and isinstance(second, bytes):
            diffs[f"{name}: first and second save"] = _changes(first, second)
    assert len(diffs) > 20
    assert {name: changes for name, changes in diffs.items() if changes} == {}


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
