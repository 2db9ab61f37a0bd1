"""Deck facts: one immutable, typed view of a .pptx file, with effective values."""

from pptarena.decks.facts.chart import Axis, Chart, ChartTitle, Series
from pptarena.decks.facts.content import Cell, Embedded, Picture, SmartArt, Table
from pptarena.decks.facts.deck import Comment, Deck, Properties, Section, Slide
from pptarena.decks.facts.master import Layout, Master
from pptarena.decks.facts.motion import Animation, Transition
from pptarena.decks.facts.paint import Effect, GradientStop, Line, Paint
from pptarena.decks.facts.shape import Box, Shape
from pptarena.decks.facts.text import Bullet, Link, Paragraph, Run, RunStyle, TextFrame
from pptarena.decks.read.reader import read_deck

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
    "GradientStop",
    "Layout",
    "Line",
    "Link",
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
