"""`Tool`: a function on a document whose schema comes from its signature and docstring."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import or_
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import AfterValidator, Field

from pptarena.edits import Edit
from pptarena.edits.signature import Signature, address_in
from pptarena.edits.values import Address, Name, writable
from pptarena.envs.document.document import Document
from pptarena.errors import ActionError

__all__ = ["Code", "Message", "Name", "SlideId", "Tool", "edit_tool"]

Code = Annotated[str, Field(max_length=200_000), AfterValidator(writable)]
"""A program; it may contain text and images, so its limit is that of an XML part."""

SlideId = Annotated[int, Field(ge=1, le=2**32 - 1)]
"""The id of a slide or shape."""

Message = str | Callable[[Any, Mapping[str, Any]], str]
"""The answer of a tool: a text in which ``{}`` stands for the result of the edit, or a function of
the result and the arguments."""


@dataclass(frozen=True)
class Tool:
    """A tool.

    Attributes:
        function: Takes a document and the arguments; the tool has its name. It returns the answer,
            or raises `ActionError` before it changes anything.
        family: The family of tools that it belongs to.
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
    def signature(self) -> Signature:
        """The arguments."""
        return Signature(self.function)

    def to_json(self) -> dict[str, Any]:
        """Return name, description and JSON schema of the arguments, as model APIs expect."""
        return self.signature.to_json()

    def bind(self, arguments: str) -> dict[str, Any]:
        """Parse and validate the arguments.

        Args:
            arguments: The arguments as JSON.

        Raises:
            ActionError: If an argument is invalid; the message names the first.
        """
        try:
            return self.signature.bind(arguments)
        except ValueError as error:
            raise ActionError(str(error)) from error

    def run(self, document: Document, arguments: dict[str, Any]) -> str:
        """Run the tool; see `function`."""
        return self.function(document, **arguments)


def edit_tool(edit: Edit, message: Message) -> Callable[..., str]:
    """Return the tool function of an edit that takes ids for addresses.

    Args:
        edit: The edit.
        message: The answer.
    """
    signature = edit.signature
    parameters = signature.parameters
    addresses = {parameter.name for parameter in parameters if address_in(parameter.annotation)}

    def function(document: Document, **arguments: Any) -> str:
        addressed = {
            name: _id_address(value) for name, value in arguments.items() if name in addresses
        }
        result = edit.apply(document, {**arguments, **addressed})
        return message.format(result) if isinstance(message, str) else message(result, arguments)

    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    tool_parameters = [
        parameter.replace(annotation=_replace_addresses(parameter.annotation))
        for parameter in parameters
    ]
    first = inspect.Parameter("document", kind, annotation=Document)
    notes = {parameter.name: signature.notes[parameter.name] for parameter in parameters}
    notes |= {name: f"{notes[name]}, by id" for name in addresses}
    lines = [f"    {name}: {note}." for name, note in notes.items()]
    function.__name__ = function.__qualname__ = edit.name
    function.__doc__ = "\n".join([signature.description, "", "Args:", *lines])
    function.__annotations__ = {
        parameter.name: parameter.annotation for parameter in (first, *tool_parameters)
    }
    function.__annotations__["return"] = str
    vars(function)["__signature__"] = inspect.Signature(
        [first, *tool_parameters], return_annotation=str
    )
    return function


def _id_address(value: Any) -> Any:
    """Return ids as addresses of edits."""
    if isinstance(value, list):
        return [_id_address(item) for item in value]
    return value if value is None else f"id:{value}"


def _replace_addresses(kind: Any) -> Any:
    """Return a type with ids in place of addresses."""
    if any(isinstance(argument, Address) for argument in getattr(kind, "__metadata__", ())):
        return SlideId
    if not get_args(kind) or get_origin(kind) is Literal:
        return kind
    inner = [_replace_addresses(argument) for argument in get_args(kind)]
    if get_origin(kind) is Annotated:
        return Annotated[inner[0], *kind.__metadata__]
    if get_origin(kind) in (Union, UnionType):
        return reduce(or_, inner)
    return get_origin(kind)[tuple(inner)]
