"""Decks as text: the format of the files in ``text/``, with a validating reader.

A file has `title`, `author`, `look`, `slides`, and optionally `looks`, `facts`, `mess`, `agenda`,
`footer` and `sources`. A slide has `layout` and `title`, and optionally `body` (one list of bullets
per placeholder), `notes`, `transition`, `hidden`, `appear` (names of blocks that appear one by
one), `look` (a key of `looks`), `comments` (pairs of author and text) and `blocks`. A block is an
object with one key, its kind, such as ``{table: {...}}``.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from pptarena.errors import DeckError
from tools.decks.extra_layouts import EXTRA_LAYOUTS

__all__ = ["Block", "DeckText", "SlideText", "read_deck_text", "text_file"]

_FOLDER = Path(__file__).parent / "text"
_KINDS = (
    *("table", "chart", "label", "tiles", "chain", "tree", "pie_picture", "scene", "shape"),
    *("photo", "film", "sound"),
)
_LAYOUTS = ("title", "content", "two", "only", "section", *EXTRA_LAYOUTS)


@dataclass(frozen=True)
class Block:
    """An object on a slide.

    Attributes:
        kind: Its type, such as table or film; `docs/project/decks_by_data.md` lists them.
        name: Its name, unique on the slide.
        box: Left, top, width and height in centimeters.
        fields: All other fields of the block.
    """

    kind: str
    name: str
    box: tuple[float, float, float, float]
    fields: Mapping[str, Any]


@dataclass(frozen=True)
class SlideText:
    """One slide; the module's docstring describes its fields."""

    layout: str
    title: str
    body: Sequence[Sequence[str]] = ()
    blocks: Sequence[Block] = ()
    notes: str = ""
    transition: str = ""
    hidden: bool = False
    appear: Sequence[str] = ()
    look: str = ""
    comments: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class DeckText:
    """One deck.

    Attributes:
        name: Name of its file.
        title, author: Document properties.
        look: A key of `tools.decks.styles.STYLES`.
        slides: The slides.
        facts: References to table cells by name: ``{name}`` in any text is replaced by the cell's
            text. A cell is given as ``[name of the table, first cell of its row, header of its
            column]``.
        seed: Seed of the defects.
        mess: Kinds of defects, in the order in which they are applied.
        agenda: Title of the slide that lists the chapters.
        looks: Additional styles by key. Slides refer to the key, and the layouts' names start with
            it.
        footer: Texts of the footer and the date on all slides except title and section slides.
        sources: Titles of the slides that list the sources, such as ``[1] Author: Title``.
    """

    name: str
    title: str
    author: str
    look: str
    slides: Sequence[SlideText]
    facts: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    mess: Sequence[str] = ()
    agenda: str = "Agenda"
    looks: Mapping[str, str] = field(default_factory=dict)
    footer: Mapping[str, str] = field(default_factory=dict)
    sources: Sequence[str] = ()

    def tables(self) -> Iterator[Block]:
        """Yield the tables of all slides."""
        for slide in self.slides:
            yield from (block for block in slide.blocks if block.kind == "table")


def text_file(name: str) -> Path:
    """Return the file of a deck's text."""
    return _FOLDER / f"{name}.yaml"


def read_deck_text(path: Path) -> DeckText:
    """Read a deck's text.

    Raises:
        DeckError: If the file is invalid; the message contains the location.
    """
    try:
        value = yaml.safe_load(path.read_text("utf-8"))
    except (OSError, yaml.YAMLError) as error:
        raise DeckError(f"{path.name}: expected the text of a deck: {error}") from error
    allowed = {"title", "author", "look", "slides", "facts", "mess"}
    allowed |= {"agenda", "looks", "footer", "sources"}
    _require_keys(value, {"title", "author", "look", "slides"}, allowed, path.name)
    mess = value.get("mess", {"seed": 0, "make": []})
    _require_keys(mess, {"seed", "make"}, {"seed", "make"}, f"{path.name}: mess")
    facts = {
        name: _cell_text(value["slides"], cell, f"{path.name}: facts/{name}")
        for name, cell in value.get("facts", {}).items()
    }
    facts |= _figure_names(value["slides"])
    slides = [
        _slide(_fill_in_facts(slide, facts), f"{path.name}: slide {number}")
        for number, slide in enumerate(value["slides"], start=1)
    ]
    looks = value.get("looks", {})
    if unknown := {slide.look for slide in slides} - {"", *looks}:
        raise DeckError(f"{path.name}: looks: there is no {sorted(unknown)[0]!r}")
    required = (path.stem, value["title"], value["author"], value["look"])
    optional = {key: value[key] for key in ("agenda", "looks", "footer", "sources") if key in value}
    return DeckText(*required, slides, facts, mess["seed"], mess["make"], **optional)


