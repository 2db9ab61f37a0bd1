"""The types of the arguments of edits."""

import re
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

__all__ = [
    "Address",
    "Cm",
    "Color",
    "Name",
    "Number",
    "Paint",
    "Position",
    "Series",
    "ShapeRef",
    "Share",
    "SlideRef",
    "Text",
    "writable",
]

# Characters that XML 1.0 does not allow.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def writable(text: str) -> str:
    """Return a text with LF line ends.

    Raises:
        ValueError: If XML cannot hold the text.
    """
    if _FORBIDDEN.search(text):
        raise ValueError("expected a text without control characters")
    return text.replace("\r\n", "\n").replace("\r", "\n")


@dataclass(frozen=True, slots=True)
class Address:
    """Marks a type whose values refer to a slide or a shape.

    Attributes:
        to: What the value refers to.
        help: How to write it.
    """

    to: Literal["slide", "shape"]
    help: str


Text = Annotated[str, Field(max_length=20_000), AfterValidator(writable)]
"""A text; line breaks separate paragraphs."""

Name = Annotated[str, Field(min_length=1, max_length=255), AfterValidator(writable)]
"""A short text on one line."""

Color = Annotated[str, Field(pattern=r"^#[0-9A-Fa-f]{6}$")]
"""``#RRGGBB``."""

Paint = Annotated[
    str,
    Field(pattern=r"^(#[0-9A-Fa-f]{6}|(dk|lt)[12]|tx[12]|bg[12]|accent[1-6]|hlink|folHlink)$"),
]
"""``#RRGGBB``, or a color of the theme such as ``accent2``."""

Cm = Annotated[float, Field(ge=-500, le=500, allow_inf_nan=False)]
"""A length or a position in centimeters."""

Share = Annotated[float, Field(ge=0, le=0.95, allow_inf_nan=False)]
"""A share of a length."""

Position = Annotated[int, Field(ge=1, le=10_000)]
"""A position in a sequence, from 1."""

SlideRef = Annotated[
    Annotated[int, Field(ge=1, le=10_000)] | Annotated[str, Field(min_length=1, max_length=2_000)],
    Address("slide", 'position from 1, "last", "id:257" or title'),
]
"""A slide: its position from 1, ``"last"``, ``"id:257"``, or its title."""

ShapeRef = Annotated[
    str,
    Field(min_length=1, max_length=2_000),
    Address("shape", '"@title", "@body:2", "id:5", name or text'),
]
"""A shape as in rubrics (``"@title"``, ``"@body:2"``, name, text), or by its id: ``"id:5"``."""

Number = Annotated[float, Field(ge=-1e15, le=1e15, allow_inf_nan=False)]
"""A number of a chart."""


class Series(BaseModel):
    """A series of a chart."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: Name
    values: Annotated[list[Number | None], Field(min_length=1, max_length=200)]
