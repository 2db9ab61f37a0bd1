"""Routers: by the kind of an edit, by the model, or always the same way."""

from typing import Final, Literal

from pydantic import BaseModel, ConfigDict

from pptarena.agents.pptpilot import prompts
from pptarena.agents.pptpilot.work import Asker, Edit, Route, Router, Work

__all__ = ["FixedRouter", "ModelRouter", "RuleRouter", "router_of"]

# What python-pptx has no words for, or only for a part of it.
_BY_XML: Final = frozenset(
    ("diagrams", "media", "layouts", "themes", "masters", "animations", "transitions")
)
# Words that name such an edit where nobody said of what kind it is.
_WORDS: Final = (
    *("smartart", "diagram", "video", "audio", "theme", "master", "animat", "transition"),
    *("fade", "fly in", "layout", "background"),
)


class FixedRouter:
    """Sends every edit the same way.

    Args:
        way: Which.
    """

    def __init__(self, way: Route) -> None:
        self._way = way

    def route(self, ask: Asker, work: Work, edit: Edit) -> Route:
        """Return the way."""
        return self._way


class RuleRouter:
    """Sends what python-pptx has no words for to XML, and all else to programs."""

    def route(self, ask: Asker, work: Work, edit: Edit) -> Route:
        """Return the way of the edit's kind; without one, its words tell."""
        if edit.kind:
            return "xml" if edit.kind in _BY_XML else "program"
        words = edit.what.lower()
        return "xml" if any(each in words for each in _WORDS) else "program"


class _Way(BaseModel):
    model_config = ConfigDict(extra="ignore")

    route: Literal["program", "xml"]


class ModelRouter:
    """Asks the model about each edit."""

    def route(self, ask: Asker, work: Work, edit: Edit) -> Route:
        """Return the way that the model chooses."""
        words = f"{prompts.edit_line(edit)}\n\n{prompts.deck(ask.outline(work.now))}"
        return ask.fill("route", prompts.ROUTE, words, _Way).route


def router_of(name: str) -> Router:
    """Return a router by its name, one of `pptarena.agents.pptpilot.settings.ROUTERS`."""
    if name == "model":
        return ModelRouter()
    if name == "program" or name == "xml":
        return FixedRouter("program" if name == "program" else "xml")
    return RuleRouter()
