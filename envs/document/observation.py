"""Observations of a document."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

from gymnasium import spaces

from pptarena.envs.charset import sanitize, text_space
from pptarena.envs.document.compact_view import compact_text
from pptarena.envs.document.document import Document
from pptarena.envs.document.slide_images import SlideImages
from pptarena.envs.document.toolbox import load_family
from pptarena.envs.observations import INSTRUCTION_MAX
from pptarena.errors import ConfigError
from pptarena.plugins import TOOL_FAMILIES

__all__ = ["OUTLINE_MAX", "RESULT_MAX", "View", "outline_text"]

OUTLINE_MAX = 12_288
RESULT_MAX = 8_192
_EXTERNAL_MAX = 65_536


@dataclass(frozen=True, slots=True)
class View:
    """A text format of a document.

    Attributes:
        text: Returns the text from the document and the instruction.
        outline_max: Most characters of the text.
        result_max: Most characters of a call's result.
    """

    text: Callable[[Document, str], str]
    outline_max: int = OUTLINE_MAX
    result_max: int = RESULT_MAX

    @classmethod
    def of(cls, name: str) -> Self:
        """Return a view by name.

        Args:
            name: ``"outline"``, ``"compact"``, or the family of tools that defines it.

        Raises:
            ConfigError: If no view has this name.
        """
        if name == "outline":
            return cls(lambda document, instruction: outline_text(document))
        if name == "compact":
            return cls(compact_text)
        if not isinstance(name, str) or not (name in TOOL_FAMILIES or ":" in name):
            names = ("outline", "compact", *TOOL_FAMILIES)
            raise ConfigError(
                f"view: expected one of {', '.join(names)} or 'package.module:NAME', got {name!r}"
            )
        view = load_family(name).view
        return cls(lambda document, instruction: view(document), _EXTERNAL_MAX, _EXTERNAL_MAX)

    def space(self, images: SlideImages | None = None) -> spaces.Dict:
        """Return a new observation space.

        Its text entries: ``instruction`` (0 to 2048 characters); ``outline``, the deck in short
        with the ids of slides and shapes (0 to 12288); ``result`` of the last call (0 to 8192).
        Views of tool families may use up to 65536 characters for both. With slide images also
        ``slides``, uint8 (count, 360, 640, 3) RGB, and ``slide_ids``, int64 (count,), the id of the
        slide in each image, 0 for none.
        """
        return spaces.Dict(
            {
                "instruction": text_space(INSTRUCTION_MAX),
                "outline": text_space(self.outline_max),
                "result": text_space(self.result_max),
                **(images.space() if images else {}),
            }
        )

    def observation(self, instruction: str, document: Document, result: str) -> dict[str, Any]:
        """Return an observation; characters outside the space are replaced."""
        return {
            "instruction": sanitize(instruction, INSTRUCTION_MAX),
            "outline": sanitize(self.text(document, instruction), self.outline_max),
            "result": sanitize(result, self.result_max),
        }


def outline_text(document: Document) -> str:
    """Return one line for each slide of a deck and for each of its shapes.

    Shapes are omitted from the first slide on whose shapes would exceed the limit.
    """
    slides = document.slide_ids()
    remaining = OUTLINE_MAX - 100
    lines: list[str] = []
    for number, slide in enumerate(slides, start=1):
        outline = document.outline_of(slide)
        head = f"slide {number}, id {slide}, {outline.head}"
        section = "\n".join((head, *outline.lines))
        if len(section) + 150 * (len(slides) - number) > remaining:
            section = f"{head}, {outline.shapes} shapes"
        if len(section) + 1 > remaining:
            lines.append(f"and {len(slides) - number + 1} more slides")
            break
        remaining -= len(section) + 1
        lines.append(section)
    return "\n".join(lines)
