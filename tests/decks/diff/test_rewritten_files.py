"""Rewriting a file without an edit changes nothing."""

import posixpath
import re
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from tests.decks.packing import pack, unpack
from tests.each_case import each_case

from pptarena.errors import DeckError
from pptarena.rewards import diff_decks, read_deck

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parents[3].parent / "shared" / "data" / "decks"
SHARED_DECKS = sorted(FOLDER.rglob("*.pptx"))

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
XML_SPACE = "{http://www.w3.org/XML/1998/namespace}space"

Parts = dict[str, bytes]
Rewrite = Callable[[Parts], Parts]


def _is_xml(name: str) -> bool:
    return name.startswith("ppt/") and name.endswith(".xml")


def _rewrite_trees(parts: Parts, rewrite: Callable[[str, Any], None]) -> Parts:
    """Rewrite the tree of every XML part of the presentation."""
    rewritten = dict(parts)
    for name, data in parts.items():
        if _is_xml(name):
            root = etree.fromstring(data)
            rewrite(name, root)
            rewritten[name] = etree.tostring(root, xml_declaration=True, encoding="UTF-8")
    return rewritten


def with_reordered_parts(parts: Parts) -> Parts:
    return dict(reversed(parts.items()))


def with_other_shape_ids(parts: Parts) -> Parts:
    def rewrite(name: str, root: Any) -> None:
        new: dict[str, str] = {}
        for at, element in enumerate(root.iter(f"{P}cNvPr")):
            new[element.get("id")] = str(5000 - at)
            element.set("id", new[element.get("id")])
        for element in root.iter(etree.Element):
            for key in ("spid",) if element.tag.startswith(P) else ():
                if element.get(key) in new:
                    element.set(key, new[element.get(key)])
            if element.tag in (f"{A}stCxn", f"{A}endCxn") and element.get("id") in new:
                element.set("id", new[element.get("id")])

    return _rewrite_trees(parts, rewrite)


def with_other_slide_ids(parts: Parts) -> Parts:
    text = parts["ppt/presentation.xml"].decode()
    numbers = iter(range(900, 90_000, 7))
    old = re.findall(r'<p:sldId [^>]*?\bid="(\d+)"', text)
    for number in old:
        text = re.sub(rf'\bid="{number}"', f'id="{next(numbers)}"', text)
    return {**parts, "ppt/presentation.xml": text.encode()}


def with_other_part_names(parts: Parts) -> Parts:
    def renamed(name: str) -> str:
        folder, _, file = name.rpartition("/")
        if not name.startswith("ppt/") or name.endswith(".rels"):
            return name
        stem, _, ending = file.rpartition(".")
        return f"{folder}/other_{stem[::-1]}.{ending}"

    renamed_parts: Parts = {}
    for name, data in parts.items():
        if name == "[Content_Types].xml":
            root = etree.fromstring(data)
            for element in root:
                part = element.get("PartName")
                if part:
                    element.set("PartName", "/" + renamed(part[1:]))
            renamed_parts[name] = etree.tostring(root)
        elif name.endswith(".rels"):
            folder, _, file = name.rpartition("/_rels/")
            owner = posixpath.join(folder, file.removesuffix(".rels")) if folder else ""
            root = etree.fromstring(data)
            for element in root:
                if element.get("TargetMode") != "External":
                    base = f"/{posixpath.dirname(owner)}"
                    full = posixpath.normpath(posixpath.join(base, element.get("Target") or ""))
                    element.set("Target", "/" + renamed(full[1:]))
            new_folder, _, new_file = renamed(owner).rpartition("/")
            new_name = f"{new_folder}/_rels/{new_file}.rels" if owner else name
            renamed_parts[new_name] = etree.tostring(root)
        else:
            renamed_parts[renamed(name)] = data
    return renamed_parts


def with_other_relationship_ids(parts: Parts) -> Parts:
    rewritten = dict(parts)
    for name in parts:
        folder, _, file = name.rpartition("/_rels/")
        owner = posixpath.join(folder, file.removesuffix(".rels"))
        if not name.endswith(".rels") or not _is_xml(owner) or owner not in parts:
            continue
        rels, root = etree.fromstring(parts[name]), etree.fromstring(parts[owner])
        for relationship in rels:
            relationship.set("Id", f"new{relationship.get('Id')}")
        for element in root.iter(etree.Element):
            for key, value in element.attrib.items():
                if key.startswith(R) and value:
                    element.set(key, f"new{value}")
        rels[:] = list(reversed(rels))
        rewritten[name], rewritten[owner] = etree.tostring(rels), etree.tostring(root)
    return rewritten


