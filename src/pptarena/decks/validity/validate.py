"""Validate an entire deck, part by part; results are cached per part."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice

from lxml.etree import _Element

from pptarena.decks.package.compatibility import UNDERSTOOD, required_namespaces, selected_branch
from pptarena.decks.package.files import DeckPath, prefix_errors, read_bytes
from pptarena.decks.package.markup import parse_markup
from pptarena.decks.package.names import MC
from pptarena.decks.package.package import Package
from pptarena.decks.package.relationships import rels_path
from pptarena.decks.read.caches import LruCache
from pptarena.decks.validity.package_rules import package_problems
from pptarena.decks.validity.references import id_problems, link_problems
from pptarena.decks.validity.schema import MAX_PROBLEMS, Problem, Severity, path_of, schema_problems
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

_cache: LruCache[tuple[str, str, bytes, bytes], tuple[Problem, ...]] = LruCache(_MAX_PARTS)


def validate_deck(data: bytes | DeckPath) -> tuple[Problem, ...]:
    """Return the violations of the standard in a deck, with PowerPoint's expected reactions.

    Elements and attributes are checked against the schemas of ECMA-376 (transitional) with
    Microsoft's extensions. Rules beyond the schemas are also checked: relationships exist and have
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
    with prefix_errors(data):
        return _validate_package(Package(read_bytes(data)))


def _validate_package(package: Package) -> tuple[Problem, ...]:
    main = package.related("", "officeDocument")
    if main is None:
        raise DeckError("not a valid .pptx: it has no main document")
    parts = {main: "presentation", **_reachable_parts(package, main)}
    problems: list[Problem] = []
    for part, kind in parts.items():
        if kind in _ROOTS:
            problems += _part_problems(package, part, kind)
    if not any(each.part == main and not each.place for each in problems):
        problems += package_problems(package, main, parts)
    return tuple(problems)


def new_problems(before: bytes | DeckPath, after: bytes | DeckPath) -> tuple[Problem, ...]:
    """Return the problems of a deck that did not exist before an edit.

    Problems are compared by part and reason, regardless of their location within the part.

    Args:
        before: The original .pptx file, or its path.
        after: The edited .pptx file, or its path.

    Raises:
        DeckError: If one file is not a .pptx file or exceeds the size limits.
    """
    old_counts = Counter((each.part, each.reason) for each in validate_deck(before))
    problems = []
    for each in validate_deck(after):
        if old_counts[each.part, each.reason]:
            old_counts[each.part, each.reason] -= 1
        else:
            problems.append(each)
    return tuple(problems)


def _reachable_parts(package: Package, main: str) -> dict[str, str]:
    """Return the parts reachable from the main part, with the relationship type of each."""
    kinds: dict[str, str] = {}
    stack = [main]
    while stack:
        for rel in package.rels(stack.pop()).values():
            is_done = rel.external or rel.target in kinds or rel.target == main
            if not is_done and rel.target in package:
                kinds[rel.target] = rel.kind
                stack.append(rel.target)
    return kinds


def _part_problems(package: Package, part: str, kind: str) -> tuple[Problem, ...]:
    key = part, kind, package.token(part), package.token(rels_path(part))
    problems = _cache.get(key)
    if problems is None:
        problems = tuple(sorted(set(islice(_check_part(package, part, kind), MAX_PROBLEMS))))
        _cache.put(key, problems, 1 + len(problems))
    return problems


def _check_part(package: Package, part: str, kind: str) -> Iterator[Problem]:
    severity: Severity = "refused" if kind == "presentation" else "repaired"
    try:
        root = _root(package, part)
    except DeckError as error:
        yield Problem(part, "", str(error), severity)
        return
    name = str(root.tag).rpartition("}")[2]
    if name != _ROOTS[kind]:
        reason = f"expected the root element {_ROOTS[kind]!r}, got {name!r}"
        yield Problem(part, "", reason, severity)
        return
    yield from _undeclared_prefixes(root, part)
    _keep_selected_branches(root)
    yield from schema_problems(root, part)
    yield from link_problems(root, part, dict(package.all_rels(part)))
    yield from id_problems(root, part)


def _undeclared_prefixes(root: _Element, part: str) -> Iterator[Problem]:
    for choice in root.iter(f"{MC}Choice"):
        if None in required_namespaces(choice):
            reason = f"Requires lists an undeclared prefix: {choice.get('Requires')!r}"
            yield Problem(part, path_of(choice), reason)


def _keep_selected_branches(root: _Element) -> None:
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
            branch, position = selected_branch(inner), outer.index(inner)
            outer[position : position + 1] = [] if branch is None else list(branch)


def _root(package: Package, part: str) -> _Element:
    package.xml(part)  # rejects parts that are too large
    # `Package.xml` renumbers chart axes to be independent of saving; validation needs the original.
    return parse_markup(package.read(part), part)
