"""How-to cards: which a model is told for which task."""

from pathlib import Path

import pytest

from pptarena.agents.model import ModelSettings
from pptarena.agents.model.knowledge import BUILTIN_CARDS, read_cards, select_cards
from pptarena.errors import ConfigError
from pptarena.tasks import list_tasks


@pytest.mark.parametrize(
    ("instruction", "title"),
    [
        ("Hide the backup slide.", "# Add, delete, duplicate, hide and move slides"),
        ("Let the logo fade in on a click.", "# Transitions and animations"),
        ("Set the value of Tents in the chart to 7.", "# Edit charts"),
        ("Make the last row of the table bold.", "# Edit tables"),
        ("Add the alternative text 'A map' to the picture.", "# Links, notes, comments"),
        ("Turn the arrow by 90 degrees.", "# Move, resize and rotate a shape"),
    ],
)
def test_best_card_comes_first(instruction: str, title: str) -> None:
    selected = select_cards(read_cards(BUILTIN_CARDS), instruction, 2)
    assert title in selected
    assert "Keywords:" not in selected
    assert selected.count("# ") <= 2


def test_every_packaged_task_has_a_matching_card() -> None:
    cards = read_cards(BUILTIN_CARDS)
    tasks = [task for task in list_tasks("starter") if task.feasible]
    assert all(select_cards(cards, task.instruction, 1) for task in tasks)


def test_cards_from_a_user_folder(tmp_path: Path) -> None:
    (tmp_path / "b.md").write_text("# Zebras\nKeywords: stripes\nPress Z.", "utf-8")
    (tmp_path / "a.txt").write_text("# Lions\nPress L.", "utf-8")
    cards = read_cards(str(tmp_path))
    assert select_cards(cards, "Give it stripes", 3) == "# Zebras\nPress Z."
    assert select_cards(cards, "Draw a lion", 3) == "# Lions\nPress L."
    assert select_cards(cards, "Nothing of it", 3) == ""


def test_invalid_cards_are_reported(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"expected 'impress' or a folder .* with 0"):
        ModelSettings(model="m", knowledge=str(tmp_path))
    (tmp_path / "a.md").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="cannot be read"):
        ModelSettings(model="m", knowledge=str(tmp_path))
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "a.md").write_text("x" * 9_000, "utf-8")
    with pytest.raises(ConfigError, match="at most 8000 characters"):
        ModelSettings(model="m", knowledge=str(tmp_path / "c"))
    with pytest.raises(ConfigError, match="knowledge_cards: expected more than 0"):
        ModelSettings(model="m", knowledge_cards=0)
