"""Sessions are read from JSON lines; errors name the file and line."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation

from pptarena.benchmarks.pptc import label_decks, load_session, load_sessions
from pptarena.benchmarks.pptc.pptx_match import PositionRelation
from pptarena.errors import TaskError


def turn(index: int, **changes: Any) -> dict[str, Any]:
    return {
        "Turn": index,
        "User instruction": "Add a star. ## 0, star, slide, left.",
        "Feasible API sequence": "insert_star();align_slide_left();",
        "Base File": "base.pptx",
        "Label File": "label.pptx",
        "API Lack Base File": "lack_base.pptx",
        "API Lack Label File": "lack_label.pptx",
        **changes,
    }


def write(folder: Path, turns: list[Any], name: str = "session_7.json") -> Path:
    path = folder / name
    lines = [each if isinstance(each, str) else json.dumps(each) for each in turns]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def test_session_is_loaded(tmp_path: Path) -> None:
    second = turn(1, **{"User instruction": "Write “x”.", "Feasible API sequence": "delete_text()"})
    session = load_session(write(tmp_path, [turn(0), second]))
    assert (session.dataset, session.number) == (tmp_path.name, 7)
    first, other = session.turns
    assert first.instruction == "Add a star."
    assert first.relations == (PositionRelation(0, "star", "slide", "left"),)
    assert [call.name for call in first.calls] == ["insert_star", "align_slide_left"]
    assert (first.files.base, first.files.lack_label) == ("base.pptx", "lack_label.pptx")
    assert (other.index, other.instruction, other.relations) == (1, "Write “x”.", ())


def test_several_relations_are_loaded(tmp_path: Path) -> None:
    text = "Move. ## 0, a, b, top left ## 12, c, slide, center"
    (only,) = load_session(write(tmp_path, [turn(0, **{"User instruction": text})])).turns
    assert [str(each) for each in only.relations] == ["0, a, b, top left", "12, c, slide, center"]


def test_sessions_are_sorted_by_number(tmp_path: Path) -> None:
    for number in (10, 2):
        write(tmp_path, [turn(0)], f"session_{number}.json")
    write(tmp_path, [turn(0)], "session_x.json")
    assert [session.number for session in load_sessions(tmp_path)] == [2, 10]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 2: expected a JSON object"),
        ("[1]", "line 2: expected a JSON object, got list"),
        (turn(5), "line 2: Turn: expected 1, got 5"),
        (turn(1, Turn=True), "line 2: Turn: expected 1, got True"),
        (turn(1, **{"Base File": 3}), "line 2: Base File: expected a text, got int"),
        (turn(1, **{"User instruction": None}), "line 2: User instruction: expected a text"),
        (turn(1, **{"User instruction": "x ## 0, a, left"}), "line 2: .*expected '## slide"),
        (turn(1, **{"User instruction": "x ## a, b, c, left"}), "line 2: .*expected '## slide"),
        (
            turn(1, **{"Feasible API sequence": "a()" * 99_999}),
            "line 2: Feasible API sequence: .*at",
        ),
    ],
)
def test_malformed_line_is_reported(tmp_path: Path, line: Any, message: str) -> None:
    path = write(tmp_path, [turn(0), line])
    with pytest.raises(TaskError, match=message) as error:
        load_session(path)
    assert str(error.value).startswith(str(path))


def test_invalid_session_files_are_rejected(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match="found none"):
        load_sessions(tmp_path)
    with pytest.raises(TaskError, match="readable"):
        load_session(tmp_path / "session_1.json")
    with pytest.raises(TaskError, match="at least one turn"):
        load_session(write(tmp_path, []))
    with pytest.raises(TaskError, match=r"named session_<number>\.json"):
        load_session(write(tmp_path, [turn(0)], "other.json"))
    (tmp_path / "session_3.json").write_bytes(b"\xff\xfe")
    with pytest.raises(TaskError, match="UTF-8"):
        load_session(tmp_path / "session_3.json")


def test_unparsable_call_is_recorded_as_an_error(tmp_path: Path) -> None:
    label = 'choose_title();insert_text("a;b");set_bottom("table",pie_chart");insert_text("c")'
    session = load_session(write(tmp_path, [turn(0, **{"Feasible API sequence": label})]))
    (label_deck,) = label_decks(session)
    assert [error.call for error in label_deck.errors] == ['set_bottom("table",pie_chart")']
    slide = Presentation(BytesIO(label_deck.deck)).slides[0]
    assert slide.shapes.title.text == "a;bc"
