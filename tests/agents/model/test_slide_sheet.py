"""Pictures of slides side by side, for models that see."""

import io
from contextlib import closing
from typing import Any

import numpy as np
import pytest
from PIL import Image

from pptarena.agents.model import ModelSettings
from pptarena.agents.model.agent import ModelAgent
from pptarena.agents.model.document_agent import DocumentModelAgent
from pptarena.agents.model.slide_sheet import slide_pictures, slide_sheet
from pptarena.errors import ConfigError


def slide(grey: int) -> Any:
    return np.full((36, 64, 3), grey, np.uint8)


def test_sheet_has_two_slides_per_row_below_their_names() -> None:
    sheet = slide_sheet([("a", slide(10)), ("b", slide(20)), ("c", slide(30))])
    assert sheet is not None
    assert sheet.size == (128, 2 * 56)
    image = Image.open(io.BytesIO(sheet.png))
    centres = [image.getpixel(place) for place in ((32, 38), (96, 38), (32, 94), (96, 94))]
    assert centres == [(10,) * 3, (20,) * 3, (30,) * 3, (255,) * 3]
    only = slide_sheet([("a", slide(1))])
    assert only is not None
    assert only.size == (64, 56)
    assert slide_sheet([]) is None


def test_empty_slots_are_omitted() -> None:
    seen = {"slides": np.stack([slide(1), slide(2)]), "slide_ids": np.array([256, 0])}
    assert [name for name, _ in slide_pictures(seen)] == ["slide id 256"]
    assert slide_pictures({"outline": ""}) == []


@pytest.mark.parametrize(("slides", "sent"), [(1, 1), (0, 0), (None, 0)])
def test_model_receives_the_configured_number_of_slides(
    server: Any, slides: int | None, sent: int
) -> None:
    server.script = ['{"name": "done"}']
    settings = ModelSettings(
        model="m", base_url=server.url, dialect="json", slides=slides, retries=0
    )
    seen = {"slides": np.stack([slide(1), slide(2)]), "slide_ids": np.array([256, 257])}
    observation = {"outline": "slide 1, id 256", "result": "", **seen}
    info: dict[str, Any] = {"action_error": None, "task_id": "t", "dialogue": []}
    info["instruction"] = "Do it."
    with closing(DocumentModelAgent(settings)) as agent:
        agent.reset(info, 0)
        assert agent.act(observation, info).tool == "done"
    content = server.requests[0]["messages"][-1]["content"]
    kinds = [] if isinstance(content, str) else [part["type"] for part in content]
    assert kinds.count("image_url") == sent


def test_slides_are_refused_for_screens(server: Any) -> None:
    with pytest.raises(ConfigError, match="use --env doc"):
        ModelAgent(ModelSettings(model="m", base_url=server.url, slides=2))
    with pytest.raises(ConfigError, match="slides: expected 0 or more"):
        ModelSettings(model="m", slides=-1)
