"""Write two cases in the format of UIUC's PPTArena.

python examples/papers/uiuc_cases.py FOLDER
"""

import json
import sys
from pathlib import Path
from typing import Any

from pptx import Presentation


def _deck(path: Path, title: str, *, bold: bool = False) -> None:
    deck: Any = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = title
    slide.placeholders[1].text = "Wheat\nRye"
    for paragraph in slide.placeholders[1].text_frame.paragraphs:
        paragraph.runs[0].font.bold = bold or None
    path.parent.mkdir(parents=True, exist_ok=True)
    deck.save(str(path))


def _case(number: int, prompt: str, truth: str, category: str) -> dict[str, Any]:
    return {
        "name": f"Case {number}: {category}",
        "prompt": prompt,
        "style_target": "Only what the prompt names is changed.",
        "original": "Original/harvest.pptx",
        "ground_truth": f"GroundTruth/{truth}.pptx",
        "category": [category],
        "edit_type": "Text & Typography",
    }


def main() -> None:
    """Write decks and list of cases."""
    folder = Path(sys.argv[1])
    _deck(folder / "Original/harvest.pptx", "Harvest")
    _deck(folder / "GroundTruth/yield.pptx", "Yield")
    _deck(folder / "GroundTruth/bold.pptx", "Harvest", bold=True)
    cases = [
        _case(1, "Call the slide 'Yield'.", "yield", "Content"),
        _case(2, "Make the list bold.", "bold", "Styling"),
    ]
    (folder / "src").mkdir(exist_ok=True)
    (folder / "src/evaluation_pairs_refined.json").write_text(json.dumps(cases), "utf-8")


if __name__ == "__main__":
    main()
