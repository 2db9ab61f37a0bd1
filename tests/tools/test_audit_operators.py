"""The audit of operators: what it finds of one, and what it says of that."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.enum.shapes import MSO_CONNECTOR
from pptx.oxml.ns import qn

from pptarena.decks.presentation import save_presentation
from pptarena.errors import ConfigError
from pptarena.tasks.deck_files import read_deck_file
from pptarena.tasks.quality.attacks import ALLOWED_GAIN, ATTACKS, AttackResult
from pptarena.tasks.quality.attacks.tools import words_picture
from tools.audit_operators import audit, audit_operator, main
from tools.operator_results import OperatorFound, ResultFolder, Settings, summary

pytestmark = pytest.mark.slow


@pytest.fixture
def decks(tmp_path: Path) -> Path:
    (tmp_path / "meridian.pptx").write_bytes(read_deck_file("meridian"))
    (tmp_path / "broken.pptx").write_bytes(b"no deck")
    return tmp_path


def test_an_operator_is_proven_and_read_back_and_one_in_ten_attacked(decks: Path) -> None:
    settings = Settings(count=3, decks=decks, machine="fake")
    found = audit_operator(settings, "set-title")
    assert (found.tasks, found.decks, found.attacked, found.unread) == (3, 1, 1, [])
    assert len(found.attacks) > 20
    assert found.cheats == []
    assert "3 proven on 1 decks, 3 read back" in summary(found)


def test_an_operator_without_a_place_does_not_hold(decks: Path) -> None:
    found = audit_operator(Settings(count=3, decks=decks, machine="fake"), "delete-media")
    assert (found.tasks, found.held) == (0, False)
    assert "0 proven on 0 decks, all that the decks give" in summary(found)


def test_cheats_and_damage_are_told_apart() -> None:
    cheat = AttackResult("t", "words off the slide", 0.4, 0.0, ok=False)
    free = AttackResult("t", "everything bold", 1.0, 0.6, ok=False, spoils=True)
    mild = AttackResult("t", "on a heap", 0.5, 0.2, ok=False, spoils=True)
    nearly = AttackResult("t", "a larger picture", 0.93, 0.9, ok=True, spoils=True)
    honest = AttackResult("t", "hidden", 0.0, 0.0, ok=True)
    found = OperatorFound("set-title", 200, 200, 4, Counter({"no": 2}), [], 20)
    found.attacks = [(each, "a deck") for each in (honest, mild, nearly)]
    assert found.held
    found.attacks += [(each, "a deck") for each in (cheat, free)]
    assert not found.held
    assert [each for each, _ in found.cheats] == [cheat]
    assert [each for each, _ in found.cheap] == [free]
    assert [each for each, _ in found.mild] == [free, mild]
    words = summary(found)
    assert "5 attacks on 20: 1 gain, 1 spoil for nothing" in words
    assert "2 thrown away (no 2)" in words
    assert "words off the slide 0.40 for 0.00: a deck" in words


def _found() -> OperatorFound:
    attack = AttackResult("t", "everything bold", 1.0, 0.6, ok=False, spoils=True)
    found = OperatorFound("set-title", 2, 2, 1, Counter({"no": 2, "why": 1}), ["unread"], 1)
    found.attacks = [(attack, "a deck")]
    return found


def test_a_folder_keeps_all_that_was_found(tmp_path: Path) -> None:
    folder = ResultFolder(tmp_path / "kept", Settings(count=2))
    assert folder.read("set-title") is None
    folder.write(_found())
    assert folder.read("set-title") == _found()
    assert [file.name for file in (tmp_path / "kept").iterdir()] == ["set-title.json"]


def test_results_of_another_run_are_refused(tmp_path: Path) -> None:
    ResultFolder(tmp_path, Settings(count=2)).write(_found())
    with pytest.raises(ConfigError, match="take another folder"):
        ResultFolder(tmp_path, Settings(count=3)).read("set-title")
    (tmp_path / "set-title.json").write_text("{}", encoding="utf-8")
    with pytest.raises(ConfigError, match="no result of this audit"):
        ResultFolder(tmp_path, Settings(count=2)).read("set-title")


def test_a_run_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    names = ("set-title", "hide-slide")
    out = tmp_path / "kept"
    settings = Settings(2, decks=_usual(tmp_path), machine="fake", out=out)
    ResultFolder(out, settings).write(_found())
    first, second = audit(settings, names)
    assert (first.name, second.name) == names
    assert "everything bold 1.00 for 0.60" in summary(first)  # as it was kept, not tried again
    assert second.held
    assert (out / "hide-slide.json").exists()


def test_the_command_reports_all_operators(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = [
        "--decks",
        str(_usual(tmp_path)),
        "--machine",
        "fake",
        "--count",
        "1",
        "--workers",
        "1",
    ]
    assert main(["--operators", "set-title,delete-media", *options]) == 1
    printed = capsys.readouterr().out
    assert "set-title: 1 proven on 1 decks, 1 read back" in printed
    assert "FAILED delete-media: 0 proven" in printed
    assert '"operators": 2' in printed


def test_an_unknown_operator_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--operators", "no-such-edit"])
    assert "unknown operator 'no-such-edit'" in capsys.readouterr().err


def _attack(decks: Path, operator: str, name: str, seed: int = 0) -> AttackResult:
    settings = Settings(count=1, decks=decks, machine="fake", seed=seed)
    found = audit_operator(settings, operator, [each for each in ATTACKS if each.name == name])
    [(result, _)] = found.attacks
    return result


def _usual(folder: Path, edit: Callable[[Any], object] = lambda deck: None) -> Path:
    """Write a deck of three slides of the usual template, such as a new file gives back."""
    deck = Presentation()
    for number in range(3):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = f"Chapter {number}"
        slide.placeholders[1].text = f"It is about part {number}\nand about nothing else"
    edit(deck)
    # Draws follow the bytes of the file, which python-pptx itself dates with the current time.
    (folder / "usual.pptx").write_bytes(save_presentation(deck))
    return folder


def test_a_new_file_earns_what_it_gives_back_of_a_small_deck(tmp_path: Path) -> None:
    def boxed(deck: Any) -> None:
        deck.slides[0].shapes.add_shape(1, 0, 0, 900_000, 900_000).text = "A box"

    result = _attack(_usual(tmp_path, boxed), "insert-slide", "only the words of the goal")
    assert result.score > ALLOWED_GAIN
    assert result.deserved > ALLOWED_GAIN
    assert result.ok


def test_a_new_file_earns_nothing_of_other_decks(decks: Path, tmp_path: Path) -> None:
    words = "only the words of the goal"
    assert _attack(decks, "insert-slide", words).deserved == 0

    def boxed(deck: Any) -> None:
        for slide in deck.slides:
            for number in range(6):
                box = slide.shapes.add_shape(1, 0, number * 900_000, 900_000, 900_000)
                box.text = f"Box {number}"

    # Title and body come back, but they are only a quarter of what each slide had.
    folder = tmp_path / "boxed"
    folder.mkdir()
    result = _attack(_usual(folder, boxed), "insert-slide", words)
    assert (result.score, result.deserved) == (0, 0)


def test_new_words_may_be_bold_where_a_deck_has_no_others(decks: Path, tmp_path: Path) -> None:
    def emptied(deck: Any) -> None:
        for slide in deck.slides:
            for shape in slide.placeholders:
                shape.text = ""

    bold = "goal, everything bold and italic"
    folder = tmp_path / "emptied"
    folder.mkdir()
    assert _attack(_usual(folder, emptied), "fill-placeholder", bold).deserved == 1
    assert _attack(decks, "set-title", bold).deserved < 0.65


def test_one_box_on_each_of_many_slides_costs_half(decks: Path) -> None:
    result = _attack(decks, "add-text-box", "every answer on every slide")
    assert result.ok
    assert result.deserved < 0.55


def test_words_in_the_backgrounds_colour_are_so_before_a_chart_too(tmp_path: Path) -> None:
    def charted(deck: Any) -> None:
        kind: Any = CategoryChartData  # which is not typed
        data = kind()
        data.categories = ["Rome", "Oslo"]
        data.add_series("Cost", (12, 9))
        size = 0, 0, deck.slide_width, deck.slide_height
        for slide in deck.slides:
            slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *size, data)

    name = "words in the background's colour"
    result = _attack(_usual(tmp_path, charted), "add-text-box", name)
    assert result.score == 0


def test_a_turned_line_is_covered_whole(tmp_path: Path) -> None:
    def drawn(deck: Any) -> None:
        for slide in deck.slides:
            kind = MSO_CONNECTOR.STRAIGHT
            line = slide.shapes.add_connector(kind, 900_000, 4_900_000, 3_700_000, 4_900_000)
            line._element.spPr.xfrm.set("rot", "5400000")

    result = _attack(_usual(tmp_path, drawn), "line-color", "goal, under another shape")
    assert result.score == 0


def test_a_picture_of_nothing_cannot_be_hidden(tmp_path: Path) -> None:
    def shown(deck: Any) -> None:
        for slide in deck.slides:
            for shape in list(slide.placeholders):
                shape._element.getparent().remove(shape._element)
            picture = slide.shapes.add_picture(words_picture("a film"), 0, 0)
            for blip in list(picture._element.iter(qn("a:blip"))):
                blip.getparent().remove(blip)

    settings = Settings(count=1, decks=_usual(tmp_path, shown), machine="fake")
    chosen = [each for each in ATTACKS if each.name in ("goal, hidden", "the original")]
    assert len(chosen) == 2
    found = audit_operator(settings, "duplicate-slide", chosen)
    assert [result.attack for result, _ in found.attacks] == ["the original"]


def test_looks_of_new_words_are_counted_one_by_one(decks: Path) -> None:
    emptied = decks / "emptied"
    emptied.mkdir()
    deck = Presentation()
    for _ in range(3):
        deck.slides.add_slide(deck.slide_layouts[1])
    (emptied / "empty.pptx").write_bytes(save_presentation(deck))
    name = "goal, every look at once"
    tried = [_attack(emptied, "insert-titled-slide", name, seed) for seed in range(5)]
    assert all(result.ok and result.deserved == pytest.approx(0.85) for result in tried)
    # Which looks are tried is drawn with the task: seldom is only one of them seen.
    scores = [result.score for result in tried]
    assert max(scores) < 0.93
    assert min(scores) < 0.85


@pytest.mark.parametrize("operator", ["show-slide", "no-animations"])
def test_what_undoes_an_edit_is_tried_where_it_was_made(operator: str, tmp_path: Path) -> None:
    found = audit_operator(Settings(count=2, decks=_usual(tmp_path), machine="fake"), operator)
    assert (found.tasks, found.attacked, found.unread) == (2, 1, [])
    assert found.cheats == []


def test_a_theme_frees_no_other_looks(decks: Path) -> None:
    result = _attack(decks, "theme-accent", "goal, other letters of 1 pt")
    assert result.ok
