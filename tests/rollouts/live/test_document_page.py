"""The live page of a document in a browser: outline, calls, results and confirmations."""

import json
import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.rollouts.live.test_control import Caller

from pptarena.envs.document import ToolCall
from pptarena.rollouts.env import make_document_env
from pptarena.rollouts.live import Person
from pptarena.rollouts.live.env import PAGE, make_live_env
from pptarena.rollouts.replay_document import replay_document
from pptarena.rollouts.store import read_steps
from pptarena.tasks import get_task

pytestmark = pytest.mark.browser


@pytest.mark.slow
def test_person_refuses_and_corrects_a_call(
    server: Any, browser: Any, start: Callable[..., Any]
) -> None:
    agent = Caller(ToolCall.of("delete_slide", slide=272), ToolCall.of("done"))
    live_env = make_live_env(make_document_env, confirm=PAGE)
    try:
        live_env.station.attach("tester")
        wait = start(live_env, agent, task=get_task("meridian-hide-backup"))
        browser.open(server.url + "#follow")
        browser.until("!document.querySelector('#risk').hidden")
        assert "deletes slides: delete_slide" in browser.value("byId('risk-text').textContent")
        assert "Agenda" in browser.value("byId('outline').textContent")
        assert browser.value("byId('stage').hidden && byId('screen-tools').hidden")
        assert "Agenda" in browser.value("document.querySelector('.tile-outline').textContent")
        _save_screenshots(browser)
        browser.click(browser.center("#take"))
        browser.until("full.status.held")
        browser.click(browser.center("#refusal"))
        browser.write("hide it")
        browser.click(browser.center("#risk button[type=submit]"))
        browser.until("full.step == 1")
        choose_tool(browser, "hide_slide")
        browser.click(browser.center("[data-argument=slide]"))
        browser.write("272")
        browser.click(browser.center("#call-form button"))
        browser.until("full.step == 2 && full.score == 1")
        history = browser.value("byId('actions').textContent")
        assert 'hide_slide {"slide":272}' in history
        assert "refused by person: hide it" in history
        browser.click(browser.center("#take"))
        episode = wait()
    finally:
        live_env.close()
    assert episode.meta.score == 1.0
    assert episode.meta.help["refusals"] == 1


def choose_tool(browser: Any, name: str) -> None:
    """Choose a tool by typing its name."""
    browser.until("byId('tool').options.length > 0")
    browser.value("byId('tool').focus()")
    browser.write(name)
    browser.until(f"byId('tool').value == '{name}' && byId('fields').children.length > 0")


@pytest.mark.slow
def test_person_plays_on_a_document(
    server: Any, browser: Any, start: Callable[..., Any], tmp_path: Path
) -> None:
    """Solves a task by the form of a tool; the episode can be replayed."""
    task = get_task("meridian-hide-backup")
    with closing(make_live_env(make_document_env, max_steps=20)) as live_env:
        wait = start(live_env, Person("P7"), "human", task=task)
        browser.open(server.url + "#follow")
        browser.until("byId('tool').options.length > 0")
        browser.value("byId('tool').value = 'add_table', showTool()")
        browser.click(browser.center("#outline p[data-slide='272']"))
        browser.click(browser.center("[data-argument=cells]"))
        browser.write("[1")
        for name in ("left_cm", "top_cm", "width_cm", "height_cm"):
            browser.value(f"document.querySelector('[data-argument={name}]').value = 2")
        browser.click(browser.center("#call-form button"))
        browser.until("byId('call-error').textContent.startsWith('Not called')")
        choose_tool(browser, "hide_slide")
        browser.click(browser.center("#outline p[data-slide='272']"))
        browser.click(browser.center("#call-form button"))
        browser.until("full.step == 1 && full.score == 1")
        assert browser.value("byId('result').textContent") == "hidden"
        _save_screenshots(browser, "play")
        browser.value("byId('difficulty').value = '2'")
        browser.click(browser.center("#done"))
        episode = wait()
    assert (episode.meta.agent, episode.meta.score, episode.meta.end) == ("human", 1.0, "done")
    assert [step.by for step in read_steps(episode.folder)] == ["person", "person"]
    with closing(make_document_env(max_steps=20)) as env:
        assert replay_document(env, episode.folder).identical
    record = json.loads((episode.folder / "person.json").read_text())
    assert (record["who"], record["difficulty"]) == ("P7", 2)


def _save_screenshots(browser: Any, name: str = "confirm") -> None:
    """Write screenshots of the page at three widths if ``PPTARENA_PAGE_PICTURES`` is set."""
    if folder := os.environ.get("PPTARENA_PAGE_PICTURES"):
        for width in (390, 1280, 1920):
            browser.size(width, 900)
            browser.screenshot(Path(folder) / f"document-{name}-{width}.png")
        browser.size(1280, 900)
