"""Extract small decks with selected slides of a deck, unchanged or edited.

A slide's rendering depends on its part and the parts it refers to: layout, master, theme, pictures
and charts. Only these parts go into an excerpt and into a slide's key.
"""

import hashlib
import io
import re
import zipfile
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Final

from lxml import etree
from lxml.etree import _Element

from pptarena.decks.package.markup import parse_markup, with_stable_ids
from pptarena.decks.package.names import A, P, R
from pptarena.decks.package.package import Package, Rel
from pptarena.decks.package.relationships import rels_path
from pptarena.errors import DeckError

__all__ = ["Pages", "Variant"]

Variant = tuple[int, Callable[[_Element], None] | None]
"""Index of a slide, and an edit applied to its root before rendering; None for no edit."""

# Related parts without effect on rendering. Slides link to other slides, notes to their slide.
_INVISIBLE_RELS = frozenset(
    ("slide", "notesSlide", "comments", "tags", "audio", "notesMaster", "handoutMaster", "font")
)
# Relationships of the presentation that excerpts keep. The show settings are dropped because they
# refer to custom shows and slide ranges.
_SHARED_RELS = frozenset(("theme", "tableStyles"))
_INVISIBLE_TAGS = (f"{P}timing", f"{P}transition")
_LAYOUT_LIST = (f"{P}sldLayoutIdLst",)  # a slide renders its own layout only
_SHOW_TAGS = frozenset(
    f"{P}{name}" for name in ("custShowLst", "embeddedFontLst", "extLst", "notesMasterIdLst",
                              "handoutMasterIdLst", "modifyVerifier", "photoAlbum", "custDataLst")
)  # fmt: skip
_SHAPE_ID = re.compile(rb'(<p:cNvPr\b[^>]{0,2000}?) id="\d{1,12}"')
_CONNECTION_TAGS = (b"stCxn", b"endCxn")
_REL_ID = re.compile(rb'"(rId\d{1,9})"')
_TYPES: Final = "[Content_Types].xml"
_SLIDE_TYPE = "application/vnd.openxmlformats-officedocument.presentationml.slide+xml"
_TYPES_NS = "{http://schemas.openxmlformats.org/package/2006/content-types}"
_RELS_NS = "{http://schemas.openxmlformats.org/package/2006/relationships}"
_SLIDE_REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/slide"


