import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from pptx import Presentation

from pptarena.vm_images.windows.content_digest import content_digest


def repacked(deck: bytes, **changes: bytes) -> bytes:
    """Pack a deck again, in another order, with parts replaced or added."""
    stream = BytesIO()
    with zipfile.ZipFile(BytesIO(deck)) as old, zipfile.ZipFile(stream, "w") as new:
        parts = {name: old.read(name) for name in old.namelist()} | changes
        for name in reversed(list(parts)):
            new.writestr(name, parts[name])
    return stream.getvalue()


def test_digest_ignores_order_and_core_properties(deck_file: Path, tmp_path: Path) -> None:
    deck = deck_file.read_bytes()
    digest = content_digest(deck)
    assert content_digest(repacked(deck)) == digest
    assert content_digest(repacked(deck, **{"docProps/core.xml": b"later"})) == digest
    assert content_digest(repacked(deck, **{"ppt/slides/slide1.xml": b"other"})) != digest
    assert content_digest(repacked(deck, **{"ppt/new.bin": b""})) != digest
    presentation = Presentation(str(deck_file))
    presentation.slides[1].shapes.title.text = "Cellar"
    presentation.save(str(tmp_path / "changed.pptx"))
    assert content_digest((tmp_path / "changed.pptx").read_bytes()) != digest


def test_invalid_deck_is_an_error() -> None:
    with pytest.raises(zipfile.BadZipFile):
        content_digest(b"no deck")
