"""``pptarena judge``: the dual judge as a command."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pptx import Presentation
from typer.testing import CliRunner

from pptarena.cli import app
from pptarena.decks import read_deck

Decks = tuple[Path, Path]


class Painter:
    """Draws a slide as a shade of its words."""

    def render(self, deck: bytes) -> tuple[bytes, ...]:
        made = []
        for slide in read_deck(deck).slides:
            stream = io.BytesIO()
            shade = sum(slide.title.encode()) % 256
            Image.new("RGB", (64, 36), (shade, shade, shade)).save(stream, "PNG")
            made.append(stream.getvalue())
        return tuple(made)


@pytest.fixture
def decks(tmp_path: Path) -> Decks:
    paths = []
    for name, title in (("before", "Harvest"), ("after", "Winter")):
        deck: Any = Presentation()
        deck.slides.add_slide(deck.slide_layouts[5]).shapes.title.text = title
        deck.save(str(tmp_path / f"{name}.pptx"))
        paths.append(tmp_path / f"{name}.pptx")
    return paths[0], paths[1]


@pytest.fixture
def judge(decks: Decks, server: Any, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    monkeypatch.setenv("PPTARENA_JUDGE_MODEL", "m")
    monkeypatch.setenv("PPTARENA_JUDGE_URL", server.url)
    monkeypatch.setattr("pptarena.vm_images.office.Office", Painter)

    def run(*arguments: object, deck: Path = decks[1], asked: str = "Say Winter.") -> Any:
        options = [
            "decks",
            "judge",
            deck,
            "--original",
            decks[0],
            "--instruction",
            asked,
            *arguments,
        ]
        return CliRunner().invoke(app, [str(each) for each in options])

    return run


@pytest.mark.slow
def test_both_judges_are_used(judge: Any, server: Any) -> None:
    slides = '{"slides": [{"slide": "1", "score": 3, "reason": "plain"}]}'
    server.script = ['{"score": 4, "reason": "almost"}', slides]
    results = json.loads(judge("--style", "Short words.", "--json").stdout)
    assert results["score"] == pytest.approx(0.8 * (1 + 0.6) / 2)
    assert results["published_score"] == pytest.approx(0.7)
    assert results["visual"]["slides"][0]["reason"] == "plain"
    assert all("Short words." in json.dumps(request) for request in server.requests)
    server.script = ['{"score": 4, "reason": "almost"}', slides]
    output = judge().stdout
    assert "instruction 4 of 5: almost" in output
    assert "slide 1: 3: plain" in output


def test_reference_deck_needs_no_model(judge: Any, server: Any, decks: Decks) -> None:
    results = json.loads(judge("--reference", decks[1], "--json").stdout)
    assert (results["score"], server.requests) == (1.0, [])


def test_unchanged_deck_scores_0(judge: Any, server: Any, decks: Decks) -> None:
    output = judge(deck=decks[0]).stdout
    assert "score 0.00" in output
    assert server.requests == []


def test_missing_inputs_are_reported(
    judge: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert "--instruction is empty" in str(judge(asked=" ").exception)
    assert "none.pptx" in str(judge(deck=tmp_path / "none.pptx").exception)
    monkeypatch.delenv("PPTARENA_JUDGE_MODEL")
    assert "Set PPTARENA_JUDGE_MODEL to" in str(judge().exception)
