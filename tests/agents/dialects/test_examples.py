"""Answers as models give them: from papers, documentation and published code of each."""

from typing import Any

from tests.each_case import each_case

from pptarena.agents.dialects import Call, Reply, Screen, get_dialect
from pptarena.envs import actions
from pptarena.envs.actions import Action

SCREEN = Screen((1000, 500), ((0.1, 0.2), (0.3, 0.4)), pointer=(0.5, 0.5))
HALF = (0.5, 0.5)
PIXEL = (0.2005, 0.601)  # the middle of pixel (200, 300)

TEXTS: list[tuple[str, str, list[Action]]] = [
    (
        "json",
        'The button is number 2.\n```json\n{"kind": "click", "element": 2}\n```',
        [actions.click(2)],
    ),
    (
        "json",
        '{"thought": "two", "actions": [{"kind": "click", "element": 1}, {"kind": "done"}]}',
        [actions.click(1), actions.done()],
    ),
    (
        "uitars",
        "Thought: I should click the title.\nAction: click(start_box='(200,600)')",
        [actions.click(xy=(0.2, 0.6))],
    ),
    (
        "uitars",
        "Thought: 点击\nAction: click(start_box='<|box_start|>(200,600)<|box_end|>')",
        [actions.click(xy=(0.2, 0.6))],
    ),
    (
        "uitars-1.5",
        "Thought: Now.\nAction: left_double(point='<point>200 300</point>')",
        [actions.double_click(xy=PIXEL)],
    ),
    (
        "uitars-1.5",
        "Thought: Now.\nAction: drag(start_point='<point>200 300</point>', "
        "end_point='<point>499 249</point>')",
        [actions.drag(xy=PIXEL, end_xy=(0.4995, 0.499))],
    ),
    ("uitars-1.5", "Action: type(content='It's done\\n')", [actions.type_text("It's done\n")]),
    ("uitars-1.5", "Action: hotkey(key='ctrl shift s')", [actions.key("ctrl+shift+s")]),
    ("uitars-1.5", "Action: hotkey(key='page down')", [actions.key("Page_Down")]),
    (
        "uitars-1.5",
        "Action: scroll(point='<point>200 300</point>', direction='up')",
        [actions.scroll(-5, xy=PIXEL)],
    ),
    ("uitars-1.5", "Thought: ok\nAction: wait()", [actions.wait(5)]),
    ("uitars-1.5", "Thought: ok\nAction: finished(content='All is done.')", [actions.done()]),
    (
        "uitars-1.5",
        "Thought: Which of the two files\ndo you mean?\nAction: call_user()",
        [actions.ask("Which of the two files do you mean?")],
    ),
    (
        "uitars-2",
        "<think>Which file?</think><seed:tool_call>\n<function=call_user>\n</function>\n"
        "</seed:tool_call>",
        [actions.ask("Which file?")],
    ),
    (
        "opencua",
        "## Thought:\nThere are two files.\n## Action:\nAsk which.\n## Code:\n```python\n"
        "computer.call_user()\n```",
        [actions.ask("There are two files. Ask which.")],
    ),
    (
        "scalecua",
        "<think>\nTwo files.\n</think>\n<operation>\nWhich one?\n</operation>\n"
        "<action>\ncall_user()\n</action>",
        [actions.ask("Two files. Which one?")],
    ),
    (
        "waa",
        "```python\nimport pyautogui\nimport time\npyautogui.click(200, 300)\ntime.sleep(1)\n"
        "computer.keyboard.write('Hi')\npyautogui.hotkey('ctrl', 'b')\n```",
        [actions.click(xy=PIXEL), actions.type_text("Hi"), actions.key("ctrl+b")],
    ),
    ("waa", "```python\ntime.sleep(2)\n```", [actions.wait(2)]),
    (
        "waa",
        '```python\ncomputer.clipboard.copy_image(id=2, description="the plot")\n```',
        [actions.copy_image(2, text="the plot")],
    ),
    (
        "agentnet",
        'computer.copy_image(x=0.2, y=0.6, end_x=0.5, end_y=0.5, description="the plot")',
        [actions.copy_image(xy=(0.2, 0.6), end_xy=HALF, text="the plot")],
    ),
    (
        "uitars-2",
        "<think_never_used_1>Next I open it.</think_never_used_1><seed:tool_call>\n"
        "<function=left_double>\n<parameter=point><point>180 580</point></parameter>\n"
        "</function>\n</seed:tool_call>",
        [actions.double_click(xy=(0.18, 0.58))],
    ),
    (
        "opencua",
        "## Thought:\nThe menu is open.\n## Action:\nClick Bold.\n## Code:\n```python\n"
        "pyautogui.click(x=200, y=300)\n```",
        [actions.click(xy=PIXEL)],
    ),
    ("opencua", "## Code:\n```code\ncomputer.terminate(status='success')\n```", [actions.done()]),
    (
        "agentnet",
        "pyautogui.moveTo(x=0.2, y=0.6)\npyautogui.dragTo(x=0.5, y=0.5, button='left')",
        [actions.drag(xy=(0.2, 0.6), end_xy=HALF)],
    ),
    (
        "qwen2.5-vl",
        "I click it.\n<tool_call>\n"
        '{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [200, 300]}}'
        "\n</tool_call>",
        [actions.click(xy=PIXEL)],
    ),
    (
        "qwen3-vl",
        '<tool_call>\n{"name": "computer_use", "arguments": {"action": "left_click_drag", '
        '"coordinate": [200, 600]}}\n</tool_call>',
        [actions.drag(xy=HALF, end_xy=(0.2, 0.6))],
    ),
    (
        "qwen3-vl",
        '<tool_call>{"name": "computer_use", "arguments": {"action": "scroll", "pixels": -500}}',
        [actions.scroll(5, xy=HALF)],
    ),
    (
        "qwen3-vl",
        '<tool_call>{"name": "computer_use", '
        '"arguments": {"action": "key", "keys": ["ctrl", "A"]}}',
        [actions.key("ctrl+a")],
    ),
    (
        "scalecua",
        "<think>\nThe title.\n</think>\n<operation>\nClick the title\n</operation>\n"
        "<action>\nclick(x=0.2, y=0.6)\nwrite(message=\"Hi\")\n</action>",
        [actions.click(xy=(0.2, 0.6)), actions.type_text("Hi")],
    ),
    ("scalecua", '<action>\nresponse(answer="42")\n</action>', [actions.done()]),
    (
        "osworld-computer13",
        '```\n{"action_type": "CLICK", "parameters": {"x": 200, "y": 300, "num_clicks": 3}}\n```',
        [actions.triple_click(xy=PIXEL)],
    ),
    (
        "osworld-computer13",
        '{"action_type": "TYPING", "text": "Hello"}',
        [actions.type_text("Hello")],
    ),
    ("osworld-computer13", "```\nDONE\n```", [actions.done()]),
    (
        "osworld-pyautogui",
        "The title.\n```python\nimport pyautogui\nimport time\n\n# select\n"
        "pyautogui.click(200, 300)\ntime.sleep(0.5)\npyautogui.hotkey('ctrl', 'b')\n```",
        [actions.click(xy=PIXEL), actions.key("ctrl+b")],
    ),
    ("osworld-pyautogui", "```FAIL```", [actions.fail()]),
    ("osworld-pyautogui", "```python\nWAIT\n```", [actions.wait(3)]),
    (
        "osworld-som",
        "```python\npyautogui.click(tag_2)\npyautogui.typewrite('Hi', interval=0.1)\n```",
        [actions.click(2), actions.type_text("Hi")],
    ),
    (
        "waa",
        "Analysis.\n```decision\nCOMMAND\n```\n```python\ncomputer.mouse.move_id(id=2) # it\n"
        "computer.mouse.single_click()\ncomputer.keyboard.press(\"enter\")\n```\n"
        "```memory\n# nothing\n```",
        [actions.click(2), actions.key("Return")],
    ),
    ("waa", "```decision\n# New tab opened, task completed\nDONE\n```", [actions.done()]),
    (
        "waa",
        "```python\ncomputer.os.open_program(\"outlook\")\n```",
        [actions.open_program("outlook")],
    ),
]  # fmt: skip

