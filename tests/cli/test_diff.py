import json
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from typer.testing import CliRunner

from pptarena.cli import app
from pptarena.errors import DeckError


@pytest.fixture
def decks(tmp_path: Path) -> tuple[Path, Path]:
    """Two decks of one slide that differ in the title."""
    paths = tmp_path / "a.pptx", tmp_path / "b.pptx"
    for path, title in zip(paths, ("Harvest", "Harvest [2026]"), strict=True):
        deck = Presentation()
        deck.slides.add_slide(deck.slide_layouts[0]).shapes.title.text = title
        deck.save(str(path))
    return paths


def _run(*arguments: object) -> Any:
    return CliRunner().invoke(app, [str(each) for each in arguments])


def test_changes_as_json(decks: tuple[Path, Path]) -> None:
    result = _run("diff", *decks, "--json")
    assert result.exit_code == 0
    (change,) = json.loads(result.stdout)["changes"]
    assert (change["kind"], change["slide"]) == ("text_changed", 1)


def test_changes_as_lines(decks: tuple[Path, Path]) -> None:
    result = _run("diff", *decks)
    assert result.exit_code == 0
    assert "'Harvest' -> 'Harvest [2026]'" in result.stdout
    assert "1 change\n" in result.stdout


def test_no_changes(decks: tuple[Path, Path]) -> None:
    assert json.loads(_run("diff", decks[0], decks[0], "--json").stdout) == {"changes": []}
    assert "no changes" in _run("diff", decks[0], decks[0]).stdout


def test_an_unreadable_deck_fails(decks: tuple[Path, Path], tmp_path: Path) -> None:
    result = _run("diff", decks[0], tmp_path / "nowhere.pptx")
    assert result.exit_code == 1
    assert isinstance(result.exception, DeckError)


def test_a_missing_argument_is_wrong_use(decks: tuple[Path, Path]) -> None:
    assert _run("diff", decks[0]).exit_code == 2


def test_help_has_an_example() -> None:
    assert "pptarena diff" in _run("diff", "--help").stdout
