import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from pptx.util import Inches
from typer.testing import CliRunner

from pptarena.cli import app
from pptarena.errors import DeckError

MakeDeck = Callable[..., Path]


@pytest.fixture
def make_deck(tmp_path: Path) -> MakeDeck:
    """Write a deck with a slide for each title; the last slide may hold a text box."""

    def make(name: str, *titles: str, box: str = "") -> Path:
        deck: Any = Presentation()
        for title in titles:
            slide = deck.slides.add_slide(deck.slide_layouts[5])
            slide.shapes.title.text = title
        if box:
            shape = slide.shapes.add_textbox(Inches(1), Inches(3), Inches(4), Inches(1))
            shape.text_frame.text = box
        path = tmp_path / name
        deck.save(str(path))
        return path

    return make


@pytest.fixture
def decks(make_deck: MakeDeck) -> tuple[Path, Path]:
    """Two decks of one slide that differ in the title."""
    return make_deck("a.pptx", "Harvest"), make_deck("b.pptx", "Harvest [2026]")


def _run(*arguments: object) -> Any:
    return CliRunner().invoke(app, [str(each) for each in arguments])


def test_changes_as_json(decks: tuple[Path, Path]) -> None:
    result = _run("decks", "diff", *decks, "--json")
    assert result.exit_code == 0
    (change,) = json.loads(result.stdout)["changes"]
    assert (change["kind"], change["slide"]) == ("text_changed", 1)
    assert (change["value_before"], change["value_after"]) == ("Harvest", "Harvest [2026]")


def test_json_keeps_long_values(make_deck: MakeDeck) -> None:
    long = "A title that is longer than any line could show in one piece " * 3
    result = _run("decks", "diff", make_deck("a.pptx", "A"), make_deck("b.pptx", long), "--json")
    (change,) = json.loads(result.stdout)["changes"]
    assert change["value_after"] == long.rstrip()
    assert len(change["after"]) < 80


def test_changes_as_lines(decks: tuple[Path, Path]) -> None:
    result = _run("decks", "diff", *decks)
    assert result.exit_code == 0
    assert "'Harvest' -> 'Harvest [2026]'" in result.stdout
    assert "1 change\n" in result.stdout


def test_lines_are_grouped_by_slide(make_deck: MakeDeck) -> None:
    a = make_deck("a.pptx", "One", "Two", "Three", "Four")
    b = make_deck("b.pptx", "Two", "Fresh words", "One", "Four", box="A note")
    lines = _run("decks", "diff", a, b).stdout.splitlines()
    headings = [line for line in lines if not line.startswith("  • ")]
    assert headings[-1] == "3 changes" or headings[-1].endswith("changes")
    assert "slide 4: Four" in headings
    at = lines.index("slide 4: Four")
    assert lines[at + 1] == "  • shape added: the text box 'TextBox 2'"
    assert any(line.startswith("slide 1 (now 3): One") for line in headings) or any(
        line.startswith("slide 2 (now 1): Two") for line in headings
    )


def test_no_changes(decks: tuple[Path, Path]) -> None:
    assert json.loads(_run("decks", "diff", decks[0], decks[0], "--json").stdout) == {"changes": []}
    result = _run("decks", "diff", decks[0], decks[0], "--exit-code")
    assert "no changes" in result.stdout
    assert result.exit_code == 0


def test_exit_code_can_signal_changes(decks: tuple[Path, Path]) -> None:
    result = _run("decks", "diff", *decks, "--exit-code")
    assert result.exit_code == 3
    assert "1 change\n" in result.stdout


def test_error_names_the_unreadable_deck(decks: tuple[Path, Path], tmp_path: Path) -> None:
    for bad in (tmp_path / "nowhere.pptx", tmp_path / "words.pptx"):
        (tmp_path / "words.pptx").write_text("no deck")
        result = _run("decks", "diff", decks[0], bad)
        assert result.exit_code == 1
        assert isinstance(result.exception, DeckError)
        assert bad.name in str(result.exception)


def test_missing_argument_is_a_usage_error(decks: tuple[Path, Path]) -> None:
    assert _run("decks", "diff", decks[0]).exit_code == 2


def test_help_has_an_example_and_the_exit_codes() -> None:
    output = _run("decks", "diff", "--help").stdout
    assert "pptarena decks diff" in output
    assert "Exit codes" in output
