"""What an agent sees of a document."""

from typing import Any

from gymnasium import spaces

from pptarena.envs.charset import sanitise, text_space
from pptarena.envs.document.document import Document
from pptarena.envs.document.slide_pictures import SlidePictures
from pptarena.envs.observations import INSTRUCTION_MAX

__all__ = ["OUTLINE_MAX", "RESULT_MAX", "observation_of", "observation_space", "outline_text"]

OUTLINE_MAX = 12_288
RESULT_MAX = 8_192


def observation_space(pictures: SlidePictures | None = None) -> spaces.Dict:
    """Return a new observation space.

    Its parts, all texts: ``instruction`` (0 to 2048 characters); ``outline``, the deck in short
    with the ids of slides and shapes (0 to 12288); ``result``, what the last call said (0 to 8192).
    With pictures also ``slides``, uint8 (count, 360, 640, 3) RGB, and ``slide_ids``, int64
    (count,), the id of the slide in each, 0 where there is none.
    """
    return spaces.Dict(
        {
            "instruction": text_space(INSTRUCTION_MAX),
            "outline": text_space(OUTLINE_MAX),
            "result": text_space(RESULT_MAX),
            **(pictures.space() if pictures else {}),
        }
    )


def observation_of(instruction: str, outline: str, result: str) -> dict[str, Any]:
    """Return an observation; outline and result hold only characters of the space."""
    return {
        "instruction": sanitise(instruction, INSTRUCTION_MAX),
        "outline": outline,
        "result": result,
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
