"""Validate an entire deck, part by part; results are cached per part."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice

from lxml.etree import _Element

from pptarena.decks.package.compatibility import UNDERSTOOD, required_namespaces, selected_branch
from pptarena.decks.package.files import DeckPath, named_errors, read_bytes
from pptarena.decks.package.markup import parse_markup
from pptarena.decks.package.names import MC
from pptarena.decks.package.package import Package
from pptarena.decks.package.relationships import rels_path
from pptarena.decks.read.recent import Recent
from pptarena.decks.validity.references import link_problems, number_problems
from pptarena.decks.validity.schema import MAX_PROBLEMS, Problem, Severity, path_of, schema_problems
from pptarena.decks.validity.wiring import wiring_problems
from pptarena.errors import DeckError

__all__ = ["new_problems", "validate_deck"]

# Local names of root elements by relationship type, for parts that the schemas describe.
_ROOTS = {
    "presentation": "presentation", "slide": "sld", "slideLayout": "sldLayout",
    "slideMaster": "sldMaster", "notesSlide": "notes", "notesMaster": "notesMaster",
    "handoutMaster": "handoutMaster", "theme": "theme", "tableStyles": "tblStyleLst",
    "presProps": "presentationPr", "viewProps": "viewPr", "chart": "chartSpace",
    "comments": "cmLst", "commentAuthors": "cmAuthorLst", "tags": "tagLst",
    "diagramData": "dataModel", "diagramLayout": "layoutDef", "diagramColors": "colorsDef",
    "diagramQuickStyle": "styleDef", "drawing": "drawing", "themeOverride": "themeOverride",
    "chartUserShapes": "userShapes",
}  # fmt: skip
_MAX_PARTS = 20_000

_kept: Recent[tuple[str, str, bytes, bytes], tuple[Problem, ...]] = Recent(_MAX_PARTS)


def validate_deck(data: bytes | DeckPath) -> tuple[Problem, ...]:
    """Return the violations of the standard in a deck, with PowerPoint's expected reactions.

    Elements and attributes are checked against the schemas of ECMA-376 (transitional) with
    Microsoft's extensions. Rules beyond the schemas are checked, too: relationships exist and have
    the right type, ids are unique and in range, content types are declared, every slide has one
    layout, and so on. Parts without a relationship are ignored, as in PowerPoint.

    Args:
        data: Path of a .pptx file, or its bytes.

    Raises:
        DeckError: If the file is not a .pptx file or exceeds the size limits. The message includes
            the path, if one is given.

    Example:
        >>> from pptx import Presentation
        >>> from io import BytesIO
        >>> stream = BytesIO()
        >>> Presentation().save(stream)
        >>> validate_deck(stream.getvalue())
        ()
    """
    with named_errors(data):
        return _validated(Package(read_bytes(data)))


def _validated(package: Package) -> tuple[Problem, ...]:
    main = package.related("", "officeDocument")
    if main is None:
        raise DeckError("not a valid .pptx: it names no main document")
    parts = {main: "presentation", **_reached(package, main)}
    found: list[Problem] = []
    for part, kind in parts.items():
        if kind in _ROOTS:
            found += _part_problems(package, part, kind)
    if not any(each.part == main and not each.place for each in found):
        found += wiring_problems(package, main, parts)
    return tuple(found)


def new_problems(before: bytes | DeckPath, after: bytes | DeckPath) -> tuple[Problem, ...]:
    """Return the problems of a deck that did not exist before an edit.

    Problems are compared by part and reason, regardless of their location within the part.

    Args:
        before: The original .pptx file, or its path.
        after: The edited .pptx file, or its path.

    Raises:
        DeckError: If one file is not a .pptx file or exceeds the size limits.
    """
    known = Counter((each.part, each.reason) for each in validate_deck(before))
    found = []
    for each in validate_deck(after):
        if known[each.part, each.reason]:
            known[each.part, each.reason] -= 1
        else:
            found.append(each)
    return tuple(found)


def _reached(package: Package, main: str) -> dict[str, str]:
    """Return the parts reachable from the main part, with the relationship type of each."""
    found: dict[str, str] = {}
    waiting = [main]
    while waiting:
        for rel in package.rels(waiting.pop()).values():
            known = rel.external or rel.target in found or rel.target == main
            if not known and rel.target in package:
                found[rel.target] = rel.kind
                waiting.append(rel.target)
    return found


def _part_problems(package: Package, part: str, kind: str) -> tuple[Problem, ...]:
    key = part, kind, package.token(part), package.token(rels_path(part))
    found = _kept.get(key)
    if found is None:
        found = tuple(sorted(set(islice(_checked(package, part, kind), MAX_PROBLEMS))))
        _kept.put(key, found, 1 + len(found))
    return found


def _checked(package: Package, part: str, kind: str) -> Iterator[Problem]:
    broken: Severity = "refused" if kind == "presentation" else "repaired"
    try:
        root = _root(package, part)
    except DeckError as error:
        yield Problem(part, "", str(error), broken)
        return
    name = str(root.tag).rpartition("}")[2]
    if name != _ROOTS[kind]:
        reason = f"expected the root element {_ROOTS[kind]!r}, got {name!r}"
        yield Problem(part, "", reason, broken)
        return
    yield from _undeclared_prefixes(root, part)
    _select(root)
    yield from schema_problems(root, part)
    yield from link_problems(root, part, dict(package.written_rels(part)))
    yield from number_problems(root, part)


def _undeclared_prefixes(root: _Element, part: str) -> Iterator[Problem]:
    for choice in root.iter(f"{MC}Choice"):
        if None in required_namespaces(choice):
            reason = f"Requires names a prefix that is not declared: {choice.get('Requires')!r}"
            yield Problem(part, path_of(choice), reason)


def _select(root: _Element) -> None:
    """Empty the choices that PowerPoint does not understand, so that they are not validated."""
    for choice in list(root.iter(f"{MC}Choice")):
        required = required_namespaces(choice)
        if required and not required <= UNDERSTOOD:
            for child in list(choice):
                choice.remove(child)
    # The schemas do not allow nested alternative content: replace the inner one by its branch.
    for inner in reversed(list(root.iter(f"{MC}AlternateContent"))):
        outer = inner.getparent()
        if outer is not None and outer.tag in (f"{MC}Choice", f"{MC}Fallback"):
            branch, at = selected_branch(inner), outer.index(inner)
            outer[at : at + 1] = [] if branch is None else list(branch)


def _root(package: Package, part: str) -> _Element:
    package.xml(part)  # rejects parts that are too large
    # `Package.xml` renumbers chart axes to be independent of saving; validation needs the original.
    return parse_markup(package.read(part), part)
