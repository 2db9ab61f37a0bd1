"""`Tool`: a function on a document whose signature and docstring are its schema."""

import copy
import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, get_type_hints

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, create_model

from pptarena.envs.document.document import Document
from pptarena.errors import ActionError
from pptarena.rewards.checking.definition import describe
from pptarena.suggestions import not_found

__all__ = ["Cm", "Code", "Color", "Name", "Position", "SlideId", "Tool", "Words"]

# What no XML file can hold.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def _writable(text: str) -> str:
    if _FORBIDDEN.search(text):
        raise ValueError("expected a text without control characters")
    return text.replace("\r\n", "\n").replace("\r", "\n")


Words = Annotated[str, Field(max_length=20_000), AfterValidator(_writable)]
"""A text."""

Code = Annotated[str, Field(max_length=200_000), AfterValidator(_writable)]
"""A program, as long as an XML part may be: it may bring words and pictures along."""

Name = Annotated[str, Field(min_length=1, max_length=255), AfterValidator(_writable)]
"""A short text on one line."""

Color = Annotated[str, Field(pattern=r"^#[0-9A-Fa-f]{6}$")]
"""``#RRGGBB``."""

Cm = Annotated[float, Field(ge=-500, le=500, allow_inf_nan=False)]
"""A length or a place in centimetres."""

Position = Annotated[int, Field(ge=1, le=10_000)]
"""A place in a row of things, from 1."""

SlideId = Annotated[int, Field(ge=1, le=2**32 - 1)]
"""The id of a slide or shape."""


@dataclass(frozen=True)
class Tool:
    """A tool.

    Attributes:
        function: Works on a document; its other parameters are the arguments, its name that of the
            tool. It returns what there is to say, and raises `ActionError` before it has changed
            anything.
        family: Of which kind of tools it is.
        changes: Whether it may change the document.
    """

    function: Callable[..., str]
    family: str
    changes: bool = True

    @property
    def name(self) -> str:
        """The name of the tool."""
        return self.function.__name__

    @cached_property
    def _model(self) -> type[BaseModel]:
        hints = get_type_hints(self.function, include_extras=True)
        notes = describe(self.function)[1]
        fields: dict[str, Any] = {}
        for each in list(inspect.signature(self.function).parameters.values())[1:]:
            kind: Any = hints[each.name]
            note = Field(description=notes.get(each.name, ""))
            required = each.default is inspect.Parameter.empty
            fields[each.name] = (Annotated[kind, note], ... if required else each.default)
        config = ConfigDict(extra="forbid", strict=True)
        return create_model(self.name, __config__=config, **fields)

    @cached_property
    def _schema(self) -> dict[str, Any]:
        schema = self._model.model_json_schema()
        schema.pop("title", None)
        for each in schema.get("properties", {}).values():
            each.pop("title", None)
        return schema

    def to_json(self) -> dict[str, Any]:
        """Return name, description and JSON schema of the arguments, as models want them."""
        description = describe(self.function)[0]
        parameters = copy.deepcopy(self._schema)
        return {"name": self.name, "description": description, "parameters": parameters}

    def bind(self, arguments: str) -> dict[str, Any]:
        """Return the arguments from JSON.

        Raises:
            ActionError: If they do not fit; the message names the first that does not.
        """
        try:
            found = self._model.model_validate_json(arguments)
        except ValidationError as error:
            raise ActionError(f"{self.name}{self._problem(error)}") from error
        return {name: getattr(found, name) for name in type(found).model_fields}

    def _problem(self, error: ValidationError) -> str:
        """Return what is wrong with arguments; a wrong name before the one it stands in for."""
        found = error.errors(include_url=False, include_context=False)
        for each in found:
            if each["type"] == "extra_forbidden" and len(each["loc"]) == 1:
                return f": {not_found('argument', each['loc'][0], self._model.model_fields)}"
        place = ".".join(map(str, found[0]["loc"]))
        if found[0]["type"] == "missing":
            return f".{place}: the argument is missing"
        return f".{place}: {found[0]['msg']}, got {repr(found[0]['input'])[:80]}"

    def run(self, document: Document, arguments: dict[str, Any]) -> str:
        """Carry it out; see `function`."""
        return self.function(document, **arguments)
