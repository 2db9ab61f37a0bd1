"""Random damage to decks: bytes, zip entries, XML, numbers, relationships, nesting."""

import io
import random
import zipfile
from collections.abc import Callable, Mapping
from copy import deepcopy

from lxml import etree
from lxml.etree import _Element

from pptarena.errors import DeckError

__all__ = ["DAMAGES", "BaseDeck", "damaged"]

NUMBERS = (
    "", "0", "-0", "-1", "1", "00", "+5", "0.5", "-0.0001", "1e308", "-1e308", "1e999", "NaN",
    "nan", "inf", "-Infinity", "0x10", "1_000", "2147483647", "2147483648", "-2147483649",
    "9223372036854775807", "-27273042329601", "9" * 20, "9" * 400, "-" + "9" * 400,
    "0." + "1" * 400, "1" + "0" * 5000, "100%", "-100%", "1e308%", "٣", " 7 ", "abc",
    "true", "\u202e", "x" * 5000,
)  # fmt: skip
"""Values for numeric attributes; a reader must reject or clamp each of them."""

# Deeply nested XML from one mutation may be mutated again.
_PARSER = etree.XMLParser(huge_tree=True)
_MAX_SOURCE_BYTES = 2 * 2**20
_RELS = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_TARGETS = (
    "", "#", "#_ftn1", "/", "..", "../../../etc/passwd", "file:///etc/passwd", "slide1.xml",
    "/ppt/presentation.xml", "/ppt/slides/slide1.xml", "missing.xml", "%00", "a" * 3000,
)  # fmt: skip

Parts = dict[str, bytes]
_Damage = Callable[["BaseDeck", random.Random], bytes]


class BaseDeck:
    """A valid deck, unpacked once.

    Args:
        data: The .pptx file.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            self.parts: Parts = {name: file.read(name) for name in file.namelist()}
        self._small = tuple(n for n, d in self.parts.items() if len(d) <= _MAX_SOURCE_BYTES)
        self.xml = tuple(n for n in self._small if n.endswith(".xml") and n.startswith("ppt/"))
        self.rels = tuple(n for n in self._small if n.endswith(".rels"))
        self._preferred = tuple(n for n in self.xml if "/slides/" in n or "/charts/" in n)

    def pick(self, rng: random.Random) -> str:
        """Return the name of a random XML part; slides and charts are preferred."""
        return rng.choice(self._preferred if self._preferred and rng.random() < 0.6 else self.xml)


def damaged(base: BaseDeck, seed: int) -> tuple[str, bytes]:
    """Return the damage type drawn from a seed and the damaged deck."""
    rng = random.Random(seed)
    kind = rng.choice(tuple(DAMAGES))
    return kind, DAMAGES[kind](base, rng)


def packed(parts: Mapping[str, bytes], method: int = zipfile.ZIP_STORED) -> bytes:
    """Return the .pptx file made of the given parts."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as file:
        for name, data in parts.items():
            # A fixed timestamp: the same seed always gives the same file.
            entry = zipfile.ZipInfo(name)
            entry.compress_type = method
            file.writestr(entry, data)
    return stream.getvalue()


def _bytes(base: BaseDeck, rng: random.Random) -> bytes:
    broken = bytearray(base.data)
    for _ in range(rng.choice((1, 3, 20, 300))):
        broken[rng.randrange(len(broken))] = rng.randrange(256)
    return bytes(broken)


def _cut(base: BaseDeck, rng: random.Random) -> bytes:
    start, end = sorted(rng.randrange(len(base.data)) for _ in range(2))
    kind = rng.choice(("head", "tail", "middle", "twice"))
    if kind == "head":
        return base.data[end:]
    if kind == "tail":
        return base.data[:start]
    return base.data[:start] + base.data[end if kind == "middle" else start // 2 :]


def _entries(base: BaseDeck, rng: random.Random) -> bytes:
    parts = dict(base.parts)
    for _ in range(rng.choice((1, 2, 5))):
        name, other = rng.choice(list(parts)), rng.choice(list(parts))
        kind = rng.choice(("drop", "swap", "empty", "copy", "rename"))
        if kind == "drop":
            del parts[name]
        elif kind == "copy":
            parts[name] = parts[other]
        elif kind == "swap":
            parts[name], parts[other] = parts[other], parts[name]
        elif kind == "empty":
            parts[name] = b""
        else:
            parts[rng.choice(("../", "/", "x", "ü")) + name] = parts.pop(name)
    return packed(parts, rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)))


def _in_xml(
    change: Callable[[_Element, random.Random], object], times: tuple[int, ...] = (1, 2, 8, 30)
) -> _Damage:
    """Return a damage function that mutates the tree of random XML parts, `times` times each."""

    def damage(base: BaseDeck, rng: random.Random) -> bytes:
        parts = dict(base.parts)
        for _ in range(rng.choice((1, 1, 2, 4))):
            name = base.pick(rng)
            root = etree.fromstring(parts[name], _PARSER)
            for _ in range(rng.choice(times)):
                change(root, rng)
            parts[name] = etree.tostring(root)
        return packed(parts)

    return damage


def _elements(root: _Element) -> list[_Element]:
    return [each for each in root.iter() if isinstance(each.tag, str)]


