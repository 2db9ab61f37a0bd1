"""Check relations between parts: content types, layouts, masters and id lists."""

from collections import Counter
from collections.abc import Iterator, Mapping

from lxml.etree import _Element

from pptarena.decks.package.markup import parse_markup
from pptarena.decks.package.names import P, R
from pptarena.decks.package.package import Package, Rel
from pptarena.decks.package.relationships import part_key, rels_path
from pptarena.decks.validity.schema import Problem, path_of
from pptarena.errors import DeckError

__all__ = ["TYPES", "content_types", "package_problems"]

TYPES = "[Content_Types].xml"
_CT = "{http://schemas.openxmlformats.org/package/2006/content-types}"
_PML = "application/vnd.openxmlformats-officedocument.presentationml."
# Content types by type of the relationship to a part (ECMA-376 part 1, 13.3 and 14.2).
_TYPES_BY_KIND = {
    "slide": (f"{_PML}slide+xml",),
    "slideLayout": (f"{_PML}slideLayout+xml",),
    "slideMaster": (f"{_PML}slideMaster+xml",),
    "notesSlide": (f"{_PML}notesSlide+xml",),
    "notesMaster": (f"{_PML}notesMaster+xml",),
    "chart": ("application/vnd.openxmlformats-officedocument.drawingml.chart+xml",),
    "theme": (
        "application/vnd.openxmlformats-officedocument.theme+xml",
        "application/vnd.openxmlformats-officedocument.themeOverride+xml",
    ),
}
# Relationships that a part must have exactly once, by type of the relationship to it.
_REQUIRED_RELS = {
    "slide": ("slideLayout",),
    "slideLayout": ("slideMaster",),
    "slideMaster": ("theme",),
    "notesSlide": ("notesMaster",),
    "notesMaster": ("theme",),
}
_SLIDE_IDS = range(256, 2**31)
_MASTER_IDS = range(2**31, 2**32)


