import pytest
from hypothesis import given
from hypothesis import strategies as st

from pptarena.rewards.judges.protocol import Verdict
from pptarena.rewards.judges.replies import ReplyError, read_json, slides_parser, verdict_parser

SHARE = verdict_parser((1.0, False))
STARS = verdict_parser((5.0, True))


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ('{"score": 0.5, "reason": "half"}', 0.5),
        ('  {"score": 1, "reason": "half"}\n', 1.0),
        ('```json\n{"score": 0, "reason": "half"}\n```', 0.0),
        ('```\n{"score": 0.25, "reason": " half\\n "}\n```', 0.25),
    ],
)
def test_what_was_asked_for_is_read(text: str, score: float) -> None:
    assert read_json(text, SHARE) == Verdict(score, "half")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not one JSON object"),
        ("The score is 1.", "not one JSON object"),
        ('{"score": 1, "reason": "x"} I hope this helps', "not one JSON object"),
        ('Sure: {"score": 1, "reason": "x"}', "not one JSON object"),
        ('{"score": 0, "score": 1, "reason": "x"}', "twice"),
        ('{"score": NaN, "reason": "x"}', "no JSON number"),
        ('{"score": 1e999, "reason": "x"}', "from 0 to 1"),
        ('{"score": 1}', "exactly the keys"),
        ('{"score": 1, "reason": "x", "note": 1}', "exactly the keys"),
        ("[1]", "exactly the keys"),
        ('{"score": "1", "reason": "x"}', "number from 0 to 1, got '1'"),
        ('{"score": true, "reason": "x"}', "number from 0 to 1, got True"),
        ('{"score": null, "reason": "x"}', "number from 0 to 1"),
        ('{"score": 85, "reason": "x"}', "number from 0 to 1, got 85"),
        ('{"score": -0.1, "reason": "x"}', "number from 0 to 1"),
        ('{"score": 1, "reason": " "}', "'reason'"),
        ('{"score": 1, "reason": 3}', "'reason'"),
        ("[" * 100_000, "not one JSON object"),
    ],
)
def test_anything_else_is_refused(text: str, message: str) -> None:
    with pytest.raises(ReplyError, match=message):
        read_json(text, SHARE)


@pytest.mark.parametrize("score", ["4.5", "6", "-1", "0.8"])
def test_stars_are_whole_numbers_from_0_to_5(score: str) -> None:
    assert read_json('{"score": 4, "reason": "x"}', STARS).score == 4
    with pytest.raises(ReplyError, match="whole number from 0 to 5"):
        read_json(f'{{"score": {score}, "reason": "x"}}', STARS)


def test_every_slide_is_rated_once() -> None:
    parse = slides_parser(["1", "2"], (5.0, True))
    item = '{"slide": "%s", "score": 3, "reason": "x"}'

    def reply(*labels: str) -> str:
        return f'{{"slides": [{", ".join(item % label for label in labels)}]}}'

    assert set(read_json(reply("2", "1"), parse)) == {"1", "2"}
    for wrong, message in [
        (reply("1"), "lacks \\['2'\\]"),
        (reply("1", "1"), "once"),
        (reply("1", "2", "3"), "once"),
        ('{"slides": 3}', "must be a list"),
        ('{"slides": [3]}', "each item"),
        ('{"slides": [{"slide": [], "score": 3, "reason": "x"}]}', "once"),
    ]:
        with pytest.raises(ReplyError, match=message):
            read_json(wrong, parse)


def test_a_reason_is_one_short_line_without_control_letters() -> None:
    verdict = read_json(
        '{"score": 1, "reason": "a\\u001b[31m\\n b\\u0000' + "x" * 2000 + '"}', SHARE
    )
    assert verdict.reason.startswith("a[31m bxxx")
    assert len(verdict.reason) == 600


@given(st.text())
def test_no_text_makes_anything_but_a_score_or_an_error(text: str) -> None:
    try:
        verdict = read_json(text, SHARE)
    except ReplyError:
        return
    assert 0 <= verdict.score <= 1
