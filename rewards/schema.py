"""JSON Schema of rubrics, with every check and its arguments.

``python -m pptarena.rewards.schema`` prints it, for editors and for programs that generate rubrics.
"""

import json
import sys
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from pptarena.rewards.checking.registry import adapter
from pptarena.rewards.checks import ALIASES, check_names, get_check
from pptarena.rewards.context import DECK_CHECKS, FILE_CHECK
from pptarena.rewards.loops import Loop
from pptarena.rewards.scored_tree import STRATEGIES

__all__ = ["rubric_schema", "rubric_structure_schema"]

_DRAFT = "https://json-schema.org/draft/2020-12/schema"
_NAME = {"description": "Requirement that the node checks.", "type": "string", "pattern": "\\S"}
_CRITICAL = {"description": "Whether the parent fails if this node fails.", "type": "boolean"}
_WEIGHT = {
    "description": "Weight among the siblings in a mean; 1 by default.",
    "type": "number",
    "exclusiveMinimum": 0,
    "maximum": 1000,
}
_FILE = {
    "description": "Name of the collected file to check; the deck by default.",
    "type": "string",
    "minLength": 1,
}
_COMMENT = {"description": "Comment for readers of the file; ignored.", "type": "string"}


def rubric_structure_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of the structure of rubrics, with any checks."""
    leaf = _object(["name", "check"], check={"type": "string"}, args={"type": "object"}, file=_FILE)
    strategy = {"enum": list(STRATEGIES)}
    root = {
        "version": {"const": 1},
        "strategy": strategy,
        "comment": _COMMENT,
        "root": {"$ref": "#/$defs/node"},
    }
    return {
        "$schema": _DRAFT,
        "$id": "urn:pptarena:rubric:1",
        "title": "Rubric of pptarena, version 1",
        "type": "object",
        "required": ["version", "root"],
        "additionalProperties": False,
        "properties": root,
        "$defs": {
            "node": _node(),
            "parent": _parent("children"),
            "leaf": leaf,
            "loop": _object(
                ["name", "for_each", "each"],
                for_each=TypeAdapter(Loop).json_schema(schema_generator=_SchemaWithoutTitles),
                # The node still contains braces; `load_rubric` validates the filled-in nodes.
                each={"type": "object", "required": ["name"]},
            ),
            "any": _parent("any"),
        },
    }


def rubric_schema() -> dict[str, Any]:
    """Return the JSON Schema of rubrics, including the names and arguments of checks.

    `load_rubric` may still reject a rubric that fits. A schema cannot express constraints between
    arguments, distinct names of siblings, or that an integer is written without a fraction. A
    rubric that does not fit is always rejected.
    """
    schema = rubric_structure_schema()
    leaf = schema["$defs"]["leaf"]
    names = (*check_names(), *ALIASES)
    leaf["properties"]["check"] = {"enum": list(names)}
    leaf["allOf"] = []
    for name in names:
        arguments = _arguments(name)
        schema["$defs"] |= arguments.pop("$defs", {})
        schema["$defs"][f"args_of_{name}"] = arguments
        properties: dict[str, Any] = {"args": {"$ref": f"#/$defs/args_of_{name}"}}
        required = ["args"] if arguments.get("required") else []
        check = get_check(name, "check").name
        if check == FILE_CHECK:
            required.append("file")
        elif check in DECK_CHECKS:
            properties["file"] = False
        leaf["allOf"].append(
            {
                "if": {"properties": {"check": {"const": name}}, "required": ["check"]},
                "then": {"properties": properties, "required": required},
            }
        )
    return schema


def _arguments(name: str) -> dict[str, Any]:
    """Return the schema of a check's arguments, for a former name with the former arguments."""
    alias = ALIASES.get(name)
    spec = get_check(name if alias is None else alias.check, "check")
    schema = adapter(spec).json_schema(schema_generator=_SchemaWithoutTitles)
    schema.pop("title", None)
    if alias is not None:
        former_names = {new: old for old, new in alias.renamed}
        optional = {new for new, _ in alias.implied}
        properties, required = schema["properties"], schema.get("required", [])
        schema["properties"] = {
            former_names.get(key, key): form for key, form in properties.items()
        }
        schema["required"] = [former_names.get(key, key) for key in required if key not in optional]
    return schema


class _SchemaWithoutTitles(GenerateJsonSchema):
    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def _object(required: list[str], **properties: Any) -> dict[str, Any]:
    shared = {
        "name": _NAME,
        "critical": _CRITICAL,
        "weight": _WEIGHT,
        "description": {"type": "string"},
        "comment": _COMMENT,
    }
    properties = shared | properties
    return {"required": required, "additionalProperties": False, "properties": properties}


def _node() -> dict[str, Any]:
    schema: dict[str, Any] = {"$ref": "#/$defs/leaf"}
    for key, form in (("for_each", "loop"), ("any", "any"), ("children", "parent")):
        then = {"$ref": f"#/$defs/{form}"}
        schema = {"if": {"required": [key]}, "then": then, "else": schema}
    return {"type": "object", **schema}


def _parent(key: str) -> dict[str, Any]:
    children = {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/node"}}
    return _object(["name", key], **{key: children})


if __name__ == "__main__":
    json.dump(rubric_schema(), sys.stdout, indent=1)