CALLS: list[tuple[str, list[tuple[str, dict[str, Any]]], list[Action]]] = [
    (
        "tools",
        [("computer", {"kind": "key", "keys": "ctrl+b", "element": None})],
        [actions.key("ctrl+b")],
    ),
    (
        "anthropic-20250124",
        [("computer", {"action": "left_click", "coordinate": [200, 300], "text": "ctrl"})],
        [actions.click(xy=PIXEL, keys="ctrl")],
    ),
    ("anthropic-20250124", [("computer", {"action": "screenshot"})], [actions.wait(0)]),
    (
        "anthropic-20251124",
        [
            ("computer", {"action": "mouse_move", "coordinate": [200, 300]}),
            ("computer", {"action": "left_mouse_down"}),
        ],
        [actions.mouse_down(xy=PIXEL)],
    ),
    (
        "anthropic-20251124",
        [("computer", {"action": "key", "text": "ctrl+Page_Down"})],
        [actions.key("ctrl+Page_Down")],
    ),
    (
        "anthropic-20260801",
        [("scroll", {"scroll_direction": "right", "scroll_amount": 3, "coordinate": [200, 300]})],
        [actions.scroll(3, xy=PIXEL, keys="shift")],
    ),
    ("anthropic-20260801", [("key", {"text": "Tab", "repeat": 4})], [actions.key("Tab", 4)]),
    (
        "openai-computer",
        [
            (
                "computer",
                {
                    "actions": [
                        {"type": "click", "button": "left", "x": 200, "y": 300},
                        {"type": "keypress", "keys": ["CTRL", "A"]},
                        {"type": "type", "text": "Hi"},
                        {"type": "screenshot"},
                    ]
                },
            )
        ],
        [actions.click(xy=PIXEL), actions.key("ctrl+a"), actions.type_text("Hi")],
    ),
    (
        "openai-computer",
        [("computer", {"action": {"type": "scroll", "x": 200, "y": 300, "scroll_y": 240}})],
        [actions.scroll(2, xy=PIXEL)],
    ),
    (
        "openai-computer-preview",
        [("computer", {"action": {"type": "double_click", "x": 200, "y": 300}})],
        [actions.double_click(xy=PIXEL)],
    ),
    (
        "gemini-computer",
        [("click", {"x": 500, "y": 500, "intent": "select the title"})],
        [actions.click(xy=HALF)],
    ),
    (
        "gemini-computer",
        [("type_text_at", {"x": 500, "y": 500, "text": "Hi"})],
        [actions.click(xy=HALF), actions.key("ctrl+a"), actions.type_text("Hi\n")],
    ),
    (
        "gemini-computer",
        [("scroll", {"x": 500, "y": 500, "direction": "up", "magnitude": 300})],
        [actions.scroll(-3, xy=HALF)],
    ),
    ("gemini-computer", [("hotkey", {"keys": "Control+B"})], [actions.key("ctrl+b")]),
]