def _number(root: _Element, rng: random.Random) -> None:
    numeric = [
        (each, name)
        for each in _elements(root)
        for name, value in each.items()
        if str(value).lstrip("-").rstrip("%").isdigit()
    ]
    texts = [e for e in root.iter() if (e.text or "").strip().replace(".", "", 1).isdigit()]
    if numeric and (not texts or rng.random() < 0.8):
        element, name = rng.choice(numeric)
        element.set(name, rng.choice(NUMBERS))
    elif texts:
        rng.choice(texts).text = rng.choice(NUMBERS)


def _attribute(root: _Element, rng: random.Random) -> None:
    element, other = rng.choice(_elements(root)), rng.choice(_elements(root))
    if element.attrib and rng.random() < 0.3:
        del element.attrib[rng.choice(list(element.attrib))]
    elif element.attrib and rng.random() < 0.5:
        element.set(rng.choice(list(element.attrib)), rng.choice(NUMBERS))
    else:
        element.attrib.update(other.attrib)


def _element(root: _Element, rng: random.Random) -> None:
    elements = _elements(root)
    element, other = rng.choice(elements), rng.choice(elements)
    parent = element.getparent()
    if parent is None:
        return
    kind = rng.choice(("remove", "twice", "graft", "rename", "text", "shuffle"))
    if kind == "remove":
        parent.remove(element)
    elif kind == "twice":
        element.addnext(deepcopy(element))
    elif kind == "graft" and len(list(other.iter())) < 2_000:
        element.append(deepcopy(other))
    elif kind == "rename":
        element.tag = other.tag
    elif kind == "text":
        element.text = rng.choice(NUMBERS)
    elif kind == "shuffle":
        inside = list(element)
        rng.shuffle(inside)
        element[:] = inside


def _nested(root: _Element, rng: random.Random) -> None:
    """Nest copies of an element deeply, or add up to 3,000 copies as siblings."""
    element = rng.choice([each for each in _elements(root) if each is not root] or [root])
    if element is root or len(list(element.iter())) > 40:
        return
    if rng.random() < 0.5:
        top = inner = deepcopy(element)
        for _ in range(rng.choice((3, 60, 200, 400))):
            copy = deepcopy(element)
            inner.append(copy)
            inner = copy
        element.addnext(top)
    else:
        for _ in range(rng.choice((10, 300, 3_000))):
            element.addnext(deepcopy(element))


def _relations(base: BaseDeck, rng: random.Random) -> bytes:
    parts = dict(base.parts)
    for _ in range(rng.choice((1, 2, 4))):
        name = rng.choice(base.rels)
        root = etree.fromstring(parts[name], _PARSER)
        relations = root.findall(_RELS)
        if not relations:
            continue
        element, other = rng.choice(relations), rng.choice(relations)
        kind = rng.choice(("target", "other", "type", "mode", "id", "drop", "twice"))
        if kind == "target":
            element.set("Target", rng.choice(_TARGETS))
        elif kind in ("other", "type", "id"):
            key = {"other": "Target", "type": "Type", "id": "Id"}[kind]
            element.set(key, other.get(key) or "")
        elif kind == "mode":
            element.set("TargetMode", rng.choice(("External", "Internal", "x", "")))
        elif kind == "drop":
            root.remove(element)
        else:
            root.append(deepcopy(element))
        parts[name] = etree.tostring(root)
    return packed(parts)


def _types(base: BaseDeck, rng: random.Random) -> bytes:
    name = "[Content_Types].xml"
    if name not in base.parts:
        raise DeckError("the deck has no content types")
    root = etree.fromstring(base.parts[name], _PARSER)
    for _ in range(rng.choice((1, 5))):
        _attribute(root, rng) if rng.random() < 0.5 else _element(root, rng)
    return packed({**base.parts, name: etree.tostring(root)})


def _raw_xml(base: BaseDeck, rng: random.Random) -> bytes:
    """Corrupt the source of an XML part: broken tags, entities, encodings, namespaces."""
    name = base.pick(rng)
    data = base.parts[name]
    position = rng.randrange(len(data))
    snippet = rng.choice((
        b"<", b"&", b"]]>", b"<![CDATA[", b"<!DOCTYPE x [<!ENTITY y 'z'>]>", b"&#0;", b"&#x202e;",
        b"\xff\xfe", b"\0", b"<?xml version='1.0' encoding='utf-32'?>", b" xmlns:a='x' ", b"-->",
    ))  # fmt: skip
    kind = rng.choice(("put", "cut", "utf16", "namespace"))
    if kind == "put":
        data = data[:position] + snippet + data[position:]
    elif kind == "cut":
        data = data[:position]
    elif kind == "utf16":
        data = data.decode("utf-8", "replace").replace("UTF-8", "UTF-16").encode("utf-16")
    else:
        data = data.replace(b"drawingml/2006/main", rng.choice((b"x", b"drawingml/2007")), 1)
    return packed({**base.parts, name: data})


DAMAGES: Mapping[str, _Damage] = {
    "bytes": _bytes,
    "cut": _cut,
    "entries": _entries,
    "numbers": _in_xml(_number),
    "attributes": _in_xml(_attribute),
    "elements": _in_xml(_element),
    "nesting": _in_xml(_nested, (1, 2, 3)),
    "relationships": _relations,
    "content types": _types,
    "raw xml": _raw_xml,
}
"""Damage functions by name, drawn with equal probability."""