def content_types(package: Package) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return the content types by lower-case extension, and by key of the part name (`part_key`).

    Raises:
        DeckError: If they are missing or not XML.
    """
    root = parse_markup(package.read(TYPES), TYPES)
    defaults = {
        (each.get("Extension") or "").lower(): each.get("ContentType") or ""
        for each in root.iterchildren(f"{_CT}Default")
    }
    overrides = {
        part_key((each.get("PartName") or "").lstrip("/")): each.get("ContentType") or ""
        for each in root.iterchildren(f"{_CT}Override")
    }
    return defaults, overrides


def package_problems(package: Package, main: str, parts: Mapping[str, str]) -> Iterator[Problem]:
    """Yield inconsistencies between parts."""
    try:
        defaults, overrides = content_types(package)
    except DeckError as error:
        yield Problem(TYPES, "", str(error), "refused")
        return
    types: dict[str, str | None] = {}
    for part, kind in parts.items():
        extension = part.rpartition(".")[2].lower()
        content_type = types[part] = overrides.get(part_key(part), defaults.get(extension))
        if content_type is None:
            yield Problem(TYPES, "", f"no content type for the part {part!r}")
        if part == main and not (content_type or "").endswith(".main+xml"):
            reason = f"the content type of {part!r} is {content_type!r}"
            yield Problem(TYPES, "", reason, "refused")
        yield from _required_problems(package, part, kind)
    yield from _target_problems(package, types)
    yield from _notes_problems(package, parts)
    yield from _id_list_problems(package, main, parts)
    yield from _equivalent_names(package)


def _required_problems(package: Package, part: str, kind: str) -> Iterator[Problem]:
    rels = package.rels(part).values()
    for required in _REQUIRED_RELS.get(kind, ()):
        count = sum(1 for each in rels if each.kind == required and not each.external)
        if count != 1:
            yield Problem(
                rels_path(part),
                "",
                f"expected one relationship of kind {required!r}, found {count}",
            )


def _target_problems(package: Package, types: Mapping[str, str | None]) -> Iterator[Problem]:
    """Yield relationships with duplicate ids, missing targets, or targets of the wrong type."""
    for part in ("", *types):
        rels = package.all_rels(part)
        counts = Counter(rel_id for rel_id, _ in rels)
        for rel_id in (each for each, count in counts.items() if count > 1):
            reason = f"{counts[rel_id]} relationships have the id {rel_id!r}, which must be unique"
            yield Problem(rels_path(part), "", reason)
        for rel_id, rel in rels:
            reason = "" if rel.external else _wrong_target(package, rel_id, rel, types) or ""
            if reason:
                yield Problem(rels_path(part), "", reason)


def _wrong_target(
    package: Package, rel_id: str, rel: Rel, types: Mapping[str, str | None]
) -> str | None:
    target = package.stored_name(rel.target)
    if target is None:
        return None if rel.is_null else f"{rel_id!r} refers to the missing part {rel.target!r}"
    if types.get(target) not in _TYPES_BY_KIND.get(rel.kind, (types.get(target),)):
        return f"{target!r} is a {rel.kind}, its content type is {types.get(target)!r}"
    return None


def _notes_problems(package: Package, parts: Mapping[str, str]) -> Iterator[Problem]:
    """Yield notes that refer to the wrong slide.

    Notes exported from Google Slides refer to no slide, which PowerPoint accepts.
    """
    for slide in (part for part, kind in parts.items() if kind == "slide"):
        notes = package.related(slide, "notesSlide")
        rels = {} if notes is None else package.rels(notes)
        slides = [each.target for each in rels.values() if each.kind == "slide"]
        if slides not in ([], [slide]):
            reason = f"the notes of {slide!r} refer to other slides: {', '.join(slides)}"
            yield Problem(rels_path(notes or ""), "", reason)


def _equivalent_names(package: Package) -> Iterator[Problem]:
    """Yield parts with equivalent names, which a package must not contain (ECMA-376-2, 6.2.2.3)."""
    by_key: dict[str, list[str]] = {}
    for name in package.names:
        by_key.setdefault(part_key(name), []).append(name)
    for names in by_key.values():
        if len(names) > 1:
            reason = f"equivalent names of parts: {' and '.join(names)}"
            yield Problem(names[0], "", reason, "refused")


def _id_list_problems(package: Package, main: str, parts: Mapping[str, str]) -> Iterator[Problem]:
    """Yield ids of slides, masters and layouts that are out of range or duplicated."""
    root = package.xml(main)
    yield from _id_problems(main, root.findall(f"{P}sldIdLst/{P}sldId"), _SLIDE_IDS)
    yield from _duplicate_entries(main, root.findall(f"{P}sldIdLst/{P}sldId"))
    entries = [(main, each) for each in root.findall(f"{P}sldMasterIdLst/{P}sldMasterId")]
    if not entries:
        yield Problem(main, path_of(root), "expected at least one slide master")
    for part, kind in parts.items():
        if kind == "slideMaster":
            try:
                layout_entries = package.xml(part).findall(f"{P}sldLayoutIdLst/{P}sldLayoutId")
            except DeckError:
                continue  # already reported
            yield from _duplicate_entries(part, layout_entries)
            entries += [(part, each) for each in layout_entries]
    counts = Counter(each.get("id") for _, each in entries)
    for part, each in entries:
        yield from _id_problems(part, [each], _MASTER_IDS)
        if each.get("id") is not None and counts[each.get("id")] > 1:
            reason = f"another master or layout has the id {each.get('id')}"
            yield Problem(part, path_of(each), reason)


def _id_problems(part: str, elements: list[_Element], allowed: range) -> Iterator[Problem]:
    counts = Counter(each.get("id") for each in elements)
    for each in elements:
        text = each.get("id")
        if text is None:
            continue
        if not (text.isascii() and text.isdigit() and int(text) in allowed):
            yield Problem(
                part,
                path_of(each),
                f"expected an id from {allowed[0]} to {allowed[-1]}, got {text}",
            )
        elif counts[text] > 1:
            yield Problem(part, path_of(each), f"another entry has the id {text}")


def _duplicate_entries(part: str, elements: list[_Element]) -> Iterator[Problem]:
    counts = Counter(each.get(f"{R}id") for each in elements)
    for each in elements:
        if counts[each.get(f"{R}id")] > 1:
            reason = f"another entry has the relationship {each.get(f'{R}id')!r}"
            yield Problem(part, path_of(each), reason)
