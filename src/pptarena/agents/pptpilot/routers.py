"""Routers: by the type of an edit, by the model, or fixed."""

from typing import Final, Literal

from pydantic import BaseModel, ConfigDict

from pptarena.agents.model.slide_sheet import slide_sheet
from pptarena.agents.pptpilot import prompts
from pptarena.agents.pptpilot.work import Asker, Edit, Route, Router, Work

__all__ = ["FixedRouter", "ModelRouter", "RuleRouter", "make_router"]

# Edit types that python-pptx does not support, or only in part.
_XML_KINDS: Final = frozenset(
    ("diagrams", "media", "layouts", "themes", "masters", "animations", "transitions")
)
# Words that identify these edits if the type is missing.
_XML_WORDS: Final = (
    *("smartart", "diagram", "video", "audio", "theme", "master", "animat", "transition"),
    *("fade", "fly in", "layout", "background"),
)


class FixedRouter:
    """Sends every edit to the same route.

    Args:
        route: The route.
    """

    def __init__(self, route: Route) -> None:
        self._route = route

    def route(self, ask: Asker, work: Work, edit: Edit) -> Route:
        """Return the fixed route."""
        return self._route


class RuleRouter:
    """Sends edits that python-pptx does not support to XML, and all others to programs."""

    def route(self, ask: Asker, work: Work, edit: Edit) -> Route:
        """Return the route of the edit's type, or of its description if it has no type."""
        if edit.kind:
            return "xml" if edit.kind in _XML_KINDS else "program"
        description = edit.what.lower()
        return "xml" if any(word in description for word in _XML_WORDS) else "program"


class _RouteReply(BaseModel):
    model_config = ConfigDict(extra="ignore")

    route: Literal["program", "xml"]


class ModelRouter:
    """Asks the model about each edit, with the bias of the paper."""

    def route(self, ask: Asker, work: Work, edit: Edit) -> Route:
        """Return the route that the model chooses."""
        text = f"{prompts.edit_line(edit)}\n\n{prompts.deck(ask.outline(work.now))}"
        slides = [(f"slide id {slide}", pixels) for slide, pixels in work.pictures.items()]
        return ask.fill("route", prompts.ROUTE, text, _RouteReply, slide_sheet(slides)).route


def make_router(name: str) -> Router:
    """Return a router by name, one of `pptarena.agents.pptpilot.settings.ROUTERS`."""
    if name == "model":
        return ModelRouter()
    if name == "program" or name == "xml":
        return FixedRouter("program" if name == "program" else "xml")
    return RuleRouter()
