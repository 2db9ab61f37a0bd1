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
from tools.decks.kit import KIT_LAYOUTS

__all__ = ["Block", "DeckText", "SlideText", "read_deck_text", "text_file"]

_FOLDER = Path(__file__).parent / "text"
_KINDS = (
    *("table", "chart", "label", "tiles", "chain", "tree", "pie_picture", "scene", "shape"),
    *("photo", "film", "sound"),
)
_LAYOUTS = ("title", "content", "two", "only", "section", *KIT_LAYOUTS)


@dataclass(frozen=True)
class Block:
    """An object on a slide.

    Attributes:
        kind: Its type, such as table or film; `docs/project/decks_by_data.md` lists them.
        name: Its name, unique on the slide.
        box: Left, top, width and height in centimeters.
        told: All other fields of the block.
    """

    kind: str
    name: str
    box: tuple[float, float, float, float]
    told: Mapping[str, Any]


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
        look: A name of `tools.decks.looks.LOOKS`.
        slides: The slides.
        facts: References to table cells by name: ``{name}`` in any text is replaced by the cell's
            text. A cell is given as ``[name of the table, first cell of its row, header of its
            column]``.
        seed: Seed of the mess.
        mess: Kinds of mess, in the order in which they are applied.
        agenda: Title of the slide that lists the chapters.
        looks: Additional looks by key. Slides refer to the key, and the layouts' names start with
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
    known = {"title", "author", "look", "slides", "facts", "mess"}
    known |= {"agenda", "looks", "footer", "sources"}
    _need(value, {"title", "author", "look", "slides"}, known, path.name)
    mess = value.get("mess", {"seed": 0, "make": []})
    _need(mess, {"seed", "make"}, {"seed", "make"}, f"{path.name}: mess")
    facts = {
        word: _cell(value["slides"], cell, f"{path.name}: facts/{word}")
        for word, cell in value.get("facts", {}).items()
    }
    facts |= _figures(value["slides"])
    slides = [
        _slide(_told(slide, facts), f"{path.name}: slide {number}")
        for number, slide in enumerate(value["slides"], start=1)
    ]
    looks = value.get("looks", {})
    if unknown := {slide.look for slide in slides} - {"", *looks}:
        raise DeckError(f"{path.name}: looks: none is called {sorted(unknown)[0]!r}")
    head = (path.stem, value["title"], value["author"], value["look"])
    more = {key: value[key] for key in ("agenda", "looks", "footer", "sources") if key in value}
    return DeckText(*head, slides, facts, mess["seed"], mess["make"], **more)


def _figures(slides: Any) -> dict[str, str]:
    """Return ``Figure 1`` and so on, by ``figure`` and the name of a block with a caption."""
    blocks = [
        told for slide in slides for block in slide.get("blocks", ()) for told in block.values()
    ]
    names = [told.get("name") for told in blocks if isinstance(told, dict) and told.get("caption")]
    return {f"figure {name}": f"Figure {number}" for number, name in enumerate(names, start=1)}


def _need(value: Any, required: set[str], known: set[str], where: str) -> None:
    if not isinstance(value, dict):
        raise DeckError(f"{where}: expected an object, got {value!r}")
    if missing := sorted(required - set(value)):
        raise DeckError(f"{where}: {', '.join(missing)} missing")
    if extra := sorted(set(value) - known):
        raise DeckError(f"{where}: expected some of {', '.join(sorted(known))}, got {extra[0]!r}")


def _slide(value: Any, where: str) -> SlideText:
    _need(value, {"layout", "title"}, set(SlideText.__dataclass_fields__), where)
    if value["layout"] not in _LAYOUTS:
        raise DeckError(f"{where}: expected a layout of {', '.join(_LAYOUTS)}")
    blocks = [_block(block, where) for block in value.get("blocks", ())]
    names = [block.name for block in blocks]
    if len(set(names)) < len(names):
        raise DeckError(f"{where}: two blocks have one name")
    if unknown := set(value.get("appear", ())) - set(names):
        raise DeckError(f"{where}: appear: no block is called {sorted(unknown)[0]!r}")
    comments = [(author, text) for author, text in value.get("comments", ())]
    return SlideText(**{**value, "blocks": blocks, "comments": comments})


def _block(value: Any, where: str) -> Block:
    if not isinstance(value, dict) or len(value) != 1 or next(iter(value)) not in _KINDS:
        raise DeckError(f"{where}: expected a block of one key of {', '.join(_KINDS)}")
    ((kind, told),) = value.items()
    _need(told, {"name", "box"}, set(told), f"{where}: {kind}")
    left, top, width, height = told["box"]
    rest = {key: item for key, item in told.items() if key not in ("name", "box")}
    return Block(kind, told["name"], (left, top, width, height), rest)


def _cell(slides: Any, cell: Sequence[str], where: str) -> str:
    table, row, column = cell
    for slide in slides:
        for block in slide.get("blocks", ()):
            told = block.get("table")
            if told and told.get("name") == table:
                head, *rows = told["rows"]
                for texts in rows:
                    if texts[0] == row and column in head:
                        return str(texts[head.index(column)])
    raise DeckError(f"{where}: expected a cell [table, row, column] that is there, got {cell}")


def _told(value: Any, facts: Mapping[str, str]) -> Any:
    """Return a value with the names of facts replaced by their texts."""
    if isinstance(value, dict):
        return {key: _told(item, facts) for key, item in value.items()}
    if isinstance(value, list):
        return [_told(item, facts) for item in value]
    if isinstance(value, str):
        for word, text in facts.items():
            value = value.replace(f"{{{word}}}", text)
    return value
