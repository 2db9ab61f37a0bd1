"""The types of the arguments of macros."""

from typing import Annotated

from pydantic import AfterValidator, Field

from pptarena.decks.selectors import require_spec
from pptarena.edits.values import Position

__all__ = ["Color", "File", "Position", "Seconds", "Shape", "Size", "Text"]


def _valid_selector(selector: str) -> str:
    require_spec(selector)
    return selector


Shape = Annotated[str, AfterValidator(_valid_selector)]
"""A shape selector as in rubrics, such as ``@title`` or ``Logo``."""

Color = Annotated[str, Field(pattern=r"^#?[0-9A-Fa-f]{6}$")]
"""Six hexadecimal digits, such as ``1F4E79``."""

Text = Annotated[str, Field(min_length=1)]
"""A text that is not empty."""

Size = Annotated[float, Field(gt=0)]
"""A size above 0, in the unit that the argument's name specifies."""

Seconds = Annotated[float, Field(ge=0)]
"""A duration."""

File = Annotated[str, Field(pattern=r"^[^/]*[^/\s][^/]*$")]
"""The name of a file next to the deck."""
