import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from pptx import Presentation

from pptarena.vm_images.windows.deck_print import deck_print


def rewritten(deck: bytes, **changes: bytes) -> bytes:
    """Pack a deck again, in another order, with parts replaced or added."""
    stream = BytesIO()
    with zipfile.ZipFile(BytesIO(deck)) as old, zipfile.ZipFile(stream, "w") as new:
        parts = {name: old.read(name) for name in old.namelist()} | changes
        for name in reversed(list(parts)):
            new.writestr(name, parts[name])
    return stream.getvalue()


def test_only_the_moment_of_saving_does_not_count(deck_file: Path) -> None:
    deck = deck_file.read_bytes()
    assert deck_print(rewritten(deck)) == deck_print(deck)
    assert deck_print(rewritten(deck, **{"docProps/core.xml": b"later"})) == deck_print(deck)
    assert deck_print(rewritten(deck, **{"ppt/slides/slide1.xml": b"other"})) != deck_print(deck)
    assert deck_print(rewritten(deck, **{"ppt/new.bin": b""})) != deck_print(deck)


def test_a_changed_text_counts(deck_file: Path, tmp_path: Path) -> None:
    before = deck_print(deck_file.read_bytes())
    presentation = Presentation(str(deck_file))
    presentation.slides[1].shapes.title.text = "Cellar"
    presentation.save(str(tmp_path / "changed.pptx"))
    assert deck_print((tmp_path / "changed.pptx").read_bytes()) != before


def test_no_deck_has_no_print() -> None:
    with pytest.raises(zipfile.BadZipFile):
        deck_print(b"no deck")
