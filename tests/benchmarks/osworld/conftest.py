"""Copies of OSWorld in its own layout, with tasks of these tests."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.util import Emu

Edit = Callable[[Any], None]
Deck = Callable[..., bytes]
Write = Callable[..., Path]

DESKTOP = "/home/user/Desktop"
URL = "https://files.example/libreoffice_impress"


@pytest.fixture
def deck() -> Deck:
    """Return a function that builds a deck of three slides and applies edits."""

    def make(*edits: Edit) -> bytes:
        presentation = Presentation()
        for title, body in (
            ("Harvest", "Wheat\nRye"), ("Product Comparison", "Tents"), ("Prices", "Low"),
        ):  # fmt: skip
            slide = presentation.slides.add_slide(presentation.slide_layouts[1])
            slide.shapes.title.text = title
            slide.placeholders[1].text = body
        table = presentation.slides[2].shapes.add_table(2, 2, *map(Emu, (600_000,) * 4)).table
        for index, text in enumerate(("a", "b", "c", "d")):
            table.cell(index // 2, index % 2).text = text
        picture = io.BytesIO()
        from PIL import Image

        Image.new("RGB", (40, 30), "navy").save(picture, "PNG")
        for slide in (presentation.slides[0], presentation.slides[1]):
            picture.seek(0)
            slide.shapes.add_picture(picture, *map(Emu, (300_000, 3_000_000, 1_200_000, 900_000)))
        for edit in edits:
            edit(presentation)
        file = io.BytesIO()
        presentation.save(file)
        return file.getvalue()

    return make


def make_red(presentation: Any) -> None:
    paragraphs = presentation.slides[0].placeholders[1].text_frame.paragraphs
    for paragraph in paragraphs:
        paragraph.runs[0].font.color.rgb = RGBColor(255, 0, 0)  # type: ignore[no-untyped-call]
        paragraph.runs[0].font.bold = True


@pytest.fixture
def write(tmp_path: Path, deck: Deck) -> Write:
    """Return a function that writes a task and its files, and returns the folder of the copy."""

    def write_copy(
        evaluator: Any = None,
        *,
        id: str = "aa11-22",
        gold: bytes | None = None,
        files: tuple[tuple[str, bytes], ...] = (),
        original: bytes | None = None,
        **more: Any,
    ) -> Path:
        examples = tmp_path / "OSWorld/evaluation_examples/examples/libreoffice_impress"
        examples.mkdir(parents=True, exist_ok=True)
        folder = tmp_path / "files/libreoffice_impress" / id
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "farm.pptx").write_bytes(deck() if original is None else original)
        (folder / "farm_Gold.pptx").write_bytes(deck(make_red) if gold is None else gold)
        names = ["farm.pptx", *(name for name, _ in files)]
        for name, data in files:
            (folder / name).write_bytes(data)
        download = [{"url": f"{URL}/{id}/{each}", "path": f"{DESKTOP}/{each}"} for each in names]
        task = {
            "id": id,
            "snapshot": "libreoffice_impress",
            "instruction": "Make the list red and bold.",
            "source": "https://example.org",
            "config": [
                {"type": "download", "parameters": {"files": download}},
                {"type": "open", "parameters": {"path": f"{DESKTOP}/farm.pptx"}},
            ],
            "evaluator": comparison(id) if evaluator is None else evaluator,
            "proxy": False,
            **more,
        }
        (examples / f"{id}.json").write_text(json.dumps(task), "utf-8")
        return tmp_path

    return write_copy


def comparison(id: str, options: Any = None, name: str = "farm_Gold.pptx") -> dict[str, Any]:
    return {
        "postconfig": [{"type": "sleep", "parameters": {"seconds": 0.5}}],
        "func": "compare_pptx_files",
        "expected": {"type": "cloud_file", "path": f"{URL}/{id}/{name}", "dest": name},
        "result": {"type": "vm_file", "path": f"{DESKTOP}/farm.pptx", "dest": "farm.pptx"},
        "options": {} if options is None else options,
    }
