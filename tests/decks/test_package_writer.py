"""Packages are written exactly as python-pptx writes them."""

import io
import time
from typing import Any

import pytest
from pptx import Presentation
from pptx.opc.packuri import PackURI
from tests.conftest import Lab
from tests.decks.packing import unpack

from pptarena.decks.package_writer import write_package


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
def test_output_equals_that_of_python_pptx(
    lab: Lab, make: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "localtime", lambda _=None: (1980, 1, 1, 0, 0, 0, 1, 1, 0))
    before = Presentation(io.BytesIO(lab.base))
    for presentation in (
        before,
        make(lab.base),
        before,
    ):  # all parts compressed, then some, then none
        assert write_package(presentation) == _saved(presentation)


def test_changed_part_is_written_again(lab: Lab) -> None:
    presentation = Presentation(io.BytesIO(lab.base))
    first = write_package(presentation)
    presentation.slides[0].shapes.title.text = "Changed"
    second = write_package(presentation)
    old, new = unpack(first), unpack(second)
    assert list(old) == list(new)
    differing = [name for name in old if old[name] != new[name]]
    assert differing == ["ppt/slides/slide1.xml"]
