"""The deck that speed is measured on: large, with some of everything, the same at every build."""

import zipfile
from pathlib import Path

import pytest

from pptarena.cli import speed_deck
from pptarena.rewards import diff_decks, read_deck
from tools.decks import build_speed_deck

pytestmark = pytest.mark.slow


def test_the_deck_is_what_it_says() -> None:
    data = speed_deck.speed_deck()
    deck = read_deck(data)
    assert 10e6 < len(data) < 12e6
    assert len(deck.slides) == speed_deck.SLIDES
    shapes = [shape for slide in deck.slides for shape in slide.shapes]
    kinds = {
        name for name in ("picture", "table", "chart") if any(getattr(s, name) for s in shapes)
    }
    assert kinds == {"picture", "table", "chart"}
    assert sum(len(slide.animations) for slide in deck.slides) > 50
    assert all(slide.notes for slide in deck.slides)
    assert diff_decks(deck, read_deck(speed_deck.speed_deck())) == ()


def test_every_edit_is_another_one() -> None:
    data = speed_deck.speed_deck()
    deck = read_deck(data)
    seen = set()
    for number in range(6):
        changes = diff_decks(deck, read_deck(speed_deck.edited(data, number)))
        assert 1 <= len(changes) <= 10
        seen.add(tuple(change.text for change in changes))
    assert len(seen) == 6


def parts(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as package:
        return {name: package.read(name) for name in package.namelist()}


def test_the_committed_deck_is_what_the_script_builds(tmp_path: Path) -> None:
    build_speed_deck.build(tmp_path / "built.pptx")
    built = parts(tmp_path / "built.pptx")
    committed = parts(Path(speed_deck.__file__).with_suffix(".pptx"))
    assert set(built) == set(committed)
    # Pictures and workbooks depend on the version of the library that encodes them.
    for part in sorted(built):
        if part.endswith((".xml", ".rels")):
            assert built[part] == committed[part], part