class Pages:
    """The slides of a .pptx file, ready for extraction and rendering.

    Raises:
        DeckError: If the file cannot be read.
    """

    def __init__(self, data: bytes) -> None:
        self._package = Package(data)
        main = self._package.related("", "officeDocument")
        if main is None:
            raise DeckError("not a valid .pptx: it has no main document")
        self._main = main
        self._hashes: dict[str, bytes] = {}
        self._roots: dict[str, _Element] = {}
        self._edited: set[str] = set()

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """Names of the slide parts, in show order."""
        rels = self._package.rels(self._main)
        entries = self._root.findall(f"{P}sldIdLst/{P}sldId")
        return tuple(rels[entry.get(f"{R}id") or ""].target for entry in entries)

    def chain(self, index: int) -> tuple[str, ...]:
        """Return the parts of a slide, its layout and its master, if they exist."""
        layout = self._package.related(self.parts[index], "slideLayout")
        master = None if layout is None else self._package.related(layout, "slideMaster")
        return tuple(part for part in (self.parts[index], layout, master) if part is not None)

    def change(self, part: str, edit: Callable[[_Element], None]) -> None:
        """Edit a part for all slides that use it; their keys change accordingly."""
        edit(self._parsed(part))
        self._edited.add(part)
        self._hashes.clear()

    def key(self, index: int) -> str:
        """Return a key that is equal only for slides that render the same.

        Slide numbers, timing and transitions do not enter the key.

        Raises:
            DeckError: If a part cannot be read.
        """
        own = self._hash(self.parts[index], ())
        return hashlib.sha256(self._deck_hash + own).hexdigest()

    def excerpt(self, variants: Sequence[Variant]) -> bytes:
        """Return a deck with these slides, in this order.

        Args:
            variants: Slides and their edits; a slide may occur several times.

        Raises:
            DeckError: If a part cannot be read.
        """
        required = self._required_parts({self.parts[index] for index, _ in variants})
        files: dict[str, bytes] = {}
        names = []
        for number, (index, edit) in enumerate(variants, start=1):
            part = self.parts[index]
            name = f"{part.rpartition('/')[0]}/variant{number}.xml"
            root = self._normalized(part)
            if edit is not None:
                edit(root)
            files[name] = etree.tostring(root)
            files |= self._rels_of(part, name, required)
            names.append(name)
        files |= self._deck_files(names, required)
        for part in sorted(required):
            files[part] = self._content(part, required)
            files |= self._rels_of(part, part, required)
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
            for name, data in files.items():
                archive.writestr(name, data)
        return buffer.getvalue()

    @cached_property
    def _root(self) -> _Element:
        return self._parsed(self._main)

    @cached_property
    def _deck_hash(self) -> bytes:
        """Hash of what all slides depend on: slide size, default text style, table styles."""
        root = _copy_without(self._root, (*_SHOW_TAGS, f"{P}sldIdLst", f"{P}sldMasterIdLst"))
        digest = hashlib.sha256(etree.tostring(root, method="c14n"))
        styles = self._package.related(self._main, "tableStyles")
        digest.update(b"" if styles is None else self._package.token(styles))
        return digest.digest()

    def _hash(self, part: str, path: tuple[str, ...]) -> bytes:
        if part in path or part not in self._package:
            return b"-"
        digest = self._hashes.get(part)
        if digest is None:
            rels = {
                i: rel
                for i, rel in self._package.rels(part).items()
                if _affects_rendering(rel, path)
            }
            names = {
                i.encode(): rel.target.encode() if rel.external
                else self._hash(rel.target, (*path, part)).hex().encode()
                for i, rel in rels.items()
            }  # fmt: skip
            text = self._text(part) if part.endswith(".xml") else self._package.token(part)
            used: set[bytes] = set()

            def replace_id(match: re.Match[bytes]) -> bytes:
                used.add(match[1])
                return b'"%b"' % names.get(match[1], match[1])

            text = _REL_ID.sub(replace_id, text)
            unused = sorted(names[i] for i in names.keys() - used)
            digest = hashlib.sha256(text + b"\0".join(unused)).digest()
            self._hashes[part] = digest
        return digest

    def _text(self, part: str) -> bytes:
        text = etree.tostring(_copy_without(self._normalized(part), _LAYOUT_LIST))
        # Saving renumbers shapes; only connectors refer to shape ids.
        return (
            text if any(mark in text for mark in _CONNECTION_TAGS) else _SHAPE_ID.sub(rb"\1", text)
        )

    def _content(self, part: str, required: set[str]) -> bytes:
        data = self._package.read(part)
        if b"sldLayoutIdLst" in data:
            root = self._normalized(part)
            self._drop_missing(root, part, required, f"{P}sldLayoutIdLst")
            return etree.tostring(root)
        if part in self._edited or (part.endswith(".xml") and b"fld" in data):
            return etree.tostring(self._normalized(part))
        return data

    def _drop_missing(self, root: _Element, part: str, required: set[str], name: str) -> None:
        """Remove layouts or masters that are not in the excerpt from their list."""
        rels = self._package.rels(part)
        for entries in root.findall(name):
            for entry in list(entries):
                rel = rels.get(entry.get(f"{R}id") or "")
                if rel is None or rel.target not in required:
                    entries.remove(entry)

    def _parsed(self, part: str) -> _Element:
        # `Package.xml` is avoided: it counts reads of a part to bound the work of reading a deck,
        # and this deck was read before.
        if part not in self._roots:
            self._roots[part] = parse_markup(with_stable_ids(self._package.read(part)), part)
        return self._roots[part]

    def _normalized(self, part: str) -> _Element:
        """Return a copy of a part's root with slide numbers and dates replaced by constants."""
        root = _copy_without(self._parsed(part), _INVISIBLE_TAGS)
        for field in list(root.iter(f"{A}fld")):
            kind = field.get("type") or ""
            if kind.startswith(("slidenum", "datetime")):
                field.tag = f"{A}r"
                field.attrib.clear()
                for child in list(field):
                    if child.tag == f"{A}pPr":
                        field.remove(child)
                    elif child.tag == f"{A}t":
                        child.text = "0" if kind == "slidenum" else "date"
        return root

    def _required_parts(self, roots: Iterable[str]) -> set[str]:
        """Return all parts that these slides need, without the slides themselves.

        Layouts that no slide uses are left out although the master lists them: they take most of
        the time of opening a deck.
        """
        parts: set[str] = set()
        queue = [(root, True) for root in roots]
        while queue:
            part, is_slide = queue.pop()
            for rel in self._package.rels(part).values():
                is_unused = rel.kind in ("slideLayout", "package") and not is_slide
                is_done = rel.target in parts or rel.target not in self._package
                if rel.external or is_unused or is_done or rel.kind in _INVISIBLE_RELS:
                    continue
                parts.add(rel.target)
                queue.append((rel.target, False))
        for rel in self._package.rels(self._main).values():
            if rel.kind in _SHARED_RELS and rel.target in self._package:
                parts.add(rel.target)
        return parts

    def _rels_of(self, part: str, name: str, required: set[str]) -> dict[str, bytes]:
        """Return the relationships file of a part, stored for the part name `name`."""
        if rels_path(part) not in self._package:
            return {}
        return {rels_path(name): etree.tostring(self._rels_within(part, required))}

    def _rels_within(self, part: str, required: set[str]) -> _Element:
        """Return the relationships of a part to parts within the excerpt."""
        root = _copy_without(self._parsed(rels_path(part)), ())
        rels = self._package.rels(part)
        for element in list(root):
            rel = rels.get(element.get("Id") or "")
            if rel is None or not (rel.external or rel.target in required):
                root.remove(element)
        return root

    def _deck_files(self, names: Sequence[str], required: set[str]) -> dict[str, bytes]:
        """Return the parts that list the slides: presentation, relationships, content types."""
        root = _copy_without(self._root, tuple(_SHOW_TAGS))
        self._drop_missing(root, self._main, required, f"{P}sldMasterIdLst")
        rels = self._rels_within(self._main, required)
        folder = self._main.rpartition("/")[0]
        entries = root.find(f"{P}sldIdLst")
        if entries is None:
            raise DeckError("the deck lacks a list of slides")
        for entry in list(entries):
            entries.remove(entry)
        types = _copy_without(self._parsed(_TYPES), ())
        for number, name in enumerate(names):
            id = f"variant{number}"
            target = name.removeprefix(f"{folder}/") if folder else name
            slide_entry = {"id": str(256 + number), f"{R}id": id}
            rel = {"Id": id, "Type": _SLIDE_REL, "Target": target}
            override = {"PartName": f"/{name}", "ContentType": _SLIDE_TYPE}
            etree.SubElement(entries, f"{P}sldId", slide_entry)
            etree.SubElement(rels, f"{_RELS_NS}Relationship", rel)
            etree.SubElement(types, f"{_TYPES_NS}Override", override)
        root_rels = _copy_without(self._parsed(rels_path("")), ())
        for element in list(root_rels):
            if not (element.get("Type") or "").endswith("/officeDocument"):
                root_rels.remove(element)
        return {
            _TYPES: etree.tostring(types),
            rels_path(""): etree.tostring(root_rels),
            self._main: etree.tostring(root),
            rels_path(self._main): etree.tostring(rels),
        }


def _affects_rendering(rel: Rel, path: Sequence[str]) -> bool:
    # Masters and layouts refer to each other; only the direction upward affects rendering. A chart
    # is drawn from its own part, not from its workbook.
    is_downward = rel.kind in ("slideLayout", "package") and path
    return rel.kind not in _INVISIBLE_RELS and not is_downward


def _copy_without(root: _Element, tags: Sequence[str]) -> _Element:
    """Return a copy of a part's root without children of these tags."""
    copy = etree.fromstring(etree.tostring(root))
    for child in list(copy):
        if child.tag in tags:
            copy.remove(child)
    return copy
