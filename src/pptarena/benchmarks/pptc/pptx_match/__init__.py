"""PPTX-Match: the evaluation of the PPTC benchmark, with its known bugs fixed.

`match_turn` and `match_session` compare a prediction with a label: all content attributes must be
equal, and the position relations must hold. `strict` also compares positions, sizes and picture
files. ``quirks=True`` restores these bugs:

- Only the first run of a text has a style. Tables and autoshapes, which are neither placeholders
  nor text boxes, have none (``AutoShape`` in PPTC's ``src/ppt_reader.py`` writes only text and
  fill). Chart categories, bullets, levels, links, outlines, and the rotation of anything but
  pictures are ignored.
- A text has the style of its first paragraph, even if that is empty. A chart has only an explicit
  title.
- Groups, their members, lines, freeforms and media are ignored.
- A fill or background that is not a solid color counts as none.
- The insertion order of objects matters.
- Position relations find only the first object, by its name in the file. An unknown object name
  violates the relation; an unknown relation holds.
- Halves of a slide are those of a 4:3 slide, whatever its size.
- In a session, relations must hold in the final deck even if a later turn moves the object again.
- A relation that the label violates is required.

Not restored: inherited values that read as missing (this package compares effective values), the
count of empty paragraphs after the first, and changes of the deck caused by reading it.
"""

from pptarena.benchmarks.pptc.pptx_match.compare import Mismatch, compare_content, compare_geometry
from pptarena.benchmarks.pptc.pptx_match.content import ObjectContent, SlideContent, read_content
from pptarena.benchmarks.pptc.pptx_match.match import (
    TOLERANCE_EMU,
    MatchResult,
    accuracy,
    match_session,
    match_turn,
)
from pptarena.benchmarks.pptc.pptx_match.reader_text import reader_text
from pptarena.benchmarks.pptc.pptx_match.relations import (
    PositionRelation,
    RelationOutcome,
    check_relation,
    directions,
)

__all__ = [
    "TOLERANCE_EMU",
    "MatchResult",
    "Mismatch",
    "ObjectContent",
    "PositionRelation",
    "RelationOutcome",
    "SlideContent",
    "accuracy",
    "check_relation",
    "compare_content",
    "compare_geometry",
    "directions",
    "match_session",
    "match_turn",
    "read_content",
    "reader_text",
]