def with_split_runs(parts: Parts) -> Parts:
    def rewrite(name: str, root: Any) -> None:
        for run in list(root.iter(f"{A}r")):
            text = run.find(f"{A}t")
            if text is None or not text.text or len(text.text) < 2:
                continue
            second = deepcopy(run)
            half = len(text.text) // 2
            second.find(f"{A}t").text = text.text[half:]
            text.text = text.text[:half]
            run.addnext(second)

    return _rewrite_trees(parts, rewrite)


def with_reordered_layouts(parts: Parts) -> Parts:
    def rewrite(name: str, root: Any) -> None:
        for layout_ids in root.iter(f"{P}sldLayoutIdLst"):
            layout_ids[:] = list(reversed(layout_ids))

    return _rewrite_trees(parts, rewrite)


def with_reordered_attributes(parts: Parts) -> Parts:
    def rewrite(name: str, root: Any) -> None:
        for element in root.iter(etree.Element):
            values = list(element.attrib.items())
            element.attrib.clear()
            element.attrib.update(reversed(values))

    return _rewrite_trees(parts, rewrite)


def with_whitespace_between_elements(parts: Parts) -> Parts:
    def rewrite(name: str, root: Any) -> None:
        for element in root.iter(etree.Element):
            if len(element) and not (element.text or "").strip():
                element.text = "\n  "
            if not (element.tail or "").strip() and element.getparent() is not None:
                element.tail = "\n "

    return _rewrite_trees(parts, rewrite)


DEFAULTS = {
    f"{A}xfrm": {"rot": "0", "flipH": "0", "flipV": "0"},
    f"{P}xfrm": {"rot": "0", "flipH": "0", "flipV": "0"},
    f"{A}tc": {"rowSpan": "1", "gridSpan": "1", "hMerge": "0", "vMerge": "0"},
    f"{A}tcPr": {"marL": "91440", "marR": "91440", "marT": "45720", "marB": "45720", "anchor": "t"},
    f"{A}tblPr": {"rtl": "0", "firstRow": "0", "firstCol": "0", "lastRow": "0", "bandRow": "0"},
    f"{P}cNvPr": {"descr": "", "hidden": "0", "title": ""},
    f"{P}transition": {"advClick": "1", "spd": "fast"},
    f"{P}sld": {"show": "1", "showMasterSp": "1", "showMasterPhAnim": "1"},
}
FRAME = {
    "wrap": "square", "lIns": "91440", "rIns": "91440", "tIns": "45720", "bIns": "45720",
    "vert": "horz", "anchor": "t", "anchorCtr": "0", "numCol": "1", "rot": "0", "upright": "0",
}  # fmt: skip


def with_defaults_written_out(parts: Parts) -> Parts:
    def rewrite(name: str, root: Any) -> None:
        for element in root.iter(etree.Element):
            values = dict(DEFAULTS.get(element.tag, {}))
            if element.tag == f"{P}transition" and root.tag != f"{P}sld":
                continue  # of a layout: it is not read, so its defaults are unknown
            is_shape = element.tag == f"{A}bodyPr" and element.getparent().tag == f"{P}txBody"
            # Placeholders inherit these; other shapes have the defaults of the format.
            if is_shape and next(element.getparent().getparent().iter(f"{P}ph"), None) is None:
                values = dict(FRAME)
            for key, value in values.items():
                if element.get(key) is None:
                    element.set(key, value)

    return _rewrite_trees(parts, rewrite)


REWRITES: list[Rewrite] = [
    with_reordered_parts,
    with_other_shape_ids,
    with_other_slide_ids,
    with_other_part_names,
    with_other_relationship_ids,
    with_split_runs,
    with_reordered_layouts,
    with_reordered_attributes,
    with_whitespace_between_elements,
    with_defaults_written_out,
]


@each_case("rewrite", REWRITES, ids=lambda each: each.__name__)
def test_rewriting_a_file_changes_nothing(lab: Any, rewrite: Rewrite) -> None:
    parts = unpack(lab.base)
    rewritten = rewrite(parts)
    assert list(rewritten.items()) != list(parts.items())
    changes = diff_decks(lab.original, read_deck(pack(rewritten)))
    assert [change.text for change in changes] == []


@pytest.mark.skipif(not SHARED_DECKS, reason="no shared decks")
@pytest.mark.parametrize("path", SHARED_DECKS, ids=lambda path: path.name)
def test_rewriting_shared_decks_changes_nothing(path: Path) -> None:
    data = path.read_bytes()
    try:
        deck = read_deck(data)
    except DeckError as error:
        pytest.skip(f"the deck cannot be read: {error}")
    parts = unpack(data)
    for rewrite in REWRITES:
        changes = diff_decks(deck, read_deck(pack(rewrite(parts))))
        assert [change.text for change in changes] == [], rewrite.__name__
