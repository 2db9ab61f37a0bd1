"""Routers: by the type of an edit, by the model, or fixed."""

from typing import Final, Literal

from pydantic import BaseModel, ConfigDict

from pptarena.agents.model.slide_sheet import slide_sheet
from pptarena.agents.pptpilot import prompts
from pptarena.agents.pptpilot.work import Asker, Edit, Route, Router, Work

__all__ = ["FixedRouter", "ModelRouter", "RuleRouter", "router_of"]

# Edit types that python-pptx does not support, or only in part.
_BY_XML: Final = frozenset(
    ("diagrams", "media", "layouts", "themes", "masters", "animations", "transitions")
)
# Words that identify such an edit if it has no type.
_WORDS: Final = (
    *("smartart", "diagram", "video", "audio", "theme", "master", "animat", "transition"),
    *("fade", "fly in", "layout", "background"),
)


class FixedRouter:
    """Sends every edit along the same route.

    Args:
        way: The route.
    """

    def __init__(self, way: Route) -> None:
        self._way = way

    def route(self, ask: Asker, work: Work, edit: Edit) -> Route:
        """Return the fixed route."""
        return self._way


class RuleRouter:
    """Sends edits that python-pptx does not support to XML, and all others to programs."""

    def route(self, ask: Asker, work: Work, edit: Edit) -> Route:
        """Return the route of the edit's type; without a type its words decide."""
        if edit.kind:
            return "xml" if edit.kind in _BY_XML else "program"
        words = edit.what.lower()
        return "xml" if any(each in words for each in _WORDS) else "program"


class _Way(BaseModel):
    model_config = ConfigDict(extra="ignore")

    route: Literal["program", "xml"]


class ModelRouter:
    """Asks the model about each edit, with the bias of the paper."""

    def route(self, ask: Asker, work: Work, edit: Edit) -> Route:
        """Return the route that the model chooses."""
        words = f"{prompts.edit_line(edit)}\n\n{prompts.deck(ask.outline(work.now))}"
        shown = [(f"slide id {slide}", pixels) for slide, pixels in work.pictures.items()]
        return ask.fill("route", prompts.ROUTE, words, _Way, slide_sheet(shown)).route


def router_of(name: str) -> Router:
    """Return a router by name, one of `pptarena.agents.pptpilot.settings.ROUTERS`."""
    if name == "model":
        return ModelRouter()
    if name == "program" or name == "xml":
        return FixedRouter("program" if name == "program" else "xml")
    return RuleRouter()
