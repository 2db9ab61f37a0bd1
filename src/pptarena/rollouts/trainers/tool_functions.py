"""Tools of the document environment as typed functions, for frameworks that inspect signatures."""

import inspect
from collections.abc import Callable
from typing import Any, TypeVar, get_type_hints

from pptarena.envs.document.tool import Tool

__all__ = ["with_signature"]

_Function = TypeVar("_Function", bound=Callable[..., Any])


def with_signature(function: _Function, tool: Tool, owner: str = "") -> _Function:
    """Return a function with the name, types and docstring of a tool.

    Args:
        function: Takes the arguments of the tool by name; after ``self``, if it has an owner.
        tool: The tool.
        owner: Name of the class if the function is a method; otherwise empty.
    """
    # Limits and patterns of the arguments are omitted, because the tool checks them.
    hints = {
        key: _describable(kind)
        for key, kind in get_type_hints(tool.function).items()
        if key not in ("document", "return")
    }
    parameters = list(inspect.signature(tool.function).parameters.values())[1:]
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    typed = [each.replace(annotation=hints[each.name], kind=kind) for each in parameters]
    self_parameter = [inspect.Parameter("self", kind)] if owner else []
    facts = tool.to_json()
    notes = facts["parameters"].get("properties", {})
    lines = [f"    {each.name}: {notes[each.name]['description']}." for each in parameters]
    function.__name__ = tool.name
    function.__qualname__ = f"{owner}.{tool.name}" if owner else tool.name
    function.__annotations__ = {**hints, "return": str}
    function.__doc__ = "\n".join([facts["description"], *(["", "Args:", *lines] if lines else [])])
    vars(function)["__signature__"] = inspect.Signature(
        [*self_parameter, *typed], return_annotation=str
    )
    return function


def _describable(kind: Any) -> Any:
    """Return a type that frameworks can describe: rows of a chart are dicts."""
    return list[dict[str, Any]] if str(kind).endswith(".Series]") else kind
