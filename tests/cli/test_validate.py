import json
from pathlib import Path

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


def test_a_valid_deck(good: Path) -> None:
    result = CliRunner().invoke(app, ["validate", str(good)])
    assert (result.exit_code, result.stdout) == (0, f"{good}: valid\n")


def test_problems_are_lines_with_part_element_and_reason(good: Path, bad: Path) -> None:
    result = CliRunner().invoke(app, ["validate", str(good), str(bad)])
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[1] == f"{bad}: 1 problems"
    assert lines[2].startswith("  ppt/slides/slide1.xml/sld[1]: Invalid value for attribute 'show'")


def test_json(bad: Path, tmp_path: Path) -> None:
    other = tmp_path / "none.pptx"
    other.write_bytes(b"no zip")
    result = CliRunner().invoke(app, ["validate", "--json", str(bad), str(other)])
    assert result.exit_code == 1
    first, second = json.loads(result.stdout)["decks"]
    assert first["deck"] == str(bad)
    assert first["problems"][0]["part"] == "ppt/slides/slide1.xml"
    assert "not a valid .pptx" in second["problems"][0]["reason"]
