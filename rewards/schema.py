"""The JSON Schema of rubrics, with every check and its arguments."""

import json
import types
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from pptarena.rewards.checks import check_names, get_check

__all__ = ["rubric_schema"]

_FILE = Path(__file__).with_name("rubric.schema.json")
_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}


def rubric_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of rubrics: names of checks, types of arguments.

    A rubric that fits may still be refused by `load_rubric`: a schema cannot say what holds between
    arguments, that siblings have different names, or that a whole number is written without a
    fraction. One that does not fit is always refused.
    """
    schema: dict[str, Any] = json.loads(_FILE.read_text("utf-8"))
    leaf = schema["$defs"]["leaf"]
    leaf["properties"]["check"] = {"enum": list(check_names())}
    leaf["allOf"] = []
    for name in check_names():
        arguments = _arguments(get_check(name, "check").args_type)
        needed = ["args"] if arguments.get("required") else []
        schema["$defs"][f"args_of_{name}"] = arguments
        leaf["allOf"].append(
            {
                "if": {"properties": {"check": {"const": name}}, "required": ["check"]},
                "then": {
                    "properties": {"args": {"$ref": f"#/$defs/args_of_{name}"}},
                    "required": needed,
                },
            }
        )
    return schema


def _arguments(kind: type) -> dict[str, Any]:
    hints = get_type_hints(kind)
    known = fields(cast(Any, kind))
    required = [
        each.name for each in known if each.default is MISSING and each.default_factory is MISSING
    ]
    return {
        "type": "object",
        "additionalProperties": False,
        "required": required,
        "properties": {each.name: _type(hints[each.name]) for each in known},
    }


def _type(kind: Any) -> dict[str, Any]:
    """Return the schema of a type that `parse_dataclass` knows."""
    origin = get_origin(kind)
    if origin in (types.UnionType, Union):
        return {"anyOf": [_type(option) for option in get_args(kind)]}
    if origin is Literal:
        return {"enum": list(get_args(kind))}
    if origin is tuple:
        return {"type": "array", "items": _type(get_args(kind)[0])}
    if is_dataclass(kind):
        return _arguments(cast(type, kind))
    return {"type": _TYPES[kind]}
