from dataclasses import dataclass, field
from typing import Any

import pytest
from tests.each_case import each_case

from pptarena.errors import RubricError
from pptarena.rewards import load_rubric, score
from pptarena.rewards.judges.protocol import EditQuestion, SlideQuestion, TextQuestion, Verdict

NAMES = ("judge", "visual_judge")


@dataclass
class RecordingJudge:
    """A judge that records its questions and always gives the same verdict."""

    value: float = 0.6
    text: list[TextQuestion] = field(default_factory=list)
    slides: list[SlideQuestion] = field(default_factory=list)
    edits: list[EditQuestion] = field(default_factory=list)

    def judge_edit(self, question: EditQuestion) -> Verdict:
        self.edits.append(question)
        return Verdict(self.value, "stub reason")

    def judge_text(self, question: TextQuestion) -> Verdict:
        self.text.append(question)
        return Verdict(self.value, "stub reason")

    def judge_slides(self, question: SlideQuestion) -> Verdict:
        self.slides.append(question)
        return Verdict(self.value, "stub reason")


def leaf(name: str, **args: Any) -> dict[str, Any]:
    return {"name": name, "check": name, "args": {"question": "Is it so?", **args}}


def retitle(*numbers: int) -> Any:
    def edit(deck: Any) -> None:
        for number in numbers:
            deck.slides[number - 1].shapes.title.text = f"Changed {number}"

    return edit


def scored(lab: Any, root: dict[str, Any], judge: Any, edit: Any = None) -> Any:
    rubric = load_rubric({"version": 1, "root": root})
    current = lab.original if edit is None else lab.edited(edit)
    return score(rubric, lab.original, current, None, judge)


@each_case("name", NAMES)
def test_missing_judge_is_unscored(lab: Any, name: str) -> None:
    node = scored(lab, leaf(name, slide=1), None, retitle(1))
    assert node.score is None
    assert node.reason == "unscored: no judge is configured"
    assert node.to_json()["judged_share"] == 0


@each_case("name", NAMES)
def test_judge_answer_becomes_the_score(lab: Any, name: str) -> None:
    judge = RecordingJudge()
    node = scored(lab, leaf(name, slide=1), judge, retitle(1))
    assert (node.score, node.reason) == (0.6, "stub reason")
    assert len(judge.text) + len(judge.slides) == 1
    assert "judged_share" not in node.to_json()


@pytest.mark.slow
@each_case("name", NAMES)
@each_case("goal, expected", [(True, 0.0), (False, 1.0)])
def test_unchanged_deck_is_scored_without_the_judge(
    lab: Any, name: str, goal: bool, expected: float
) -> None:
    judge = RecordingJudge()
    for target in ({"slide": 1}, {"slides": "all"}, {"slides": [1, 2]}):
        node = scored(lab, leaf(name, goal=goal, **target), judge, lambda deck: None)
        assert node.score == expected
    assert not judge.text
    assert not judge.slides


def test_judge_gets_only_the_named_slides(lab: Any) -> None:
    judge = RecordingJudge()
    assert scored(lab, leaf("judge", slide=3), judge, retitle(1)).score == 0
    scored(lab, leaf("judge", slides=[1, 2]), judge, retitle(1, 4))
    scored(lab, leaf("judge", slides="all"), judge, retitle(1, 4))
    named, whole_deck = judge.text
    assert [slide.index for slide in named.current] == [0, 1]
    assert {change.slide for change in named.changes} == {1}
    assert [slide.index for slide in whole_deck.original] == [0, 3]
    assert {change.slide for change in whole_deck.changes} == {1, 4}


def test_judge_gets_added_and_removed_slides(lab: Any) -> None:
    def edit(deck: Any) -> None:
        deck.slides.add_slide(deck.slide_layouts[1]).shapes.title.text = "Quite new"
        lab.delete_slide(deck, 1)

    judge = RecordingJudge()
    scored(lab, leaf("judge", slides="all"), judge, edit)
    scored(lab, leaf("judge", slide_new=1), judge, edit)
    scored(lab, leaf("visual_judge", slides="all"), judge, edit)
    scored(lab, leaf("visual_judge", slide=2), judge, edit)
    assert {change.kind for change in judge.text[0].changes} == {"slide_removed", "slide_added"}
    assert [slide.title for slide in judge.text[1].current] == ["Quite new"]
    assert judge.text[1].original == ()
    whole_deck, removed = judge.slides
    assert [(pair.before, pair.after is None) for pair in whole_deck.slides] == [(None, False)]
    assert [(pair.before, pair.after) for pair in removed.slides] == [(1, None)]
    assert (whole_deck.skip_unchanged, removed.skip_unchanged) == (True, False)


def test_score_out_of_range_is_unscored(lab: Any) -> None:
    node = scored(lab, leaf("judge", slide=1), RecordingJudge(value=4), retitle(1))
    assert node.score is None
    assert "expected a score from 0 to 1" in node.reason


def test_tree_reports_the_judged_share(lab: Any) -> None:
    inner = {"name": "inner", "children": [leaf("judge", slide=1), leaf("visual_judge", slide=1)]}
    title = {"name": "title", "check": "title_is", "args": {"slide": 1, "text": "Changed 1"}}
    root = {"name": "root", "children": [title, {"name": "i", "children": [title, inner]}]}
    node = scored(lab, root, None, retitle(1))
    assert node.score == 1
    assert node.judged_share == 0.75
    assert node.to_json()["judged_share"] == 0.75
    assert node.reason.startswith("75% of the items below were scored")
    assert node.children[1].reason.startswith("1 of 2 parts were scored")


@each_case("name", NAMES)
def test_questions_are_checked_at_load_time(name: str) -> None:
    for args, message in (
        ({"slide": 1, "question": " "}, "non-empty question"),
        ({"question": "Is it so?"}, "exactly one of slide"),
        ({"slide": 1, "question": "Is it so?", "goal": 1}, "args/goal: expected bool"),
    ):
        with pytest.raises(RubricError, match=message):
            load_rubric({"version": 1, "root": {"name": "x", "check": name, "args": args}})


EDIT = {"name": "edit", "check": "edit_judge", "args": {"instruction": "Retitle slide 1."}}


def test_edit_judge_gets_instruction_and_style(lab: Any) -> None:
    judge = RecordingJudge()
    styled = {**EDIT, "args": {**EDIT["args"], "style": "short"}}  # type: ignore[dict-item]
    node = scored(lab, styled, judge, retitle(1))
    assert (node.score, node.reason) == (0.6, "stub reason")
    assert judge.edits == [EditQuestion("Retitle slide 1.", "short")]
    assert scored(lab, EDIT, judge, lambda deck: None).score == 0.0
    assert len(judge.edits) == 1, "an unchanged deck needs no judge"


def test_edit_judge_without_a_valid_answer_is_unscored(lab: Any) -> None:
    assert scored(lab, EDIT, None, retitle(1)).score is None
    node = scored(lab, EDIT, RecordingJudge(value=4), retitle(1))
    assert node.score is None
    with pytest.raises(RubricError, match="non-empty question"):
        load_rubric({"version": 1, "root": {**EDIT, "args": {"instruction": " "}}})
