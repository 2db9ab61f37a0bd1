"""Every combination of sources goes through the endpoint; `see_requests.json` has the requests.

``python tests/agents/model/test_see.py`` writes the file again.
"""

import base64
import hashlib
import importlib
import io
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from pptarena.agents.dialects import get_dialect
from pptarena.agents.model import ModelAgent, ModelSettings
from pptarena.agents.model.services import make_service
from pptarena.envs.actions import as_action
from pptarena.rollouts.env import make_env
from pptarena.sources import PICTURES, PRESETS, SOURCES
from pptarena.wrappers.marks import draw_marks

pytestmark = pytest.mark.slow

FILE = Path(__file__).with_name("see_requests.json")
TASK = "meridian-hide-backup"
SMALL = ("actions-short", "elements-short", "task")
TEXTS = [each for each in SOURCES if each not in (*PICTURES, *SMALL)]
FONT_PX = 13
Steps = list[tuple[dict[str, Any], dict[str, Any]]]


def subsets(names: Any) -> Iterator[tuple[str, ...]]:
    return chain.from_iterable(combinations(names, size) for size in range(len(names) + 1))


SELECTIONS = [
    *(",".join(each) for each in subsets(PICTURES) if each),
    *(",".join((*each, *TEXTS)) for each in subsets(PICTURES) if each),
    *(",".join(each) for each in subsets(TEXTS) if each),
    *PRESETS,
    "elements-short",
    "elements-short,window,slide",
    "elements-short,window,slide,actions-short,task",
]


def replies(info: Mapping[str, Any]) -> list[str]:
    """Return three replies: copy an element as a picture, show the next slide, end."""
    numbers = {node["name"]: node["element"] for node in info["a11y"]["nodes"]}
    copy = {"kind": "copy_image", "element": numbers["Undo"], "text": "the first button"}
    note = "```memory\nThe button is copied.\n```"
    return [
        f"{note}\n{json.dumps(copy)}",
        json.dumps({"kind": "scroll", "element": numbers["Title 1"], "amount": 1}),
        '{"kind": "done"}',
    ]


def recorded_episode() -> tuple[Steps, list[str]]:
    """Return three observations of an episode, and the replies that lead from one to the next."""
    with closing(make_env("fake", width_px=320, height_px=240)) as env:
        steps: Steps = [env.reset(seed=0, options={"task": TASK})]
        script = replies(steps[0][1])
        for reply in script[:2]:
            action = json.loads(reply.rpartition("```")[2])
            observation, _, _, _, info = env.step(as_action(action))
            steps.append((observation, info))
    return steps, script


def digest(pixels: Any) -> str:
    array = np.ascontiguousarray(np.asarray(pixels, np.uint8)[..., :3])
    return hashlib.sha256(repr(array.shape).encode() + array.tobytes()).hexdigest()


def picture_names(steps: Steps) -> dict[str, str]:
    """Return a name for every picture that a request may contain, by the digest of its pixels."""
    names: dict[str, str] = {}
    for number, (observation, _) in enumerate(steps, 1):
        boxes = observation["elements"][: observation["element_count"], :4]
        screen = observation["screenshot"]
        names.setdefault(digest(screen), f"screen {number}")
        names.setdefault(digest(draw_marks(screen, boxes, FONT_PX)), f"marks {number}")
    left, top, width, height = steps[1][1]["command"]["box_px"]
    copied = steps[0][0]["screenshot"][top : top + height, left : left + width]
    names[digest(copied)] = f"copy {width}x{height}"
    return names


def last_message(request: Mapping[str, Any], names: Mapping[str, str]) -> list[Any]:
    """Return the last message of a request: lines of text, and names of pictures as lists."""
    content = request["messages"][-1]["content"]
    contents: list[Any] = []
    parts: list[Any] = content if isinstance(content, list) else [{"type": "text", "text": content}]
    for part in parts:
        if part["type"] == "text":
            contents += part["text"].split("\n")
        else:
            png = base64.b64decode(part["image_url"]["url"].partition("base64,")[2])
            contents.append([names[digest(Image.open(io.BytesIO(png)).convert("RGB"))]])
    return contents


