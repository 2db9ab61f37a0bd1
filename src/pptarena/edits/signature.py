"""`Signature`: the arguments of a function as a JSON schema, from its types and docstring."""

import copy
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, get_args, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from pptarena.docstrings import describe
from pptarena.edits.values import Address
from pptarena.suggestions import not_found

__all__ = ["Signature", "address_in"]


@dataclass(frozen=True)
class Signature:
    """The arguments of a function, without its first parameter.

    Attributes:
        function: Typed, with a Google style docstring.
    """

    function: Callable[..., Any]

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.function.__name__

    @cached_property
    def parameters(self) -> tuple[inspect.Parameter, ...]:
        """The parameters, without the first; their annotations are types, not strings."""
        hints = get_type_hints(self.function, include_extras=True)
        found = list(inspect.signature(self.function).parameters.values())[1:]
        return tuple(each.replace(annotation=hints[each.name]) for each in found)

    @cached_property
    def notes(self) -> dict[str, str]:
        """The description of each argument."""
        return describe(self.function)[1]

    @property
    def description(self) -> str:
        """The description of the function on one line."""
        return describe(self.function)[0]

    @cached_property
    def model(self) -> type[BaseModel]:
        """A model of the arguments."""
        fields: dict[str, Any] = {}
        for each in self.parameters:
            note = self.notes.get(each.name, "")
            address = address_in(each.annotation)
            if address is not None:
                note = f"{note}: {address.help}"
            required = each.default is inspect.Parameter.empty
            kind: Any = each.annotation
            noted = Annotated[kind, Field(description=note)]
            fields[each.name] = (noted, ... if required else each.default)
        config = ConfigDict(extra="forbid", strict=True)
        return create_model(self.name, __config__=config, **fields)

    @cached_property
    def _schema(self) -> dict[str, Any]:
        schema = self.model.model_json_schema()
        schema.pop("title", None)
        for each in schema.get("properties", {}).values():
            each.pop("title", None)
        return schema

    def to_json(self) -> dict[str, Any]:
        """Return the name, the description and the JSON schema of the arguments."""
        parameters = copy.deepcopy(self._schema)
        return {"name": self.name, "description": self.description, "parameters": parameters}

    def bind(self, arguments: str) -> dict[str, Any]:
        """Return the arguments from JSON, with defaults.

        Raises:
            ValueError: If they do not fit; the message begins with the name of the function and
                names the first argument that does not fit.
        """
        try:
            found = self.model.model_validate_json(arguments)
        except ValidationError as error:
            raise ValueError(f"{self.name}{self._problem(error)}") from error
        return {name: getattr(found, name) for name in type(found).model_fields}

    def _problem(self, error: ValidationError) -> str:
        """Return what is wrong; an unknown argument comes before the one that it stands in for."""
        found = error.errors(include_url=False, include_context=False)
        for each in found:
            if each["type"] == "extra_forbidden" and len(each["loc"]) == 1:
                return f": {not_found('argument', each['loc'][0], self.model.model_fields)}"
        place = ".".join(map(str, found[0]["loc"]))
        if found[0]["type"] == "missing":
            return f".{place}: the argument is missing"
        return f".{place}: {found[0]['msg']}, got {repr(found[0]['input'])[:80]}"


def address_in(kind: Any) -> Address | None:
    """Return the mark of a type whose values, or members of values, are addresses."""
    for each in (*getattr(kind, "__metadata__", ()), *get_args(kind)):
        found = each if isinstance(each, Address) else address_in(each)
        if found is not None:
            return found
    return None
