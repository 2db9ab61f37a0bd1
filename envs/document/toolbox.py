"""All tools by family, and what ends an episode."""

import json
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final

from pptarena.decks import read_deck
from pptarena.decks.outline import slide_facts
from pptarena.envs.document import (
    arrangement_edits,
    content_edits,
    design_edits,
    markup_edits,
    object_edits,
    program_edits,
    shape_edits,
    slide_edits,
    text_edits,
)
from pptarena.envs.document.document import Document
from pptarena.envs.document.tool import Name, SlideId, Tool
from pptarena.errors import ConfigError

__all__ = ["ENDS", "FAMILIES", "toolbox"]

FAMILIES: Final = ("edit", "program", "xml")
"""Typed edits, python-pptx programs, the XML of parts."""

ENDS: Final = ("done", "fail")
"""The tools that end an episode."""


def done(document: Document) -> str:
    """End the episode: the task is carried out."""
    return "done"


def fail(document: Document) -> str:
    """End the episode: the task cannot be carried out."""
    return "failed"


def read_slide(document: Document, slide: SlideId) -> str:
    """Read a slide: its outline, then as JSON its shapes, text and looks, notes, animations.

    Args:
        slide: Id of the slide.
    """
    index = document.index(slide)
    facts = slide_facts(read_deck(document.parts()).slides[index])
    outline = document.outline_of(slide)
    return "\n".join((outline.head, *outline.lines, json.dumps(facts, ensure_ascii=False)))


def list_layouts(document: Document, under: Name | None = None) -> str:
    """List the names of the layouts that new slides can have.

    Args:
        under: Beginning of their names; all by default.
    """
    masters = document.presentation.slide_masters
    names = [str(each.name) for master in masters for each in master.slide_layouts]
    return "\n".join(each for each in names if each.startswith(under or "")) or "there are none"


_READING: Final[Mapping[str, tuple[Callable[..., str], ...]]] = {
    "": (done, fail, read_slide, list_layouts),
    "xml": (markup_edits.list_parts, markup_edits.read_part),
}
_CHANGING: Final[Mapping[str, tuple[Callable[..., str], ...]]] = {
    "edit": tuple(
        getattr(module, name)
        for module in (
            text_edits,
            shape_edits,
            slide_edits,
            object_edits,
            arrangement_edits,
            content_edits,
            design_edits,
        )
        for name in module.__all__
        if name != "text_frame"
    ),
    "program": (program_edits.run_program,),
    "xml": (markup_edits.replace_part, markup_edits.replace_in_part),
}
_TOOLS: Final = tuple(
    Tool(function, family, changes)
    for changes, functions in ((False, _READING), (True, _CHANGING))
    for family, several in functions.items()
    for function in several
)


def toolbox(families: Iterable[str]) -> Mapping[str, Tool]:
    """Return the tools of some families by name; those that read slides and end are always there.

    Raises:
        ConfigError: If there is no such family.
    """
    if isinstance(families, str):
        raise ConfigError(f"families: expected several of {FAMILIES}, got {families!r}")
    chosen = tuple(families)
    for each in chosen:
        if each not in FAMILIES:
            raise ConfigError(f"families: expected some of {FAMILIES}, got {each!r}")
    return MappingProxyType({tool.name: tool for tool in _TOOLS if tool.family in ("", *chosen)})
