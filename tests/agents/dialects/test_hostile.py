"""Broken and hostile answers: an error with words for the model, never a crash, never code run."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.each_case import each_case

from pptarena.agents.dialects import Call, Reply, Screen, dialect_names, get_dialect
from pptarena.agents.dialects.coordinates import smart_resize
from pptarena.envs.actions import KINDS
from pptarena.errors import ActionError, ConfigError

pytestmark = pytest.mark.slow

NAMES = dialect_names()
CODE = ("opencua", "agentnet", "scalecua", "osworld-pyautogui", "osworld-som", "waa")
SCREEN = Screen((1000, 500), ((0.1, 0.2),))

INJECTIONS = (
    "import os\nos.system('touch {file}')",
    "__import__('os').system('touch {file}')",
    "pyautogui.click(__import__('os').system('touch {file}'))",
    "open('{file}', 'w')",
    "pyautogui.write(open('{file}', 'w').name)",
    "exec(\"open('{file}', 'w')\")",
    "pyautogui.__class__('x')",
    "pyautogui.click.__globals__['os'].system('touch {file}')",
    "[pyautogui.click(1, 2) for _ in range(10**9)]",
    "while True: pyautogui.click(1, 2)",
    "x = 10**10**10\npyautogui.click(x, 1)",
    "pyautogui.write('a' * 10**10)",
    "pyautogui.write(f'{{open(0)}}')",
    "(lambda: pyautogui.click(1, 2))()",
    "def click(): pass\nclick()",
    "pyautogui.click(**{{'x': 1}})",
    "subprocess.run('touch {file}')",
    "pyautogui.run('touch {file}')",
    "eval('1')",
)


@pytest.mark.parametrize("name", CODE)
@pytest.mark.parametrize("code", INJECTIONS)
def test_code_is_never_executed(name: str, code: str, tmp_path: Path) -> None:
    file = tmp_path / "touched"
    filled_code = code.format(file=file)
    with pytest.raises(ActionError):
        get_dialect(name).parse(Reply(f"```python\n{filled_code}\n```"), SCREEN)
    assert not file.exists()


HUGE: list[str] = [
    "",
    "   ",
    "a" * 200_000,
    "{" * 50_000,
    "[" * 50_000,
    "(" * 50_000,
    '{"a":' * 20_000,
    "```python\n" + "(" * 5000 + ")" * 5000 + "\n```",
    "```python\npyautogui.write(" + "[" * 300 + "]" * 300 + ")\n```",
    "```python\n" + "pyautogui.click(0.5, 0.5)\n" * 500 + "```",
    '{"kind": "click", "element": 1}' * 500,
    "Action: click(point='<point>" + "9" * 10_000 + " 1</point>')",
    "<function=click>" * 5000,
    "```a\n" * 20_000,
    "```decision\n" + "\n" * 90_000 + "```",
    '{"kind": "wait", "amount": ' + "9" * 5000 + "}",
    '{"kind": "click", "xy": [NaN, Infinity]}',
    "\x00\ud800",
    "I cannot help with that.",
]


@each_case("name", NAMES)
@each_case("text", HUGE, ids=range(len(HUGE)))
def test_invalid_texts_are_refused(name: str, text: str) -> None:
    dialect = get_dialect(name)
    if dialect.api in ("anthropic", "responses", "gemini") and 0 < len(text.strip()) <= 100_000:
        assert [action.kind for action in dialect.parse(Reply(text), SCREEN)] == ["done"]
        return
    with pytest.raises(ActionError) as error:
        dialect.parse(Reply(text), SCREEN)
    assert 0 < len(str(error.value)) < 500


_values: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda values: st.lists(values, max_size=3) | st.dictionaries(st.text(max_size=8), values),
    max_leaves=8,
)
_names = st.sampled_from(
    [
        *(
            "action",
            "left_click",
            "click",
            "computer",
            "computer_use",
            "coordinate",
            "x",
            "y",
            "key",
        ),
        *("type", "scroll", "scroll_direction", "drag", "path", "keys", "text", "action_type"),
        *("parameters", "CLICK", "kind", "element", "actions", "hotkey", "wait", "terminate"),
    ]
)
_arguments: Any = st.dictionaries(_names, _values | _names, max_size=6)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=40)
@given(tool=_names | st.text(max_size=8), arguments=_arguments)
def test_any_call_parses_or_raises_an_error(
    name: str, tool: str, arguments: dict[str, Any]
) -> None:
    text = json.dumps({"name": tool, "arguments": arguments, **arguments})
    for reply in (Reply("", (Call(tool, arguments),)), Reply(text)):
        problem, actions = "", []
        try:
            actions = get_dialect(name).parse(reply, SCREEN)
        except ActionError as error:
            problem = str(error)
        assert bool(actions) != bool(problem)
        assert {action.kind for action in actions} <= set(KINDS)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("qwen2.5-vl", '{"name": "computer_use", "arguments": {"action": "left_click", '
         '"coordinate": [1200, 3]}}', "within a picture of 1000 x 500 pixels, got (1200, 3)"),
        ("uitars-1.5", "Thought: hm", "expected 'Thought: ...' and then 'Action: ...'"),
        ("uitars-1.5", "Action: fly()", "unknown action 'fly'"),
        ("osworld-som", "```python\npyautogui.click(tag_9)\n```", "element from 1 to 1, got 9"),
        ("osworld-pyautogui", "```python\nfor i in x: pass\n```", "got For in line 1"),
        ("osworld-pyautogui", "```python\npyautogui.keyDown('ctrl')\n```", "released"),
        ("json", '{"kind": "fly"}', "expected kind to be one of move, click"),
        ("json", "done", "expected a JSON object, got 'done'"),
        ("opencua", "```python\npyautogui.press('entr')\n```", "did you mean Return"),
    ],
)  # fmt: skip
def test_errors_state_the_expected_form(name: str, text: str, message: str) -> None:
    with pytest.raises(ActionError) as error:
        get_dialect(name).parse(Reply(text), SCREEN)
    assert message in str(error.value)


def test_unknown_dialect_is_named() -> None:
    with pytest.raises(ConfigError, match=r"dialect 'qwen3' not found. Did you mean 'qwen3-vl'"):
        get_dialect("qwen3")


@given(
    size=st.tuples(st.integers(320, 4000), st.integers(240, 4000)),
    factor=st.sampled_from([28, 32]),
)
def test_smart_resize_respects_its_bounds(size: tuple[int, int], factor: int) -> None:
    width, height = smart_resize(size, factor, 65_536, 2_000_000)
    assert width % factor == height % factor == 0
    assert 65_536 <= width * height <= 2_000_000


def test_smart_resize_matches_published_sizes() -> None:
    # As Qwen's own processor has it.
    assert smart_resize((1920, 1080), 28, 3136, 12_845_056) == (1932, 1092)
    assert smart_resize((1280, 720), 28, 3136, 12_845_056) == (1288, 728)
