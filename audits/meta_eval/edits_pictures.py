"""Edits that insert packaged pictures."""

import io
from collections.abc import Sequence
from typing import Any

from pptx.util import Cm

from pptarena.audits.meta_eval.finding import shape_of, slide_of
from pptarena.tasks.task_files import packaged_file

__all__ = ["add_picture", "swap_picture"]

_EMBED = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}embed"


def add_picture(deck: Any, slide: int, file: str, place_cm: Sequence[float]) -> None:
    """Insert a packaged picture such as ``aurora/team.png`` at left, top, width, height."""
    place = (Cm(each) for each in place_cm)
    slide_of(deck, slide).shapes.add_picture(io.BytesIO(packaged_file(file)), *place)


def swap_picture(deck: Any, slide: int, shape: str, file: str) -> None:
    """Replace the picture in a frame, like the 'replace image' command."""
    picture = shape_of(deck, slide, shape)._element
    _, key = slide_of(deck, slide).part.get_or_add_image_part(io.BytesIO(packaged_file(file)))
    picture.xpath(".//a:blip")[0].set(_EMBED, key)
