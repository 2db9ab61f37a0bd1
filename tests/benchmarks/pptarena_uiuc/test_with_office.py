"""The dual judge with pictures rendered by the office application."""

import base64
from typing import Any

import pytest

from pptarena.benchmarks.pptarena_uiuc import DualJudge
from pptarena.decks.visibility.slide_images import decode_png
from pptarena.paths import cache_home
from pptarena.vm_images.office import Office

REAL_HOME = cache_home()
pytestmark = pytest.mark.image


def test_only_changed_slide_is_sent(
    lab: Any, server: Any, make_client: Any, tools: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pptarena.vm_images.image.cache_home", lambda: REAL_HOME)

    def edit(deck: Any) -> None:
        deck.slides[0].shapes.title.text = "Annual plan"  # one word

    renderer = Office(640)
    edited = lab.edited_bytes(edit)
    server.script = ['{"score": 5, "reason": "done"}', tools.rate_all(4)]
    verdict = DualJudge(make_client(), renderer).judge("Plan, not report.", lab.base, edited)
    assert verdict.score == pytest.approx(0.9)
    content = server.requests[1]["messages"][1]["content"]
    urls = [part["image_url"]["url"] for part in content if part["type"] == "image_url"]
    pictures = [base64.b64decode(url.partition(",")[2]) for url in urls]
    assert pictures == [renderer.render(lab.base)[0], renderer.render(edited)[0]]
    assert decode_png(pictures[0]).shape[1] == 640
