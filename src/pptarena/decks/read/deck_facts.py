"""Read deck-level facts: sections, document properties, slide show settings."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from lxml.etree import _Element

from pptarena.decks.facts.deck import NO_PROPERTIES, Comment, Properties, Section
from pptarena.decks.package.names import A, P, R, children, find_path, local_name
from pptarena.decks.package.package import Package
from pptarena.decks.read.numbers import int_attribute
from pptarena.decks.read.unread import PRESENTATION, Fingerprints, unread
from pptarena.decks.saving.libreoffice import APPLICATION_PROPERTIES

__all__ = [
    "CUSTOM_SHOW",
    "deck_fingerprint",
    "read_comments",
    "read_properties",
    "read_sections",
    "read_show",
]

CUSTOM_SHOW = "custom show "
"""Prefix of custom shows in the names of slide show settings."""

_FIELDS = {
    "title": "title", "subject": "subject", "creator": "author", "keywords": "keywords",
    "description": "description", "category": "category", "contentStatus": "status",
}  # fmt: skip
_MAX_CUSTOM = 1_000
# Relationships to parts that are read, or that only store the state of the editor window.
_READ_RELS = frozenset((
    "slideMaster", "slide", "notesMaster", "handoutMaster", "presProps", "viewProps", "theme",
    "tableStyles", "printerSettings", "commentAuthors", "authors", "font", "changesInfo",
    "revisionInfo", "hyperlink",
))  # fmt: skip
_READ_ROOT_RELS = frozenset((
    "officeDocument", "core-properties", "extended-properties", "custom-properties", "thumbnail",
    "extendedProperties",
    "classificationlabels", "digital-signature",
))  # fmt: skip


def read_sections(root: _Element, ids: Mapping[str, int]) -> tuple[Section, ...]:
    """Return the sections of a deck."""
    sections = []
    for element in root.iter():
        if local_name(element) != "section":
            continue
        slide_ids = (each.get("id") or "" for each in element.iter() if local_name(each) == "sldId")
        slides = tuple(sorted({ids[each] for each in slide_ids if each in ids}))
        sections.append(Section(element.get("name") or "", slides))
    return tuple(sections)


def read_properties(package: Package) -> Properties:
    """Return the document properties."""
    core = _root(package, "", "core-properties")
    custom = _root(package, "", "custom-properties")
    if core is None and custom is None:
        return NO_PROPERTIES
    values = {
        _FIELDS[local_name(child)]: (child.text or "").strip()
        for child in children(core)
        if local_name(child) in _FIELDS
    }
    return Properties(**values, custom=tuple(sorted(_custom(custom))))


def read_show(package: Package, main: str, root: _Element) -> tuple[tuple[str, str], ...]:
    """Return names and values of slide show settings that differ from the default, sorted."""
    settings = dict(_show_settings(find_path(_root(package, main, "presProps"), f"{P}showPr")))
    first = int_attribute(root, "firstSlideNum")
    if first not in (None, 1):
        settings["first_slide_number"] = str(first)
    if root.get("rtl") in ("1", "true"):
        settings["right_to_left"] = "yes"
    for show in root.iterfind(f"{P}custShowLst/{P}custShow"):
        slides = (each.get(f"{R}id") or "" for each in show.iter(f"{P}sld"))
        numbers = _positions(root)
        positions = " ".join(str(numbers.get(each, "?")) for each in slides)
        settings[f"{CUSTOM_SHOW}{show.get('name')}"] = positions
    return tuple(sorted(settings.items()))


def deck_fingerprint(
    root: _Element, main: str, package: Package, fingerprints: Fingerprints
) -> tuple[tuple[str, str], ...]:
    """Return location and digest of deck-level content that is not read."""
    elements = [
        (f"presentation {local_name(element)}", fingerprints.elements([element], main))
        for element in unread(root, PRESENTATION)
    ]
    parts = fingerprints.unread_rels(main, _READ_RELS)
    parts += fingerprints.unread_rels("", _READ_ROOT_RELS)
    return (*sorted(elements), *sorted(parts))


def _root(package: Package, part: str, kind: str) -> _Element | None:
    rels = package.rels(part).values()
    # If there are several, the first name is used, independent of the order in the file.
    targets = sorted(rel.target for rel in rels if rel.kind == kind and rel.target in package)
    return package.xml_or_none(targets[0] if targets else None)


def _custom(root: _Element | None) -> Iterator[tuple[str, str]]:
    for each in children(root)[:_MAX_CUSTOM]:
        name = each.get("name") or ""
        if name not in APPLICATION_PROPERTIES:
            parts = ((part.text or "").strip() for part in each.iter() if part is not each)
            yield name, " ".join(parts).strip()


def _show_settings(element: _Element | None) -> Iterator[tuple[str, str]]:
    if element is None:
        return
    if element.get("loop") in ("1", "true"):
        yield "loop", "yes"
    for name, setting in (
        ("useTimings", "use_timings"),
        ("showAnimation", "show_animation"),
        ("showNarration", "show_narration"),
    ):
        if element.get(name) in ("0", "false"):
            yield setting, "no"
    for child in element:
        name = local_name(child)
        if name in ("browse", "kiosk"):
            yield "kind", name
        elif name == "sldRg":
            yield "slides", f"{child.get('st')}-{child.get('end')}"
        elif name == "custShow":
            yield "slides", "custom show"


def _positions(root: _Element) -> Mapping[str, int]:
    entries = root.iterfind(f"{P}sldIdLst/{P}sldId")
    return {each.get(f"{R}id") or "": number for number, each in enumerate(entries, start=1)}


_MAX_COMMENTS = 5_000
_RESOLVED_STATES = frozenset(("resolved", "closed"))


@dataclass(slots=True)
class _Thread:
    author: str
    text: str
    resolved: bool = False
    answers: list[str] = field(default_factory=list)

    def comment(self) -> Comment:
        answers = tuple(self.answers)
        return Comment(self.author, self.text, len(answers), self.resolved, answers)


def read_comments(package: Package, main: str, part: str) -> tuple[Comment, ...]:
    """Return the comments on a slide.

    Args:
        package: The file.
        main: Name of the presentation part.
        part: Name of the slide part.
    """
    threads: list[_Thread] = []
    for rel in package.rels(part).values():
        if rel.kind == "comments" and not rel.external:
            root = package.xml_or_none(rel.target)
            entries = children(root)[:_MAX_COMMENTS]
            if root is None or str(root.tag).startswith(P):
                threads += _legacy_threads(
                    entries, _authors(package, main, "commentAuthors", "cmAuthor")
                )
            else:
                threads += _modern_threads(entries, _authors(package, main, "authors", "author"))
    return tuple(thread.comment() for thread in threads)


def _legacy_threads(entries: Iterable[_Element], authors: Mapping[str, str]) -> Iterator[_Thread]:
    threads: dict[tuple[str, str], _Thread] = {}
    for entry in entries:
        key = entry.get("authorId") or "", entry.get("idx") or ""
        text = entry.findtext(f"{P}text") or ""
        resolved = any(local_name(e) == "done" or e.get("done") == "1" for e in entry.iter())
        parent = threads.get(_parent(entry))
        if parent is not None:
            parent.answers.append(text)
            # Replies to a reply belong to the same thread.
            threads[key] = parent
            continue
        threads[key] = _Thread(authors.get(key[0], ""), text, resolved)
    yield from {id(thread): thread for thread in threads.values()}.values()


def _modern_threads(entries: Iterable[_Element], authors: Mapping[str, str]) -> Iterator[_Thread]:
    for entry in entries:
        if local_name(entry) == "cm":
            author = authors.get(entry.get("authorId") or "", "")
            thread = _Thread(author, _body_text(entry), entry.get("status") in _RESOLVED_STATES)
            for child in entry:
                if local_name(child) == "replyLst":
                    thread.answers += [_body_text(reply) for reply in child]
            yield thread


def _authors(package: Package, main: str, kind: str, name: str) -> Mapping[str, str]:
    entries = children(package.xml_or_none(package.related(main, kind)))
    return {e.get("id") or "": e.get("name") or "" for e in entries if local_name(e) == name}


def _parent(entry: _Element) -> tuple[str, str]:
    for each in entry.iter():
        if local_name(each) == "parentCm":
            return each.get("authorId") or "", each.get("idx") or ""
    return "", "none"


def _body_text(entry: _Element) -> str:
    body = next((child for child in entry if local_name(child) == "txBody"), None)
    lines = []
    for paragraph in children(body):
        if paragraph.tag == f"{A}p":
            lines.append("".join(piece.text or "" for piece in paragraph.iter(f"{A}t")))
    return "\n".join(lines).strip()