def requests_of(server: Any, selections: Sequence[str]) -> dict[str, list[Any]]:
    """Return the third request of an episode for each selection."""
    steps, script = recorded_episode()
    names = picture_names(steps)
    requests: dict[str, list[Any]] = {}
    shared: dict[str, Any] = {
        "model": "m",
        "dialect": "json",
        "base_url": server.url,
        "text_tokens": 50,
    }
    service = make_service(ModelSettings(**shared), get_dialect("json"), server.key)
    for see in selections:
        server.script = list(script)
        server.requests.clear()
        agent = ModelAgent(ModelSettings(**shared, see=see), service=service, key=server.key)
        agent.reset(steps[0][1], 0)
        for observation, info in steps:
            agent.act(observation, info)
        assert len(server.requests) == len(steps)
        requests[see] = last_message(server.requests[-1], names)
    service.close()
    return requests


def compressed(requests: Mapping[str, list[Any]]) -> dict[str, Any]:
    """Return requests with every line of text, and every picture, stored once."""
    lines: dict[str, int] = {}
    return {
        "requests": {
            see: [lines.setdefault(json.dumps(part), len(lines)) for part in parts]
            for see, parts in requests.items()
        },
        "parts": [json.loads(line) for line in lines],
    }


def test_one_in_eight_combinations_matches_the_stored_request(server: Any) -> None:
    assert_stored(requests_of(server, SELECTIONS[::8]))


@pytest.mark.nightly
def test_every_combination_matches_the_stored_request(server: Any) -> None:
    requests, stored = requests_of(server, SELECTIONS), json.loads(FILE.read_text("utf-8"))
    assert_stored(requests)
    assert list(requests) == list(stored["requests"])
    assert compressed(requests)["parts"] == stored["parts"]


def assert_stored(requests: Mapping[str, list[Any]]) -> None:
    stored = json.loads(FILE.read_text("utf-8"))
    for see, parts in requests.items():
        assert parts == [stored["parts"][index] for index in stored["requests"][see]], see


def test_stored_requests_contain_the_selected_sources() -> None:
    stored = json.loads(FILE.read_text("utf-8"))
    assert len(stored["requests"]) == 31 + 31 + 511 + len(PRESETS) + 3
    for see, parts in stored["requests"].items():
        shown = [stored["parts"][each] for each in parts]
        names = set(PRESETS.get(see, see).split(","))
        pictures = [each[0] for each in shown if isinstance(each, list)]
        expected = ("copy 28x32", "screen 1", "marks 1", "screen 3", "marks 3")
        assert pictures == [
            picture for picture, name in zip(expected, PICTURES, strict=True) if name in names
        ], see
        texts = "\n".join(each for each in shown if isinstance(each, str))
        for source, words in (
            ("budget", "steps left: "),
            ("window", "window: "),
            ("slide", "slide 2 of "),
            ("windows", "all windows: "),
            ("clipboard", 'clipboard: a picture, "the first button"'),
            ("actions", "last actions:\n"),
            ("actions-short", "last actions: "),
            ("task", "\ntask: "),
            ("tree", "role | name"),
            ("elements-short", "\npanel Title 1 [13]"),
        ):
            assert (words in texts) == (source in names), (see, source)
        assert ("\n[" in f"\n{texts}") == bool({"elements", "elements-normalized"} & names), see
        assert texts.endswith("your memory:\nThe button is copied."), see  # nothing is dropped


if __name__ == "__main__":
    sys.path.append(str(Path(__file__).parents[2]))
    chat: Any = importlib.import_module("conftest").ChatServer()
    try:
        text = json.dumps(compressed(requests_of(chat, SELECTIONS)), ensure_ascii=False)
        FILE.write_text(text.replace('], "', '],\n"') + "\n", "utf-8")
    finally:
        chat.stop()
