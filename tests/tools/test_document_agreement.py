"""The comparison of scores on documents and on screens: what it counts, names and leaves out."""

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pptarena.agents.goal_agent import GoalAgent
from pptarena.decks import read_deck
from pptarena.rollouts.env import make_document_env
from pptarena.rollouts.play import play
from pptarena.tasks import get_task
from tools import document_agreement as tool

TASK = get_task("meridian-hide-backup")
Told = Callable[..., tuple[int, list[dict[str, Any]]]]


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Told:
    """Run the tool; return its exit status and what it printed, line by line."""

    def run(*arguments: str) -> tuple[int, list[dict[str, Any]]]:
        monkeypatch.setattr("sys.argv", ["document_agreement.py", *arguments])
        status = 0
        try:
            tool.main()
        except SystemExit as ended:
            status = int(ended.code or 0)
        return status, [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return run


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    """A folder of one stored episode, played to its goal on a document."""
    env = make_document_env()
    place = tmp_path / "runs/goal" / TASK.id / "seed-0"
    try:
        play(
            env,
            GoalAgent([TASK]),
            agent_name="goal",
            task=TASK,
            seed=0,
            place=place,
            failed_place=place.with_name("failed"),
        )
    finally:
        env.close()
    return place


def as_of_a_screen(episode: Path, **changes: Any) -> None:
    """Let an episode of a document be taken for one of a screen."""
    meta = json.loads((episode / "meta.json").read_text("utf-8"))
    (episode / "meta.json").write_text(json.dumps(meta | {"machine": "sandbox"} | changes), "utf-8")


@pytest.mark.parametrize(
    ("rows", "status", "counts", "causes"),
    [
        ([(0.5, 0.5), (1.0, 1.0)], 0, (2, 2, 0), {}),
        ([(0.5, 0.5 + 1e-12)], 0, (1, 1, 0), {}),
        ([(0.5, 0.5 + 1e-6), (1.0, 1.0)], 1, (2, 1, 1), {"why": 1}),
        ([(1.0, None)], 1, (1, 0, 1), {"why": 1}),
        ([], 0, (0, 0, 0), {}),
    ],
)
def test_one_deck_that_differs_is_counted_and_ends_with_1(
    told: Told,
    monkeypatch: pytest.MonkeyPatch,
    rows: list[tuple[float, float | None]],
    status: int,
    counts: tuple[int, int, int],
    causes: dict[str, int],
) -> None:
    lines = [{"screen": one, "document": other, "cause": "why"} for one, other in rows]
    monkeypatch.setattr(tool, "_files", lambda *_: iter(lines))
    ended, (*_, last) = told()
    assert ended == status
    assert (last["decks"], last["agree"], last["differ"]) == counts
    assert (last["causes"], last["left_out"]) == (causes, {})


def test_the_lowest_parts_that_differ_are_named() -> None:
    leaf = {"name": "size", "score": 0.5, "reason": "12 pt", "children": []}
    other = leaf | {"score": 1.0, "reason": "14 pt"}
    same = leaf | {"name": "bold"}
    root = {"name": "root", "score": 0.5, "reason": ""}
    found = tool._differences(root | {"children": [same, leaf]}, root | {"children": [same, other]})
    assert list(found) == ["size: 0.5 and 1.0, '12 pt' on the screen, '14 pt' on the document"]
    assert list(tool._differences(root, root | {"score": 1.0, "reason": "all"})) == [
        "root: 0.5 and 1.0, '' on the screen, 'all' on the document"
    ]
    assert list(tool._differences(root, root)) == []


def test_every_way_of_spoiling_a_goal_makes_another_deck() -> None:
    decks = {name: read_deck(files[-1]) for name, files in tool._variants(TASK)}
    assert list(decks) == ["goal", "a slide gone", "a title spoilt", "only a title spoilt"]
    goal, original = decks["goal"], read_deck(TASK.deck_bytes())
    assert len(decks["a slide gone"].slides) == len(goal.slides) - 1
    titles = {
        name: [shape.text for slide in deck.slides for shape in slide.shapes].count("Spoilt")
        for name, deck in decks.items()
    }
    assert titles == {"goal": 0, "a slide gone": 0, "a title spoilt": 1, "only a title spoilt": 1}
    hidden = [[slide.hidden for slide in deck.slides] for deck in (decks["a title spoilt"], goal)]
    assert hidden[0] == hidden[1]
    assert [slide.hidden for slide in original.slides] == [
        slide.hidden for slide in decks["only a title spoilt"].slides
    ]


@pytest.mark.slow
def test_of_several_turns_the_goals_of_all_are_compared() -> None:
    files = dict(tool._variants(get_task("kanto-rehearsal")))
    whole, spoilt = (files[name] for name in list(files)[-2:])
    assert len(whole) == len(spoilt) == 3
    assert whole[:2] == spoilt[:2]
    assert whole[2] != spoilt[2]


@pytest.mark.slow
def test_episodes_that_say_nothing_are_left_out_by_their_reason(
    told: Told, stored: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = str(stored.parents[2])
    status, (row, last) = told("--runs", runs)
    assert (status, row["left out"]) == (0, "played on a document")
    assert (last["decks"], last["left_out"]) == (0, {"played on a document": 1})
    reasons = []
    for changes in ({"score": None}, {"overload": "memory"}, {"task_digest": "0" * 64}):
        as_of_a_screen(stored, **({"score": 1.0, "overload": None} | changes))
        reasons.append(told("--runs", runs)[1][0]["left out"].split(":")[0])
    assert reasons == ["not scored", "overload", "the task is another one here"]
    (stored / "final.pptx").unlink()
    assert told("--runs", runs)[1][0]["left out"] == "no final deck"
    two = SimpleNamespace(turns=(1, 2))
    monkeypatch.setattr(tool, "get_task", lambda _: two)
    (stored / "final.pptx").write_bytes(b"")
    as_of_a_screen(stored, overload=None, score=1.0)
    assert told("--runs", runs)[1][0]["left out"] == "the deck of a turn is not stored"


@pytest.mark.image
def test_a_goal_and_its_spoilt_decks_score_the_same_on_both_sides(
    told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tool, "list_tasks", lambda _: [TASK])
    status, (*rows, last) = told("--suites", "starter")
    assert (status, last["decks"], last["agree"]) == (0, 4, 4)
    scores = {row["deck"]: row["screen"] for row in rows}
    assert (scores["goal"], scores["only a title spoilt"]) == (1.0, 0.0)
    assert 0 < scores["a title spoilt"] < 1
    assert all(row["document"] == row["screen"] for row in rows)


@pytest.mark.image
def test_a_stored_score_that_the_document_does_not_give_is_found(told: Told, stored: Path) -> None:
    as_of_a_screen(stored)
    runs = str(stored.parents[2])
    assert told("--runs", runs)[0] == 0
    as_of_a_screen(stored, score=0.5)
    status, (row, last) = told("--runs", runs)
    assert (status, row["screen"], row["document"]) == (1, 0.5, 1.0)
    assert last["causes"] == {row["cause"]: 1}
    (stored / "final.pptx").write_bytes(TASK.deck_bytes())
    status, (row, last) = told("--runs", runs)
    assert (status, row["document"]) == (1, 0.0)
    assert "on the screen" in row["cause"]
