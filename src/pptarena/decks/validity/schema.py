"""Validate parts against the OOXML schemas.

The schemas are those of ECMA-376 (transitional) with Microsoft's extensions up to Microsoft 365, as
described by the Open XML SDK; the library openxml-audit ships that description and validates
elements. It does not check text in element-only content, attributes of elements without declared
attributes, and the few union types of number and keyword; this module does.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from lxml.etree import _Element

from pptarena.decks.package.names import MC, A, C, P, local_name

__all__ = ["MAX_PROBLEMS", "Problem", "Severity", "path_of", "schema_problems"]

Severity = Literal["refused", "repaired", "unusual"]
"""Expected reaction of PowerPoint to a problem.

``refused``: the deck does not open. ``repaired``: PowerPoint offers a repair, which may remove
content, or opens the deck without that content. ``unusual``: the standard forbids it, but widely
used programs write it, and PowerPoint is not known to complain. These expectations were not
verified with a release of PowerPoint.
"""


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """A reason for which PowerPoint would refuse or repair a deck.

    Attributes:
        part: Name of the part, without a leading slash.
        place: Path of the element, such as ``/sld[1]/cSld[1]``; empty for the part as a whole.
        reason: What is wrong, and what was expected.
        severity: Expected reaction of PowerPoint.
    """

    part: str
    place: str
    reason: str
    severity: Severity = "repaired"

    def __str__(self) -> str:
        return f"{self.part}{self.place}: {self.reason}"

    def to_json(self) -> dict[str, str]:
        """Return the problem as a JSON object."""
        return {
            "severity": self.severity,
            "part": self.part,
            "place": self.place,
            "reason": self.reason,
        }


MAX_PROBLEMS = 200
"""Maximum number of problems reported per part."""

_XML = "{http://www.w3.org/XML/1998/namespace}"
_CHECKED_NAMESPACES = tuple(each.strip("{}") for each in (A, C, P))

# python-pptx and older versions of PowerPoint write these 32-bit values as signed numbers, and
# every version reads them.
_SIGNED = re.compile(r"Value -\d{1,10} is less than minimum 0$")
_MAY_BE_SIGNED = ("axId[", "crossAx[")

# Union types of number and keyword (ECMA-376 part 1, 19.7.41 and 19.7.38, 20.1.10.*).
_TIME = re.compile(r"^(\d{1,10}|indefinite)$")
_UNIONS: dict[tuple[str, str], re.Pattern[str]] = {
    (f"{P}cTn", "dur"): _TIME,
    (f"{P}cTn", "repeatCount"): _TIME,
    (f"{P}cTn", "repeatDur"): _TIME,
    (f"{P}cond", "delay"): _TIME,
    (f"{P}bldP", "advAuto"): _TIME,
    (f"{A}srgbClr", "val"): re.compile(r"^[0-9A-Fa-f]{6}$"),
    (f"{A}sysClr", "lastClr"): re.compile(r"^[0-9A-Fa-f]{6}$"),
}


def schema_problems(root: _Element, part: str) -> Iterator[Problem]:
    """Yield violations of the schemas."""
    yield from _library_problems(root, part)
    ignorable: dict[_Element, frozenset[str]] = {}
    for element in root.iter("*"):
        parent = element.getparent()
        inherited = ignorable.get(parent, frozenset()) if parent is not None else frozenset()
        ignorable[element] = inherited | _ignored_by(element)
        space = str(element.tag)[1:].partition("}")[0]
        if space not in _CHECKED_NAMESPACES:
            continue
        for reason in _reasons(element, ignorable[element]):
            yield Problem(part, path_of(element), reason)


def path_of(element: _Element) -> str:
    """Return the path of an element, such as ``/sld[1]/cSld[1]/spTree[1]/sp[2]``."""
    steps = []
    current: _Element | None = element
    while current is not None:
        number = 1 + len(list(current.itersiblings(str(current.tag), preceding=True)))
        steps.append(f"/{local_name(current)}[{number}]")
        current = current.getparent()
    return "".join(reversed(steps))


@cache
def _validate() -> Callable[[_Element, str], list[tuple[str, str]]]:
    """Return a function that validates a part with the library."""
    # Imported late: the import takes 30 MiB and a third of a second.
    from openxml_audit.context import ValidationContext
    from openxml_audit.errors import FileFormat
    from openxml_audit.schema.validator import SchemaValidator

    class Context(ValidationContext):  # type: ignore[misc]
        """Computes element paths on demand only."""

        def __init__(self) -> None:
            super().__init__(file_format=FileFormat.MICROSOFT_365, max_errors=MAX_PROBLEMS)
            self.elements: list[_Element] = []

        def push_element(self, element: _Element) -> None:
            self.elements.append(element)

        def pop_element(self) -> None:
            self.elements.pop()

        @property
        def current_path(self) -> str:
            return path_of(self.elements[-1])

        @property
        def should_stop(self) -> bool:
            return len(self.errors) >= MAX_PROBLEMS

    class Part:
        """The interface of a part that the library expects."""

        def __init__(self, root: _Element, part: str) -> None:
            self.xml = root
            self.uri = f"/{part}"

    validator = SchemaValidator()

    def validate(root: _Element, part: str) -> list[tuple[str, str]]:
        errors = validator.validate_part(Part(root, part), Context())
        return [(error.path, error.description) for error in errors]

    return validate


def _library_problems(root: _Element, part: str) -> Iterator[Problem]:
    for path, reason in _validate()(root, part):
        if _SIGNED.search(reason) and path.rpartition("/")[2].startswith(_MAY_BE_SIGNED):
            continue
        yield Problem(part, path, reason)


def _ignored_by(element: _Element) -> frozenset[str]:
    prefixes = (element.get(f"{MC}Ignorable") or "").split()
    return frozenset(element.nsmap.get(prefix, "") for prefix in prefixes)


def _reasons(element: _Element, ignored: frozenset[str]) -> Iterator[str]:
    tag = str(element.tag)
    allowed = _attributes(tag)
    for name, value in element.attrib.items():
        union = _UNIONS.get((tag, str(name)))
        if union is not None and not union.match(str(value)):
            yield f"Invalid value for attribute '{name}': {value!r}"
        elif allowed is not None and not _is_allowed(str(name), allowed, ignored):
            yield f"The '{name}' attribute is not declared."
    if _is_text(tag):
        if len(element):
            yield f"Unexpected element '{local_name(element[0])}' found; expected letters only"
    elif any((text or "").strip() for text in (element.text, *(each.tail for each in element))):
        yield "Unexpected letters found; expected elements only"


def _is_allowed(name: str, allowed: frozenset[str], ignored: frozenset[str]) -> bool:
    if name in allowed or name.startswith((MC, _XML)):
        return True
    if not name.startswith("{"):
        return False
    space = name[1:].partition("}")[0]
    return space in ignored or space in _namespaces()


@cache
def _attributes(tag: str) -> frozenset[str] | None:
    """Return all attributes that any type of the element declares; None for unknown elements."""
    from openxml_audit.codegen.schema_loader import get_registry

    registry = get_registry()
    kinds = registry.get_element_type_candidates(tag)
    if not kinds:
        return None
    names = set()
    for each in (attribute for kind in kinds for attribute in kind.attributes):
        space = registry.get_namespace(each.prefix) if each.prefix else None
        names.add(f"{{{space}}}{each.local_name}" if space else each.local_name)
    return frozenset(names)


@cache
def _is_text(tag: str) -> bool:
    """Return whether an element contains text only."""
    from openxml_audit.codegen.schema_loader import get_registry

    kinds = get_registry().get_element_type_candidates(tag)
    return any(kind.base_class == "OpenXmlLeafTextElement" for kind in kinds)


@cache
def _namespaces() -> frozenset[str]:
    """Return the namespaces that PowerPoint understands."""
    from openxml_audit.codegen.schema_loader import get_registry

    return frozenset(get_registry().list_schemas())
