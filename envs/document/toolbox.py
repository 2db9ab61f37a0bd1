"""All tools by family, and the tools that end an episode."""

import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final, Protocol, cast

from pptarena.decks import read_deck
from pptarena.decks.outline import slide_facts
from pptarena.edits.values import Text
from pptarena.envs.document import markup_edits, program_edits
from pptarena.envs.document.document import Document
from pptarena.envs.document.edit_tools import EDIT_TOOLS
from pptarena.envs.document.tool import Name, SlideId, Tool
from pptarena.envs.graded_episode import ASK, ENDS
from pptarena.errors import ConfigError
from pptarena.plugins import TOOL_FAMILIES, import_object

__all__ = ["ASK", "ENDS", "FAMILIES", "ToolFamily", "load_family", "toolbox"]

FAMILIES: Final = ("edit", "program", "xml")
"""Typed edits, python-pptx programs, the XML of parts."""


def done(document: Document) -> str:
    """End the episode: the task is carried out."""
    return "done"


def fail(document: Document) -> str:
    """End the episode: the task cannot be carried out."""
    return "failed"


def ask(document: Document, question: Text) -> str:
    """Ask the user a question about the task; the result is the answer.

    Args:
        question: The question.
    """
    return ""  # the environment adds the answer


def read_slide(document: Document, slide: SlideId) -> str:
    """Read a slide: its outline, then its shapes, text, formatting, notes and animations as JSON.

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
        under: Prefix of the names; all by default.
    """
    masters = document.presentation.slide_masters
    names = [str(layout.name) for master in masters for layout in master.slide_layouts]
    return "\n".join(name for name in names if name.startswith(under or "")) or "there are none"


_READING_FUNCTIONS: Final[Mapping[str, tuple[Callable[..., str], ...]]] = {
    "": (done, fail, read_slide, list_layouts),
    ASK: (ask,),
    "xml": (markup_edits.list_parts, markup_edits.read_part),
}
_CHANGING_FUNCTIONS: Final[Mapping[str, tuple[Callable[..., str], ...]]] = {
    "edit": tuple(EDIT_TOOLS.values()),
    "program": (program_edits.run_program,),
    "xml": (markup_edits.replace_part, markup_edits.replace_in_part),
}
_TOOLS: Final = tuple(
    Tool(function, family, changes)
    for changes, functions in ((False, _READING_FUNCTIONS), (True, _CHANGING_FUNCTIONS))
    for family, members in functions.items()
    for function in members
)


class ToolFamily(Protocol):
    """A family of tools from another package, referenced as ``"package.module:NAME"``.

    Its functions have the form of `Tool.function`, and change a document only through the methods
    of `Document`.
    """

    @property
    def reading(self) -> tuple[Callable[..., str], ...]:
        """The tools that do not change the document."""
        ...

    @property
    def changing(self) -> tuple[Callable[..., str], ...]:
        """The tools that change the document, or state that they keep in its ``state``."""
        ...

    def view(self, document: Document) -> str:
        """Return the text of a document in this family's view."""
        ...


def load_family(name: str) -> ToolFamily:
    """Return a family of `TOOL_FAMILIES`, or an imported one, ``"package.module:NAME"``.

    Raises:
        ConfigError: If there is no such family, or the imported object is no `ToolFamily`.
    """
    reference = TOOL_FAMILIES.get(name, name)
    if ":" not in reference:
        names = ", ".join((*FAMILIES, *TOOL_FAMILIES))
        raise ConfigError(f"tools: expected some of {names} or 'package.module:NAME', got {name!r}")
    try:
        family = import_object(reference)
    except (ImportError, AttributeError) as error:
        raise ConfigError(f"tools: cannot import {name!r}: {error}") from error
    if missing_attributes := [
        attribute for attribute in ("reading", "changing", "view") if not hasattr(family, attribute)
    ]:
        raise ConfigError(
            f"tools: {name!r} is no ToolFamily: it lacks {' and '.join(missing_attributes)}"
        )
    return cast(ToolFamily, family)


@cache
def _external_tools(name: str) -> tuple[Tool, ...]:
    family = load_family(name)
    reading = tuple(Tool(function, name, changes=False) for function in family.reading)
    return (*reading, *(Tool(function, name) for function in family.changing))


def toolbox(families: Iterable[str]) -> Mapping[str, Tool]:
    """Return the tools of some families by name, plus those that read slides and end episodes.

    Args:
        families: Names in `FAMILIES` and `TOOL_FAMILIES`, or references; see `load_family`.

    Raises:
        ConfigError: If a family is unknown, or two tools share a name.
    """
    if isinstance(families, str) or not isinstance(families, Iterable):
        raise ConfigError(f"tools: expected a sequence such as {FAMILIES}, got {families!r}")
    names = tuple(dict.fromkeys(families))
    if invalid := [name for name in names if not isinstance(name, str)]:
        raise ConfigError(f"tools: expected names of families, got {invalid[0]!r}")
    selected = [tool for tool in _TOOLS if tool.family in ("", *names)]
    for name in names:
        selected += () if name in (*FAMILIES, ASK) else _external_tools(name)
    tools: dict[str, Tool] = {}
    for tool in selected:
        if (existing := tools.setdefault(tool.name, tool)) is not tool:
            raise ConfigError(
                f"tools: {existing.family!r} and {tool.family!r} both have a tool {tool.name}"
            )
    return MappingProxyType(tools)