def _figure_names(slides: Any) -> dict[str, str]:
    """Return ``Figure 1`` and so on, by ``figure`` and the name of a block with a caption."""
    blocks = [
        fields for slide in slides for block in slide.get("blocks", ()) for fields in block.values()
    ]
    names = [
        fields.get("name")
        for fields in blocks
        if isinstance(fields, dict) and fields.get("caption")
    ]
    return {f"figure {name}": f"Figure {number}" for number, name in enumerate(names, start=1)}


def _require_keys(value: Any, required: set[str], allowed: set[str], location: str) -> None:
    if not isinstance(value, dict):
        raise DeckError(f"{location}: expected an object, got {value!r}")
    if missing := sorted(required - set(value)):
        raise DeckError(f"{location}: {', '.join(missing)} missing")
    if extra := sorted(set(value) - allowed):
        raise DeckError(
            f"{location}: expected some of {', '.join(sorted(allowed))}, got {extra[0]!r}"
        )


def _slide(value: Any, location: str) -> SlideText:
    _require_keys(value, {"layout", "title"}, set(SlideText.__dataclass_fields__), location)
    if value["layout"] not in _LAYOUTS:
        raise DeckError(f"{location}: expected a layout of {', '.join(_LAYOUTS)}")
    blocks = [_block(block, location) for block in value.get("blocks", ())]
    names = [block.name for block in blocks]
    if len(set(names)) < len(names):
        raise DeckError(f"{location}: two blocks have the same name")
    if unknown := set(value.get("appear", ())) - set(names):
        raise DeckError(f"{location}: appear: no block is called {sorted(unknown)[0]!r}")
    comments = [(author, text) for author, text in value.get("comments", ())]
    return SlideText(**{**value, "blocks": blocks, "comments": comments})


def _block(value: Any, location: str) -> Block:
    if not isinstance(value, dict) or len(value) != 1 or next(iter(value)) not in _KINDS:
        raise DeckError(f"{location}: expected a block of one key of {', '.join(_KINDS)}")
    ((kind, fields),) = value.items()
    _require_keys(fields, {"name", "box"}, set(fields), f"{location}: {kind}")
    left, top, width, height = fields["box"]
    other_fields = {key: item for key, item in fields.items() if key not in ("name", "box")}
    return Block(kind, fields["name"], (left, top, width, height), other_fields)


def _cell_text(slides: Any, cell: Sequence[str], location: str) -> str:
    table, row, column = cell
    for slide in slides:
        for block in slide.get("blocks", ()):
            fields = block.get("table")
            if fields and fields.get("name") == table:
                header, *rows = fields["rows"]
                for texts in rows:
                    if texts[0] == row and column in header:
                        return str(texts[header.index(column)])
    raise DeckError(f"{location}: expected an existing cell [table, row, column], got {cell}")


def _fill_in_facts(value: Any, facts: Mapping[str, str]) -> Any:
    """Return a value with the names of facts replaced by their texts."""
    if isinstance(value, dict):
        return {key: _fill_in_facts(item, facts) for key, item in value.items()}
    if isinstance(value, list):
        return [_fill_in_facts(item, facts) for item in value]
    if isinstance(value, str):
        for name, text in facts.items():
            value = value.replace(f"{{{name}}}", text)
    return value
