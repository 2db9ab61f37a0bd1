"""Episodes of Navi with a scripted endpoint."""

import base64
import io
import json
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest
from PIL import Image
from tests.each_case import each_case

from pptarena.agents.model import PRESETS, ModelSettings, read_sources
from pptarena.agents.navi import NaviAgent
from pptarena.agents.navi.prompt import system_prompt
from pptarena.cli.agents import SCREEN, ModelOptions, build_agents
from pptarena.errors import ConfigError
from pptarena.rollouts.env import make_env
from pptarena.rollouts.messages import read_model
from pptarena.rollouts.run import Job, run_job
from pptarena.rollouts.store import read_steps
from pptarena.tasks import get_task

TASK = "meridian-hide-backup"


def reply(code: str, decision: str = "COMMAND", memory: str | None = None) -> str:
    memory_block = "" if memory is None else f"\n```memory\n{memory}\n```"
    return (
        "Screen annotation:\n0. (12, slide panel)\n1. A deck is open.\n"
        f"```decision\n# as planned\n{decision}\n```\n```python\n{code}\n```{memory_block}"
    )


def click_first_element(request: dict[str, Any]) -> str:
    """Click the first element of the list that the model was sent."""
    lines = text_of(request).splitlines()
    number = next(line for line in lines if line.startswith("[")).partition("]")[0][1:]
    code = f"computer.mouse.move_id(id={number})  # it\ncomputer.mouse.single_click()"
    return reply(code, memory="slide 17 is the backup")


def text_of(request: dict[str, Any]) -> str:
    (part,) = (each["text"] for each in content_of(request)[-1:])
    return str(part)


def content_of(request: dict[str, Any]) -> list[dict[str, Any]]:
    system, *messages = request["messages"]
    assert system["role"] == "system"
    (only,) = messages  # every request stands alone
    content = only["content"]
    return content if isinstance(content, list) else [{"type": "text", "text": content}]


@pytest.fixture
def play(server: Any, tmp_path: Any) -> Callable[..., Any]:
    """Return a function that plays an episode, and returns its folder."""

    def run(*script: Any, **settings: Any) -> Any:
        server.script = list(script)
        model_settings = ModelSettings(model="m", base_url=server.url, **settings)
        with (
            closing(make_env("fake", width_px=640, height_px=360, max_steps=9)) as env,
            closing(NaviAgent(model_settings)) as agent,
        ):
            run_job(Job("navi", get_task(TASK), 0), env, agent, tmp_path / "run", 0)
        return tmp_path / "run/navi" / TASK / "seed-0"

    return run


@pytest.mark.slow
def test_requests_contain_all_blocks(server: Any, play: Callable[..., Any]) -> None:
    copy = 'computer.clipboard.copy_image(id=3, description="a small icon")'
    folder = play(
        click_first_element,
        reply(copy),
        reply('import pyautogui\npyautogui.hotkey("ctrl", "Home")', memory="nothing left"),
        "no code",
        reply("", "DONE  # all is done"),
        text_tokens=60,
    )
    first, second, third, fourth, fifth = server.requests
    system = first["messages"][0]["content"]
    assert system.startswith("You are a screen helper")
    assert system.endswith(get_task(TASK).instruction)
    blocks = text_of(first)
    objective = f"1. User objective: {get_task(TASK).instruction}"
    assert blocks.startswith(f"{objective}\n\n2. Window title\n")
    for title in ("3. All window names", "4. Clipboard content", "6. List of candidate screen"):
        assert f"\n\n{title}" in blocks
    assert blocks.endswith("8. History\n(none)\n\n9. Textual memory\n(empty)")
    assert [part["type"] for part in content_of(first)] == ["text", "image_url"] * 2 + ["text"]
    captions = [part["text"] for part in content_of(second)[:-1] if part["type"] == "text"]
    assert captions == [
        "The previous screen:",
        "The screen:",
        "The screen with numbered elements:",
    ]
    urls = [part["image_url"]["url"] for part in content_of(second) if part["type"] == "image_url"]
    assert urls[0] == content_of(first)[1]["image_url"]["url"]
    size = Image.open(io.BytesIO(base64.b64decode(urls[2].partition("base64,")[2]))).size
    assert size == (640, 360)
    assert "computer.mouse.single_click()\n```\n\n9. Textual memory\nslide 17" in text_of(second)
    assert 'clipboard: a picture, "a small icon"' in text_of(third)
    assert "slide 17 is the backup" in text_of(third)  # kept without a new block
    assert text_of(fourth).endswith("9. Textual memory\nnothing left")
    assert text_of(fifth).startswith("That was not done: ")
    steps = read_steps(folder)
    assert [step.action.kind for step in steps] == ["click", "copy_image", "key", "wait", "done"]
    assert (steps[1].action.text, steps[2].action.keys) == ("a small icon", "ctrl+Home")
    record = read_model(folder)
    assert record is not None
    assert (record.dialect, record.see) == ("waa", ",".join(read_sources("waa-som-uia")))


