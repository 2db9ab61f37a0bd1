from typing import Any

import pytest

from pptarena.rewards import load_rubric, read_deck, score
from pptarena.rewards.judges import JudgeClient, RubricJudge
from pptarena.rewards.scoring import ScoredNode

POLITE = {"name": "polite", "check": "judge", "args": {"slide": 1, "question": "Is it polite?"}}
HAPPY = {"name": "title", "check": "title_is", "args": {"slide": 1, "text": "Dear reader"}}


def retitle(*numbers: int) -> Any:
    def edit(deck: Any) -> None:
        for number in numbers:
            deck.slides[number - 1].shapes.title.text = f"Changed {number}"

    return edit


def scored(
    lab: Any, leaf: dict[str, Any], edit: Any, client: JudgeClient | None, renderer: Any = None
) -> ScoredNode:
    edited = lab.edited_bytes(edit)
    rubric = load_rubric({"version": 1, "root": leaf})
    judge = None if client is None else RubricJudge(client, lab.base, edited, renderer)
    return score(rubric, lab.original, read_deck(edited), None, judge)


def visual(**slide_args: Any) -> dict[str, Any]:
    return {"name": "neat", "check": "visual_judge", "args": {"question": "Neat?", **slide_args}}


def test_text_judge_gets_facts(lab: Any, server: Any, make_client: Any) -> None:
    server.default = '{"score": 0.5, "reason": "half polite"}'
    node = scored(lab, POLITE, retitle(1), make_client())
    assert (node.score, node.reason, node.check) == (0.5, "half polite", "judge")
    (request,) = server.requests
    text = request["messages"][1]["content"]
    assert "Is it polite?" in text
    assert "Changed 1" in text
    assert "Annual report" in text


def test_invalid_answer_is_unscored(lab: Any, server: Any, make_client: Any) -> None:
    server.default = "yes"
    root = {"name": "root", "children": [POLITE, HAPPY]}
    node = scored(lab, root, retitle(1), make_client(repair_retries=1))
    assert node.children[0].score is None
    assert "unscored: no valid answer in 2 tries" in node.children[0].reason
    assert node.judged_share == 0.5


def test_spent_budget_is_unscored(lab: Any, server: Any, make_client: Any) -> None:
    again = {**POLITE, "name": "again", "args": {"slide": 1, "question": "And kind?"}}
    root = {"name": "root", "children": [POLITE, again]}
    node = scored(lab, root, retitle(1), make_client(max_calls=1))
    assert [child.score for child in node.children] == [1, None]
    assert "budget of 1 calls is spent" in node.children[1].reason


def test_visual_judge_rates_changed_slides(
    lab: Any, server: Any, make_client: Any, painter: Any, tools: Any
) -> None:
    server.default = tools.rate_all(0.5)
    node = scored(lab, visual(slides=[1, 2, 3]), retitle(1, 2), make_client(), painter)
    assert node.score == pytest.approx((0.5 + 0.5 + 0) / 3)
    assert "slide 3 (0.00): renders as before" in node.reason
    assert tools.judged_slides(server.requests[0]) == ["slide 1", "slide 2"]


def test_unchanged_slide_scores_one_if_change_is_no_goal(
    lab: Any, server: Any, make_client: Any, painter: Any, tools: Any
) -> None:
    server.default = tools.rate_all(0.5)
    node = scored(lab, visual(slides=[1, 3], goal=False), retitle(1), make_client(), painter)
    assert node.score == pytest.approx(0.75)


def test_all_slides_means_those_that_render_differently(
    lab: Any, server: Any, make_client: Any, painter: Any, tools: Any
) -> None:
    def edit(deck: Any) -> None:
        retitle(2)(deck)
        deck.slides[3].notes_slide.notes_text_frame.text = "cannot be seen"
        deck.slides.add_slide(deck.slide_layouts[1]).shapes.title.text = "Quite new"
        lab.delete_slide(deck, 4)

    server.default = tools.rate_all(1)
    node = scored(lab, visual(slides="all"), edit, make_client(), painter)
    assert node.score == 1
    (request,) = server.requests
    assert tools.judged_slides(request)[0] == "slide 2"
    assert tools.judged_slides(request)[1].startswith("new slide")
    assert len(tools.judged_slides(request)) == 2


def test_removed_slide_scores_0(lab: Any, server: Any, make_client: Any, painter: Any) -> None:
    def edit(deck: Any) -> None:
        lab.delete_slide(deck, 1)

    node = scored(lab, visual(slide=2), edit, make_client(), painter)
    assert node.score == 0
    assert "was removed" in node.reason
    assert server.requests == []


def test_visual_judge_without_a_renderer_is_unscored(
    lab: Any, server: Any, make_client: Any
) -> None:
    node = scored(lab, visual(slide=1), retitle(1), make_client())
    assert node.score is None
    assert node.reason == "unscored: no renderer of slides is configured"


def test_each_deck_is_rendered_once(
    lab: Any, server: Any, make_client: Any, painter: Any, tools: Any
) -> None:
    server.default = tools.rate_all(1)
    leaves = [visual(slide=1), {**visual(slide=2), "name": "again"}]
    node = scored(lab, {"name": "r", "children": leaves}, retitle(1, 2), make_client(), painter)
    assert node.score == 1
    assert len(painter.rendered) == 2
