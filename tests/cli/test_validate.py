import json
from pathlib import Path
from zipfile import ZipFile

import pytest
from pptx import Presentation
from typer.testing import CliRunner

from pptarena.cli import app


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.pptx"
    Presentation().save(str(path))
    return path


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    path = tmp_path / "bad.pptx"
    deck = Presentation()
    deck.slides.add_slide(deck.slide_layouts[0])._element.set("show", "maybe")
    deck.save(str(path))
    return path


def test_valid_deck_passes(good: Path) -> None:
    result = CliRunner().invoke(app, ["decks", "validate", str(good)])
    assert (result.exit_code, result.stdout) == (0, f"{good}: valid\n")


def test_problems_are_lines_with_part_element_and_reason(good: Path, bad: Path) -> None:
    result = CliRunner().invoke(app, ["decks", "validate", str(good), str(bad)])
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[1] == f"{bad}: 1 repaired"
    location = "ppt/slides/slide1.xml/sld[1]"
    assert lines[2].startswith(f"  repaired: {location}: Invalid value for attribute 'show'")


def test_json(bad: Path, tmp_path: Path) -> None:
    other = tmp_path / "none.pptx"
    other.write_bytes(b"no zip")
    result = CliRunner().invoke(app, ["decks", "validate", "--json", str(bad), str(other)])
    assert result.exit_code == 1
    first, second = json.loads(result.stdout)["decks"]
    assert first["deck"] == str(bad)
    assert first["problems"][0]["part"] == "ppt/slides/slide1.xml"
    assert first["problems"][0]["severity"] == "repaired"
    assert "not a valid .pptx" in second["problems"][0]["reason"]
    assert second["problems"][0]["severity"] == "unreadable"


def test_harmless_problems_are_reported_as_unusual(tmp_path: Path) -> None:
    path, deck = tmp_path / "twice.pptx", Presentation()
    first, second = deck.slides.add_slide(deck.slide_layouts[0]).shapes
    second._element.nvSpPr.cNvPr.set("id", str(first.shape_id))
    deck.save(str(path))
    result = CliRunner().invoke(app, ["decks", "validate", str(path)])
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[0] == f"{path}: 2 unusual"
    assert lines[1].startswith("  unusual: ppt/slides/slide1.xml/sld[1]/cSld[1]/spTree[1]/sp[1]")


def test_deck_without_content_types_is_refused(good: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.pptx"
    with ZipFile(good) as before, ZipFile(broken, "w") as after:
        for name in before.namelist():
            after.writestr(name, b"<" if name == "[Content_Types].xml" else before.read(name))
    result = CliRunner().invoke(app, ["decks", "validate", "--json", str(broken)])
    assert result.exit_code == 1
    (problem,) = json.loads(result.stdout)["decks"][0]["problems"]
    assert (problem["severity"], problem["part"]) == ("refused", "[Content_Types].xml")
