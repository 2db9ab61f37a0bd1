"""Leaves that ask a model, with a real client and a real HTTP server; and pictures of slides."""

import base64
import io
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from tests.envs.programs.conftest import make_leaf

from pptarena.envs.programs.limits import LeafLimits
from pptarena.errors import DeckError, JudgeBudgetError, JudgeError, LeafError, UnscoredError
from pptarena.rewards.judges import JudgeClient, JudgeConfig

pytestmark = pytest.mark.slow

ASK = """
answer = llm_call("Is it good? Answer yes or no.", temperature=0.2, max_tokens=5)
return answer, float(answer == "yes")
"""
LOOK = """
paths = [each.image_path for each in modified_ppt_screenshots[:2]]
return vlm_call("What is on these?", paths), 1
"""
STUBBORN = """
try:
    return llm_call("?"), 1
except BaseException:
    return "caught", 1
"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))


@pytest.fixture
def make_client(server: Any) -> Iterator[Callable[..., JudgeClient]]:
    """Return a function that makes clients, and close them after the test."""
    with ExitStack() as clients:

        def make(**settings: Any) -> JudgeClient:
            quick = {"model": "m", "base_url": server.url, "backoff_sec": 0.01, "timeout_sec": 20}
            return clients.enter_context(JudgeClient(JudgeConfig(**{**quick, **settings})))

        yield make


class FakeRenderer:
    """Renders every slide in a different color."""

    def __init__(self, count: int = 6) -> None:
        self.count, self.calls = count, 0

    def render(self, deck: bytes) -> tuple[bytes, ...]:
        self.calls += 1
        return tuple(png((40 * number, 0, 0)) for number in range(self.count))


class BrokenRenderer:
    def render(self, deck: bytes) -> tuple[bytes, ...]:
        raise DeckError("no such colors")


def png(color: tuple[int, int, int], kind: str = "PNG") -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (8, 6), color).save(out, kind)
    return out.getvalue()


def request_images(request: dict[str, Any]) -> list[bytes]:
    """Return the images of a request."""
    urls = [part["image_url"]["url"] for part in request["messages"][1]["content"][1:]]
    return [base64.b64decode(url.partition("base64,")[2]) for url in urls]


def test_leaf_asks_a_model(server: Any, make_client: Any, make_leaves: Any) -> None:
    server.default = "yes"
    verdict = make_leaves(model=make_client()).run_leaf(make_leaf(ASK))
    assert (verdict.score, verdict.reason) == (1, "yes")
    (request,) = server.requests
    assert request["messages"][1]["content"] == "Is it good? Answer yes or no."
    # The client's settings apply, so that equal questions get equal answers.
    assert (request["temperature"], request["max_tokens"]) == (0, 1024)


def test_answer_is_cached(server: Any, make_client: Any, make_leaves: Any) -> None:
    server.script = ["yes", "no"]
    client = make_client()
    scores = [make_leaves(model=client).run_leaf(make_leaf(ASK)).score for _ in range(2)]
    assert scores == [1, 1]
    assert len(server.requests) == 1


@pytest.mark.parametrize("body", [ASK, STUBBORN])
def test_leaf_without_a_model_is_unscored(make_leaves: Any, body: str) -> None:
    leaves = make_leaves()
    with pytest.raises(UnscoredError, match="asks a model, and none is configured") as caught:
        leaves.run_leaf(make_leaf(body))
    assert not isinstance(caught.value, LeafError)
    assert leaves.failures == []
    assert leaves.run_leaf(make_leaf("return 'fine', 1")).score == 1


def test_leaf_that_does_not_ask_needs_no_model(make_leaves: Any) -> None:
    body = "if ppt_diff.modified_slides:\n    return 'known', 0.5\nreturn llm_call('?'), 1"
    assert make_leaves().run_leaf(make_leaf(body)).score == 0.5


@pytest.mark.parametrize("body", [ASK, STUBBORN])
def test_failed_request_is_an_error(
    server: Any, make_client: Any, make_leaves: Any, body: str
) -> None:
    server.default = {"status": 400, "body": "{}"}
    with pytest.raises(JudgeError, match="refused"):
        make_leaves(model=make_client()).run_leaf(make_leaf(body))


def test_exhausted_budget_is_an_error(server: Any, make_client: Any, make_leaves: Any) -> None:
    server.default = "yes"
    twice = "return llm_call('a') + llm_call('b'), 1"
    with pytest.raises(JudgeBudgetError):
        make_leaves(model=make_client(max_calls=1)).run_leaf(make_leaf(twice))


def test_json_mode_is_rejected(make_client: Any, make_leaves: Any) -> None:
    with pytest.raises(JudgeError, match="json_mode"):
        make_leaves(model=make_client(json_mode=True)).run_leaf(make_leaf(ASK))


def test_calls_per_leaf_are_limited(server: Any, make_client: Any, make_leaves: Any) -> None:
    server.default = "yes"
    body = "import itertools\nfor i in itertools.count(): llm_call(str(i))"
    leaves = make_leaves(model=make_client(), limits=LeafLimits(max_calls=3))
    with pytest.raises(LeafError, match="more than 3 times"):
        leaves.run_leaf(make_leaf(body))
    assert len(server.requests) == 3
    assert len(leaves.failures) == 1


def test_waiting_for_a_model_does_not_count_as_leaf_time(
    server: Any, make_client: Any, make_leaves: Any
) -> None:
    server.default = {"text": "yes", "sleep_sec": 3.0}
    leaves = make_leaves(model=make_client(), limits=LeafLimits(wall_sec=2.5))
    assert leaves.run_leaf(make_leaf(ASK)).score == 1


def test_empty_answer_is_requested_again(server: Any, make_client: Any, make_leaves: Any) -> None:
    server.script = ["", "yes"]
    assert make_leaves(model=make_client()).run_leaf(make_leaf(ASK)).score == 1
    assert "JSON" not in server.requests[1]["messages"][-1]["content"]


def test_model_receives_the_images(server: Any, make_client: Any, make_leaves: Any) -> None:
    server.default = "red"
    leaves = make_leaves(model=make_client(), renderer=FakeRenderer())
    assert leaves.run_leaf(make_leaf(LOOK, pictures=True)).reason == "red"
    assert request_images(server.requests[0]) == [png((0, 0, 0)), png((40, 0, 0))]


def test_pictures_may_be_bytes_and_base64(server: Any, make_client: Any, make_leaves: Any) -> None:
    server.default = "red"
    jpeg, plain = png((200, 0, 0), "JPEG"), png((0, 200, 0))
    encoded = base64.b64encode(plain).decode()
    images = f"[{jpeg!r}, {encoded!r}, 'data:image/png;base64,{encoded}']"
    leaves = make_leaves(model=make_client())
    leaves.run_leaf(make_leaf(f"return vlm_call('?', {images}), 1"))
    first, second, third = request_images(server.requests[0])
    assert second == third == plain
    assert first.startswith(b"\x89PNG")


def test_invalid_picture_is_a_leaf_error(make_client: Any, make_leaves: Any) -> None:
    client = make_client()
    leaves = make_leaves(model=client)
    for image in ("'/etc/passwd'", "b'no picture'", "'/decks/original.pptx'"):
        with pytest.raises(LeafError):
            leaves.run_leaf(make_leaf(f"return vlm_call('?', [{image}]), 1"))
    assert client.budget.calls == 0


def test_leaves_see_pictures_as_published(make_leaves: Any) -> None:
    renderer = FakeRenderer()
    leaves = make_leaves(renderer=renderer)
    body = """
    from PIL import Image
    from pptx import Presentation
    ids = [str(slide.slide_id) for slide in Presentation(modified_ppt_path).slides]
    assert [each.slide_id for each in modified_ppt_screenshots] == ids
    assert [each.slide_number for each in original_ppt_screenshots] == [1, 2, 3, 4, 5, 6]
    return str([Image.open(each.image_path).getpixel((0, 0))[0]
                for each in modified_ppt_screenshots]), 1
    """
    verdict = leaves.run_leaf(make_leaf(body, pictures=True))
    assert verdict.reason == "[0, 40, 80, 120, 160, 200]"
    leaves.run_leaf(make_leaf(body, pictures=True))
    assert renderer.calls == 2  # once per deck
    # A rubric none of whose leaves mentions vlm_call has no pictures.
    empty = "return str(len(modified_ppt_screenshots + original_ppt_screenshots)), 1"
    assert leaves.run_leaf(make_leaf(empty)).reason == "0"


@pytest.mark.parametrize(
    ("renderer", "message"),
    [
        (None, "no renderer is configured"),
        (BrokenRenderer(), "cannot be rendered: no such colors"),
        (FakeRenderer(2), "expected pictures of 6 slides, got 2"),
    ],
)
def test_leaf_that_needs_missing_pictures_is_unscored(
    make_leaves: Any, renderer: Any, message: str
) -> None:
    leaves = make_leaves(renderer=renderer)
    with pytest.raises(UnscoredError, match=message):
        leaves.run_leaf(make_leaf(LOOK, pictures=True))
    # Other leaves of the rubric need no pictures.
    assert leaves.run_leaf(make_leaf("return 'fine', 1", pictures=True)).score == 1
    assert leaves.failures == []


class BrokenModel:
    """A model that raises an unexpected error."""

    def ask_text(self, prompt: Any) -> str:
        raise ZeroDivisionError


def test_unexpected_model_error_does_not_mix_up_leaves(make_leaves: Any) -> None:
    leaves = make_leaves(model=BrokenModel())
    with pytest.raises(ZeroDivisionError):
        leaves.run_leaf(make_leaf("return llm_call('?'), 1"))
    assert leaves.run_leaf(make_leaf("return 'mine', 0")).reason == "mine"
