"""Deck facts: one immutable, typed view of a .pptx file, with effective values."""

from pptarena.rewards.deck.chart_model import Axis, Chart, ChartTitle, Series
from pptarena.rewards.deck.content_model import Cell, Embedded, Picture, SmartArt, Table
from pptarena.rewards.deck.master_model import Layout, Master
from pptarena.rewards.deck.model import Comment, Deck, Properties, Section, Slide
from pptarena.rewards.deck.motion_model import Animation, Transition
from pptarena.rewards.deck.paint_model import Effect, Line, Paint
from pptarena.rewards.deck.reader import read_deck
from pptarena.rewards.deck.shape_model import Box, Shape
from pptarena.rewards.deck.text_model import Bullet, Paragraph, Run, RunStyle, TextFrame

__all__ = [
    "Animation",
    "Axis",
    "Box",
    "Bullet",
    "Cell",
    "Chart",
    "ChartTitle",
    "Comment",
    "Deck",
    "Effect",
    "Embedded",
    "Layout",
    "Line",
    "Master",
    "Paint",
    "Paragraph",
    "Picture",
    "Properties",
    "Run",
    "RunStyle",
    "Section",
    "Series",
    "Shape",
    "Slide",
    "SmartArt",
    "Table",
    "TextFrame",
    "Transition",
    "read_deck",
]
