"""A package is written as python-pptx writes it."""

import io
import time
import zipfile
from typing import Any

import pytest
from pptx import Presentation
from pptx.opc.packuri import PackURI
from tests.conftest import Lab

from pptarena.decks.writing import write_package


def _saved(presentation: Any) -> bytes:
    stream = io.BytesIO()
    presentation.save(stream)
    return stream.getvalue()


def _changed(base: bytes) -> Any:
    presentation = Presentation(io.BytesIO(base))
    presentation.slides[0].shapes.title.text = "Changed"
    return presentation


def _renamed(base: bytes) -> Any:
    presentation = Presentation(io.BytesIO(base))
    presentation.slides[1].part.partname = PackURI("/ppt/slides/Folie_ä.xml")
    return presentation


@pytest.mark.parametrize("make", [_changed, _renamed])
def test_the_bytes_are_those_of_python_pptx(
    lab: Lab, make: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "localtime", lambda _=None: (1980, 1, 1, 0, 0, 0, 1, 1, 0))
    before = Presentation(io.BytesIO(lab.base))
    for presentation in (before, make(lab.base), before):  # compressed, some of it, none of it
        assert write_package(presentation) == _saved(presentation)


def test_a_changed_part_is_written_anew(lab: Lab) -> None:
    presentation = Presentation(io.BytesIO(lab.base))
    first = write_package(presentation)
    presentation.slides[0].shapes.title.text = "Changed"
    second = write_package(presentation)
    with (
        zipfile.ZipFile(io.BytesIO(first)) as old,
        zipfile.ZipFile(io.BytesIO(second)) as new,
    ):
        assert old.namelist() == new.namelist()
        assert new.testzip() is None
        differing = [name for name in old.namelist() if old.read(name) != new.read(name)]
    assert differing == ["ppt/slides/slide1.xml"]
