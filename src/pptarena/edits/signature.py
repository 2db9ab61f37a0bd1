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
        parameters = list(inspect.signature(self.function).parameters.values())[1:]
        return tuple(
            parameter.replace(annotation=hints[parameter.name]) for parameter in parameters
        )

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
        for parameter in self.parameters:
            description = self.notes.get(parameter.name, "")
            address = address_in(parameter.annotation)
            if address is not None:
                description = f"{description}: {address.help}"
            required = parameter.default is inspect.Parameter.empty
            annotation: Any = parameter.annotation
            annotated = Annotated[annotation, Field(description=description)]
            fields[parameter.name] = (annotated, ... if required else parameter.default)
        config = ConfigDict(extra="forbid", strict=True)
        return create_model(self.name, __config__=config, **fields)

    @cached_property
    def _schema(self) -> dict[str, Any]:
        schema = self.model.model_json_schema()
        schema.pop("title", None)
        for property_ in schema.get("properties", {}).values():
            property_.pop("title", None)
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
            bound = self.model.model_validate_json(arguments)
        except ValidationError as error:
            raise ValueError(f"{self.name}{self._problem(error)}") from error
        return {name: getattr(bound, name) for name in type(bound).model_fields}

    def _problem(self, error: ValidationError) -> str:
        """Return the problem; an unknown argument is reported before a missing one."""
        errors = error.errors(include_url=False, include_context=False)
        for detail in errors:
            if detail["type"] == "extra_forbidden" and len(detail["loc"]) == 1:
                return f": {not_found('argument', detail['loc'][0], self.model.model_fields)}"
        location = ".".join(map(str, errors[0]["loc"]))
        if errors[0]["type"] == "missing":
            return f".{location}: the argument is missing"
        return f".{location}: {errors[0]['msg']}, got {repr(errors[0]['input'])[:80]}"


def address_in(annotation: Any) -> Address | None:
    """Return the `Address` annotation of a type or of its type arguments."""
    for each in (*getattr(annotation, "__metadata__", ()), *get_args(annotation)):
        address = each if isinstance(each, Address) else address_in(each)
        if address is not None:
            return address
    return None
