"""The messages of a model in the report."""

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
from pptarena.untrusted import escape_invisible

pytestmark = pytest.mark.slow

Browse = Callable[..., Any]
Run = Callable[..., StoredEpisode]
AddMessages = Callable[..., None]
WriteReport = Callable[[Path], Path]


def element(page: str, name: str) -> str:
    match = re.search(rf'<script type="[^"]+" id="{name}">(.*?)</script>', page, re.S)
    assert match is not None
    return match[1]


def test_messages_and_costs_are_in_the_page(
    run: Run, add_messages: AddMessages, solution: Sequence[actions.Action]
) -> None:
    episode = run("model", solution)
    add_messages(episode, {"thought": "The title first.", "actions": [{}, {}]}, {"text": "Done."})
    page = build_report(episode.folder).html
    model = json.loads(zlib.decompress(base64.b64decode(element(page, "episode-0"))))["model"]
    assert model["record"]["usage"]["output_tokens"] == 700
    spans = [(each["thought"], each["first"], each["steps"]) for each in model["messages"]]
    assert spans == [("The title first.", 0, 2), ("", 2, 1)]
    (costs,) = json.loads(element(page, "summary"))["costs"]
    assert (costs["agent"], costs["cost_usd"], costs["usage"]["requests"]) == ("model", 0.0125, 2)


def test_malformed_record_is_reported_in_the_page(run: Run, add_messages: AddMessages) -> None:
    episode = run("model")
    add_messages(episode, {"text": 5})
    page = build_report(episode.folder).html
    model = json.loads(zlib.decompress(base64.b64decode(element(page, "episode-0"))))["model"]
    assert model["trouble"].startswith("messages.jsonl: not an answer of a model: text: expected")
    assert json.loads(element(page, "summary"))["costs"] == []


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1280])
def test_messages_are_shown_for_each_step(
    browse: Browse,
    run: Run,
    add_messages: AddMessages,
    hostile: str,
    write_report: WriteReport,
    width: int,
) -> None:
    episode = run("model", [actions.wait(), actions.wait(), actions.key("a"), actions.done()])
    long = "a-very-long-word-" * 40
    add_messages(
        episode,
        {"thought": hostile, "text": long, "actions": [{}, {}], "shown": hostile},
        {"error": hostile, "calls": [{"name": hostile, "arguments": {hostile: [long]}}]},
        system=hostile, model=long[:290],
    )  # fmt: skip
    result = browse(
        write_report(episode.folder),
        """
        let alerts = 0;
        w.alert = () => { alerts++; };
        const panels = [text("model")];
        for (const step of [1, 2, 3]) {
          await press("ArrowRight"); await at(`0/${step}`);
          panels.push(text("model"));
        }
        d.querySelectorAll("details").forEach((part) => { part.open = true; });
        await pause(200);
        const wide = [...d.querySelectorAll("body *")].filter((part) => {
          const box = part.getBoundingClientRect();
          return box.width > 0 && box.right > w.innerWidth + 1 && !part.closest("#tree, .skip");
        });
        return { panels, alerts, times: text("times"), tables: text("tables"),
          images: d.querySelectorAll("img[onerror]").length,
          hidden: d.getElementById("model-panel").hidden,
          wide: wide.map((part) => part.outerHTML.slice(0, 80)) };
        """,
        width=width,
    )
    first, second, third, last = result["panels"]
    hostile = escape_invisible(hostile)
    assert f"Thought{hostile}Text{'a-very-long-word-' * 40}" in first
    assert "action 1 of 2 of this reply" in first
    assert "action 2 of 2 of this reply" in second
    assert f"No valid action: {hostile}" in third
    assert f"Call{hostile}(" in third
    assert "No request was sent for this step." in last
    assert "2 requests · 180 tokens in, 700 out · 0.0125 USD" in result["times"]
    assert "environment" in result["times"]
    assert "0.0125 USD" in result["tables"]
    assert (result["alerts"], result["images"], result["hidden"]) == (0, 0, False)
    assert result["wide"] == []


@pytest.mark.browser
@pytest.mark.slow
def test_panel_is_hidden_without_a_model(browse: Browse, page: Path) -> None:
    result = browse(
        page, 'return [d.getElementById("model-panel").hidden, text("tables"), text("times")];'
    )
    assert result[0]
    assert "Models" not in result[1]
    assert result[2].startswith("reset ")
