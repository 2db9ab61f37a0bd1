"""Deck facts: one immutable, typed view of a .pptx file, with effective values."""

from pptarena.rewards.deck.content_model import Cell, Chart, Line, Paint, Picture, Series, Table
from pptarena.rewards.deck.model import Animation, Box, Deck, Master, Shape, Slide, Transition
from pptarena.rewards.deck.reader import read_deck
from pptarena.rewards.deck.text_model import Bullet, Paragraph, Run, RunStyle

__all__ = [
    "Animation",
    "Box",
    "Bullet",
    "Cell",
    "Chart",
    "Deck",
    "Line",
    "Master",
    "Paint",
    "Paragraph",
    "Picture",
    "Run",
    "RunStyle",
    "Series",
    "Shape",
    "Slide",
    "Table",
    "Transition",
    "read_deck",
]
