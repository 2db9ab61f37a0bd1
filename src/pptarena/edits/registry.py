"""All edits by name."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType, ModuleType
from typing import Any

from pptarena.edits import (
    arrangement,
    charts,
    comments,
    design,
    diagrams,
    links,
    motion,
    pictures,
    shapes,
    slides,
    tables,
    text,
)
from pptarena.edits.open_deck import OpenDeck
from pptarena.edits.signature import Signature
from pptarena.errors import EditError
from pptarena.suggestions import not_found

__all__ = ["EDITS", "FAMILIES", "Edit", "get_edit"]


@dataclass(frozen=True)
class Edit:
    """An edit of a deck.

    Attributes:
        function: Takes an `OpenDeck` and the arguments. It raises `EditError` before it changes
            anything, and returns the id of the slide or shape that it adds, the number of changes,
            or None.
        family: Name of the module that defines it.
    """

    function: Any
    family: str

    @property
    def name(self) -> str:
        """The name of the edit."""
        return str(self.function.__name__)

    @cached_property
    def signature(self) -> Signature:
        """The arguments."""
        return Signature(self.function)

    def bind(self, arguments: str) -> dict[str, Any]:
        """Return the arguments from JSON.

        Raises:
            EditError: If they do not fit.
        """
        try:
            return self.signature.bind(arguments)
        except ValueError as error:
            raise EditError(str(error)) from error

    def apply(self, deck: OpenDeck, arguments: Mapping[str, Any]) -> Any:
        """Edit a deck; see `function`."""
        return self.function(deck, **arguments)


FAMILIES: Mapping[str, ModuleType] = MappingProxyType(
    {
        family_module.__name__.rpartition(".")[2]: family_module
        for family_module in (
            text,
            slides,
            shapes,
            arrangement,
            tables,
            charts,
            pictures,
            diagrams,
            links,
            motion,
            comments,
            design,
        )
    }
)
"""The modules of edits by name; each lists its edits in ``__all__``."""

EDITS: Mapping[str, Edit] = MappingProxyType(
    {
        name: Edit(getattr(module, name), family)
        for family, module in FAMILIES.items()
        for name in module.__all__
    }
)
"""All edits by name."""


def get_edit(name: str, vocabulary: Mapping[str, Edit] = EDITS) -> Edit:
    """Return an edit of a vocabulary by its name.

    Raises:
        EditError: If there is none.
    """
    if name not in vocabulary:
        raise EditError(not_found("edit", name, vocabulary, "docs/reference/edits.md lists all."))
    return vocabulary[name]
