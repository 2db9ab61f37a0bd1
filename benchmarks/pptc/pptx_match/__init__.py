"""PPTX-Match: the evaluation of the PPTC benchmark, with its known faults mended.

`match_turn` and `match_session` compare a prediction with a label: their content must be the
same, attribute by attribute, and the position relations must hold. `strict` compares places,
sizes and picture files with the label's too. With ``quirks=True`` these faults come back:

- only the first run of a text has a style; tables and drawn shapes, which are neither
  placeholders nor text boxes, have none (``AutoShape`` in PPTC's ``src/ppt_reader.py`` writes only
  text and fill); and categories of charts,
  bullets, levels, links, outlines and rotation of anything but pictures are not seen;
- a text looks as its first paragraph does, be that empty; a chart has no title but its own;
- groups, their members, lines, freeforms and media are not seen;
- a fill or background that is not one colour counts as none;
- the order in which objects were inserted counts;
- objects of position relations are found by their names in the file, first one only; a word for
  an object that is not known breaks the relation, a relation that is not known holds;
- halves of a slide are those of a 4:3 slide, whatever size it has;
- in a session, relations hold for the final deck even where a later turn moves the object on;
- a relation that the label breaks is asked for.

Not brought back: that inherited values read as nothing (values here are the effective ones),
that empty paragraphs behind the first count, and that reading changes the deck.
"""

from pptarena.benchmarks.pptc.pptx_match.compare import Mismatch, compare_content, compare_geometry
from pptarena.benchmarks.pptc.pptx_match.content import ObjectContent, SlideContent, content_of
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
    "content_of",
    "directions",
    "match_session",
    "match_turn",
    "reader_text",
]