@each_case("name, text, expected", TEXTS)
def test_model_texts_parse(name: str, text: str, expected: list[Action]) -> None:
    assert get_dialect(name).parse(Reply(text), SCREEN) == expected


@each_case("name, calls, expected", CALLS)
def test_model_calls_parse(
    name: str, calls: list[tuple[str, dict[str, Any]]], expected: list[Action]
) -> None:
    reply = Reply("", tuple(Call(tool, arguments, "id") for tool, arguments in calls))
    assert get_dialect(name).parse(reply, SCREEN) == expected


NATIVE = (
    *("anthropic-20250124", "anthropic-20260801", "openai-computer", "openai-computer-preview"),
    "gemini-computer",
)


@each_case("name", NATIVE)
def test_text_without_calls_ends_the_episode(name: str) -> None:
    dialect = get_dialect(name)
    assert dialect.parse(Reply("The title is bold now."), SCREEN) == [actions.done()]
    assert dialect.parse(Reply("[INFEASIBLE] no such slide"), SCREEN) == [actions.fail()]


def test_openai_preview_tool_declares_the_image_size() -> None:
    (tool,) = get_dialect("openai-computer-preview").tools(SCREEN)
    assert tool["type"] == "computer_use_preview"
    assert (tool["display_width"], tool["display_height"]) == SCREEN.image_size
