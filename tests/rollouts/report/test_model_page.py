"""What a model said, in the report."""

import base64
import json
import re
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from pptarena.envs import actions
from pptarena.rollouts.episode import StoredEpisode
from pptarena.rollouts.report import build_report
from pptarena.untrusted import visible

pytestmark = pytest.mark.slow

Browse = Callable[..., Any]
Run = Callable[..., StoredEpisode]
Say = Callable[..., None]
Written = Callable[[Path], Path]


def element(page: str, name: str) -> str:
    found = re.search(rf'<script type="[^"]+" id="{name}">(.*?)</script>', page, re.S)
    assert found is not None
    return found[1]


def test_messages_and_costs_are_in_the_page(
    run: Run, say: Say, solution: Sequence[actions.Action]
) -> None:
    episode = run("model", solution)
    say(episode, {"thought": "The title first.", "actions": [{}, {}]}, {"text": "Done."})
    page = build_report(episode.folder).html
    found = json.loads(zlib.decompress(base64.b64decode(element(page, "episode-0"))))["model"]
    assert found["record"]["usage"]["output_tokens"] == 700
    spans = [(each["thought"], each["first"], each["steps"]) for each in found["messages"]]
    assert spans == [("The title first.", 0, 2), ("", 2, 1)]
    (costs,) = json.loads(element(page, "summary"))["costs"]
    assert (costs["agent"], costs["cost_usd"], costs["usage"]["requests"]) == ("model", 0.0125, 2)


def test_a_malformed_record_is_told_not_raised(run: Run, say: Say) -> None:
    episode = run("model")
    say(episode, {"text": 5})
    page = build_report(episode.folder).html
    found = json.loads(zlib.decompress(base64.b64decode(element(page, "episode-0"))))["model"]
    assert found["trouble"].startswith("messages.jsonl: not an answer of a model: text: expected")
    assert json.loads(element(page, "summary"))["costs"] == []


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1280])
def test_the_model_is_shown_step_by_step(
    browse: Browse, run: Run, say: Say, hostile: str, written: Written, width: int
) -> None:
    episode = run("model", [actions.wait(), actions.wait(), actions.key("a"), actions.done()])
    long = "a-very-long-word-" * 40
    say(
        episode,
        {"thought": hostile, "text": long, "actions": [{}, {}], "shown": hostile},
        {"error": hostile, "calls": [{"name": hostile, "arguments": {hostile: [long]}}]},
        system=hostile, model=long[:290],
    )  # fmt: skip
    found = browse(
        written(episode.folder),
        """
        let alerts = 0;
        w.alert = () => { alerts++; };
        const seen = [text("model")];
        for (const step of [1, 2, 3]) {
          await press("ArrowRight"); await at(`0/${step}`);
          seen.push(text("model"));
        }
        d.querySelectorAll("details").forEach((part) => { part.open = true; });
        await pause(200);
        const wide = [...d.querySelectorAll("body *")].filter((part) => {
          const box = part.getBoundingClientRect();
          return box.width > 0 && box.right > w.innerWidth + 1 && !part.closest("#tree, .skip");
        });
        return { seen, alerts, times: text("times"), tables: text("tables"),
          images: d.querySelectorAll("img[onerror]").length,
          hidden: d.getElementById("model-panel").hidden,
          wide: wide.map((part) => part.outerHTML.slice(0, 80)) };
        """,
        width=width,
    )
    first, second, third, last = found["seen"]
    hostile = visible(hostile)
    assert f"Thought{hostile}Said{'a-very-long-word-' * 40}" in first
    assert "action 1 of 2 of this answer" in first
    assert "action 2 of 2 of this answer" in second
    assert f"It meant no action: {hostile}" in third
    assert f"Called{hostile}(" in third
    assert "Nothing was asked for this step." in last
    assert "2 requests · 180 tokens in, 700 out · 0.0125 USD" in found["times"]
    assert "environment" in found["times"]
    assert "0.0125 USD" in found["tables"]
    assert (found["alerts"], found["images"], found["hidden"]) == (0, 0, False)
    assert found["wide"] == []


@pytest.mark.browser
@pytest.mark.slow
def test_without_a_model_there_is_no_panel(browse: Browse, page: Path) -> None:
    found = browse(
        page, 'return [d.getElementById("model-panel").hidden, text("tables"), text("times")];'
    )
    assert found[0]
    assert "Models" not in found[1]
    assert found[2].startswith("reset ")
