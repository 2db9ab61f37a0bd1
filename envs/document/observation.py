"""What an agent sees of a document."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

from gymnasium import spaces

from pptarena.envs.charset import sanitise, text_space
from pptarena.envs.document.compact_view import compact_text
from pptarena.envs.document.document import Document
from pptarena.envs.document.slide_pictures import SlidePictures
from pptarena.envs.document.toolbox import brought_family
from pptarena.envs.observations import INSTRUCTION_MAX

__all__ = ["OUTLINE_MAX", "RESULT_MAX", "View", "outline_text"]

OUTLINE_MAX = 12_288
RESULT_MAX = 8_192
_BROUGHT_MAX = 65_536


@dataclass(frozen=True, slots=True)
class View:
    """How a document is shown.

    Attributes:
        text: Returns what is shown of it, from the document and the instruction.
        outline_max: Most characters of that.
        result_max: Most characters of what a call says.
    """

    text: Callable[[Document, str], str]
    outline_max: int = OUTLINE_MAX
    result_max: int = RESULT_MAX

    @classmethod
    def of(cls, name: str) -> Self:
        """Return a view by its name.

        Args:
            name: ``"outline"``, ``"compact"``, or the family of tools that brings it.

        Raises:
            ConfigError: If there is none.
        """
        if name == "outline":
            return cls(lambda document, instruction: outline_text(document))
        if name == "compact":
            return cls(compact_text)
        view = brought_family(name).view
        return cls(lambda document, instruction: view(document), _BROUGHT_MAX, _BROUGHT_MAX)

    def space(self, pictures: SlidePictures | None = None) -> spaces.Dict:
        """Return a new observation space.

        Its parts, all texts: ``instruction`` (0 to 2048 characters); ``outline``, the deck in short
        with the ids of slides and shapes (0 to 12288); ``result``, what the last call said (0 to
        8192). Views of others may have 65536 characters of both. With pictures also ``slides``,
        uint8 (count, 360, 640, 3) RGB, and ``slide_ids``, int64 (count,), the id of the slide in
        each, 0 where there is none.
        """
        return spaces.Dict(
            {
                "instruction": text_space(INSTRUCTION_MAX),
                "outline": text_space(self.outline_max),
                "result": text_space(self.result_max),
                **(pictures.space() if pictures else {}),
            }
        )

    def observation(self, instruction: str, document: Document, result: str) -> dict[str, Any]:
        """Return an observation, which holds only characters of the space."""
        return {
            "instruction": sanitise(instruction, INSTRUCTION_MAX),
            "outline": sanitise(self.text(document, instruction), self.outline_max),
            "result": sanitise(result, self.result_max),
        }


def outline_text(document: Document) -> str:
    """Return the slides of a deck, one line each and one for each of its shapes.

    From the slide on with whose shapes it would be too long, slides are shown without them.
    """
    slides = document.slide_ids()
    left = OUTLINE_MAX - 100
    lines: list[str] = []
    for number, slide in enumerate(slides, start=1):
        found = document.outline_of(slide)
        head = f"slide {number}, id {slide}, {found.head}"
        whole = "\n".join((head, *found.lines))
        if len(whole) + 150 * (len(slides) - number) > left:
            whole = f"{head}, {found.shapes} shapes"
        if len(whole) + 1 > left:
            lines.append(f"and {len(slides) - number + 1} more slides")
            break
        left -= len(whole) + 1
        lines.append(whole)
    return "\n".join(lines)