@pytest.mark.slow
def test_history_is_limited_by_the_setting(server: Any, play: Callable[..., Any]) -> None:
    codes = [reply(f'computer.keyboard.write("{letter}")') for letter in "abc"]
    play(*codes, reply("", "FAIL"), history=2, see="waa-text", text_tokens=20)
    (only,) = content_of(server.requests[3])
    assert "8. History\n```decision" in only["text"]
    assert [f'write("{letter}")' in only["text"] for letter in "abc"] == [False, True, True]


@each_case("preset", [name for name in PRESETS if name.startswith("waa-")])
def test_prompt_describes_exactly_the_selected_inputs(preset: str) -> None:
    sources = read_sources(preset)
    prompt = system_prompt(sources)
    assert ("7.0 The previous screen" in prompt) == ("previous" in sources)
    assert ("7.1 The current screen" in prompt) == ("screenshot" in sources)
    assert ("7.2 The current screen" in prompt) == ("marks" in sources)
    assert ("7. Images" in prompt) == (preset != "waa-text")
    for item in ("2. Window title", "3. All window", "4. Clipboard", "6. List", "8. History"):
        assert f"\n{item}" in prompt


def test_every_prompt_example_parses() -> None:
    from pptarena.agents.dialects import Reply, Screen, get_dialect
    from pptarena.agents.dialects.code import code_blocks

    prompt = system_prompt(()).partition("# Examples")[2]
    blocks = [content for name, content in code_blocks(prompt) if name == "python"]
    assert len(blocks) == 8
    screen = Screen((1280, 720), [(0.5, 0.5)] * 60)
    for code in blocks:
        assert get_dialect("waa").parse(Reply(f"```python\n{code}\n```"), screen)


def test_navi_is_created_by_name() -> None:
    options = ModelOptions(model="org/m", base_url="http://localhost:1/v1")
    agents = build_agents(["navi", "model"], SCREEN, (), options)
    assert agents.names == ("navi--m--waa--waa-som-uia", "m--tools")
    with closing(agents.make(agents.names[0])) as made:
        assert isinstance(made, NaviAgent)
    for see, name in (("waa-text", "navi--m--waa--waa-text"), ("marks,elements", "marks_elements")):
        (found,) = build_agents(["navi"], SCREEN, (), ModelOptions(model="m", see=see)).names
        assert found.endswith(name)
    named = ModelOptions(model="m", options=["name=mine"])
    assert build_agents(["navi"], SCREEN, (), named).names == ("mine",)
    with pytest.raises(ConfigError, match="Navi requires the dialect waa"):
        build_agents(["navi"], SCREEN, (), ModelOptions(model="m", dialect="uitars"))


def test_record_is_json(server: Any) -> None:
    with closing(NaviAgent(ModelSettings(model="m", base_url=server.url))) as agent:
        assert json.loads(agent.record()["model.json"])["settings"]["see"] == "waa-som-uia"
