"""The judge of the paper: fields, screening and batches."""

import json
from typing import Any

import pytest

from pptarena.benchmarks.pptarena_uiuc import (
    PublishedJudge,
    SlideRating,
    published_style_target,
)
from pptarena.errors import JudgeError
from pptarena.rewards.judges import Verdict

INSTRUCTION_REPLY = (
    '{"instruction_following_score": 3, "instruction_following_reason": "a box is missing"}'
)
VISUAL_REPLY = '{"visual_quality_score": 2, "visual_quality_reason": "a gap"}'


def with_boxes(lab: Any, *numbers: int) -> bytes:
    def edit(deck: Any) -> None:
        for number in numbers:
            box = deck.slides[number - 1].shapes.add_textbox(0, 0, 3_000_000, 500_000)
            box.text_frame.text = f"Changed {number}"
            tree = box._element.getparent()
            tree.remove(box._element)
            tree.insert(2, box._element)  # first in z-order: the painter shows the first text

    edited: bytes = lab.edited_bytes(edit)
    return edited


def request_texts(request: dict[str, Any]) -> list[str]:
    content = request["messages"][1]["content"]
    return [part["text"] for part in content if part["type"] == "text"]


@pytest.mark.slow
def test_result_and_target_are_compared(
    lab: Any, server: Any, make_client: Any, painter: Any
) -> None:
    server.script = [INSTRUCTION_REPLY, VISUAL_REPLY]
    judge = PublishedJudge(make_client(), painter)
    verdict = judge.judge(
        "Add boxes.",
        lab.base,
        with_boxes(lab, 2),
        style_target="Two.",
        reference=with_boxes(lab, 2, 3),
    )
    assert verdict.instruction == Verdict(3, "a box is missing")
    facts_request, visual_request = server.requests
    assert "<<<SMART_DIFF" in facts_request["messages"][1]["content"]
    assert "Style target: Two." in facts_request["messages"][1]["content"]
    assert [text for text in request_texts(visual_request) if "slide" in text] == [
        "Ground Truth, slide 3:",
        "Prediction, slide 3:",
    ]
    assert verdict.visual is not None
    unjudged = [slide for slide in verdict.visual.slides if not slide.judged]
    assert SlideRating("2", 5.0, "looks as in the reference", judged=False) in unjudged
    count = len(verdict.visual.slides)
    assert verdict.visual.score == pytest.approx((5 * (count - 1) + 2) / count)


def test_equal_decks_need_no_request(lab: Any, server: Any, make_client: Any, painter: Any) -> None:
    judge = PublishedJudge(make_client(), painter)
    verdict = judge.judge("Nothing.", lab.base, lab.base, reference=lab.base)
    assert (verdict.instruction.score, verdict.published_score) == (5.0, 1.0)
    assert server.requests == []


def test_missing_slide_is_reported(lab: Any, server: Any, make_client: Any, painter: Any) -> None:
    server.script = [INSTRUCTION_REPLY, VISUAL_REPLY]

    def edit(deck: Any) -> None:
        lab.delete_slide(deck, len(deck.slides) - 1)

    current = lab.edited_bytes(edit)
    PublishedJudge(make_client(), painter).judge("Keep.", lab.base, current, reference=lab.base)
    assert request_texts(server.requests[1])[-1].endswith(": does not exist")


def test_target_deck_is_required(lab: Any, make_client: Any, painter: Any) -> None:
    with pytest.raises(JudgeError, match="has none"):
        PublishedJudge(make_client(), painter).judge("Add.", lab.base, lab.base)
    with pytest.raises(JudgeError, match="has none"):
        published_style_target(make_client(), "Add.", lab.base)


def test_style_target_is_written_from_two_decks(lab: Any, server: Any, make_client: Any) -> None:
    server.script = [json.dumps({"overview_instructions": "Add a box.", "notes": "On slide 2."})]
    target = published_style_target(make_client(), "secret", lab.base, with_boxes(lab, 2))
    assert target == "Add a box.\nOn slide 2."
    request = json.dumps(server.requests[0])
    assert "GROUND_TRUTH" in request
    assert "secret" not in request
