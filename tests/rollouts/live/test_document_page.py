"""The page of a document in a browser: outline, calls, results, confirmations."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.rollouts.live.test_control import Caller

from pptarena.envs.document import ToolCall
from pptarena.rollouts.env import make_document_env
from pptarena.rollouts.live.env import PAGE, make_live_env
from pptarena.rollouts.play_document import play_document
from pptarena.tasks import get_task

pytestmark = pytest.mark.browser


def test_a_person_refuses_and_corrects_a_call(
    server: Any, browser: Any, start: Callable[..., Any]
) -> None:
    agent = Caller(ToolCall.of("delete_slide", slide=272), ToolCall.of("done"))
    live_env = make_live_env(make_document_env, confirm=PAGE)
    try:
        live_env.station.attach("tester")
        wait = start(live_env, agent, task=get_task("meridian-hide-backup"), player=play_document)
        browser.open(server.url + "#follow")
        browser.until("!document.querySelector('#risk').hidden")
        assert "deletes slides: delete_slide" in browser.value("byId('risk-text').textContent")
        assert "Agenda" in browser.value("byId('outline').textContent")
        assert browser.value("byId('stage').hidden && byId('marks').hidden")
        assert "Agenda" in browser.value("document.querySelector('.tile-outline').textContent")
        _pictures(browser)
        browser.click(browser.center("#take"))
        browser.until("full.status.held")
        browser.click(browser.center("#refusal"))
        browser.write("hide it")
        browser.click(browser.center("#risk button[type=submit]"))
        browser.until("full.step == 1")
        browser.click(browser.center("#tool"))
        browser.write("hide_slide")
        browser.click(browser.center("#arguments"))
        browser.write('{"slide": 27')
        browser.click(browser.center("#call-form button"))
        browser.until("byId('call-error').textContent.startsWith('Arguments')")
        browser.click(browser.center("#arguments"))
        browser.key("End", "End", 35)
        browser.write("2}")
        browser.click(browser.center("#call-form button"))
        browser.until("full.step == 2 && full.score == 1")
        shown = browser.value("byId('actions').textContent")
        assert 'hide_slide {"slide":272}' in shown
        assert "refused by person: hide it" in shown
        browser.click(browser.center("#take"))
        episode = wait()
    finally:
        live_env.close()
    assert episode.meta.score == 1.0
    assert episode.meta.help["refusals"] == 1


def _pictures(browser: Any) -> None:
    """Write pictures of the page at three widths, if a folder for them is given."""
    if folder := os.environ.get("PPTARENA_PAGE_PICTURES"):
        for width in (390, 1280, 1920):
            browser.size(width, 900)
            browser.picture(Path(folder) / f"document-{width}.png")
        browser.size(1280, 900)
