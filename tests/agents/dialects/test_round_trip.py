"""What a dialect can say comes back the same."""

import dataclasses
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.each_case import each_case

from pptarena.agents.dialects import Dialect, Reply, Screen, dialect_names, get_dialect
from pptarena.envs.actions import KINDS, POINTER_KINDS, Action
from pptarena.envs.charset import charset
from pptarena.errors import ActionError, DialectError

pytestmark = pytest.mark.slow

SIZE = (1280, 720)
CENTERS = tuple((0.1 * number, 0.05 * number + 0.1) for number in range(1, 9))
DIALECTS = [get_dialect(name) for name in dialect_names()]

_points = st.tuples(st.floats(0, 1, width=32), st.floats(0, 1, width=32))
_modifiers = st.sampled_from(["", "", "ctrl", "shift", "ctrl+shift", "alt"])
_keys = st.sampled_from(
    [
        *("a", "z", "7", "Return", "Page_Down", "BackSpace", "F5", "plus", "space", "Tab", "KP_3"),
        *("Menu", "Print", "exclam", "ISO_Level3_Shift", "KP_Enter", "Escape", "minus", "quotedbl"),
        *("ctrl+b", "ctrl+shift+Home", "alt+F4", "super+l", "ctrl+plus", "ctrl+alt+Delete"),
        *("shift+Tab", "Control_R+c", "ctrl+backslash", "ctrl+apostrophe"),
    ]
)
_characters = st.characters(codec="utf-8").filter(charset().__contains__)
_texts = st.text(_characters, min_size=1, max_size=40) | st.sampled_from(
    [
        "pyautogui.click(1, 2)",
        'It\'s "so"\n',
        "```\nDONE\n```",
        "</tool_call>",
        "\\n\\",
        "{}",
        "a')",
    ]
)
_wait = st.integers(0, 20)


@st.composite
def _actions(draw: st.DrawFn) -> Action:
    kind = draw(st.sampled_from(KINDS))
    element = draw(st.sampled_from([0, 0, 1, 5]))
    if kind in (*POINTER_KINDS, "copy_image"):
        amount = draw(st.integers(1, 20)) * draw(st.sampled_from([1, -1]))
        end = kind == "drag" or (kind == "copy_image" and not element)
        return Action(
            kind,
            element=element,
            xy=None if element else draw(_points),
            end_xy=draw(_points) if end else None,
            keys="" if kind == "copy_image" else draw(_modifiers),
            text=draw(st.just("") | _texts) if kind == "copy_image" else "",
            amount=amount if kind == "scroll" else 0,
        )
    if kind == "key":
        return Action(kind, keys=draw(_keys), amount=draw(st.sampled_from([0, 0, 2, 7])))
    if kind in ("type", "copy_text", "open_program", "switch_window"):
        return Action(kind, text=draw(_texts))
    return Action(kind, amount=draw(_wait) if kind == "wait" else 0)


def _assert_same(first: Action, second: Action, screen: Screen) -> None:
    plain = (
        dataclasses.replace(action, element=0, xy=None, end_xy=None) for action in (first, second)
    )
    assert next(plain) == next(plain)
    if first.kind in POINTER_KINDS:
        assert screen.target(second) == pytest.approx(screen.target(first), abs=0.0015)
    if first.end_xy is not None:
        assert second.end_xy == pytest.approx(first.end_xy, abs=0.0015)


def _rendered(dialect: Dialect, action: Action, screen: Screen) -> Reply | None:
    try:
        return dialect.render(action, screen)
    except DialectError:
        return None


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
@given(action=_actions())
def test_rendered_actions_parse_back(dialect: Dialect, action: Action) -> None:
    screen = Screen(dialect.picture_size(SIZE), CENTERS)
    reply = _rendered(dialect, action, screen)
    if reply is None:
        return
    (parsed,) = dialect.parse(reply, screen)
    if action.kind != "ask":
        _assert_same(action, parsed, screen)
    assert dialect.render(parsed, screen) == reply  # exactly: a second round trip changes nothing


SUPPORTED_BY_ALL = (
    "click",
    "double_click",
    "triple_click",
    "right_click",
    "drag",
    "key",
    "type",
    "done",
    "fail",
)


@each_case("dialect", DIALECTS, ids=lambda dialect: dialect.name)
@each_case("kind", SUPPORTED_BY_ALL)
def test_every_dialect_expresses_the_actions_for_editing(dialect: Dialect, kind: str) -> None:
    screen = Screen(dialect.picture_size(SIZE), CENTERS)
    point = (0.5, 0.25) if kind in POINTER_KINDS else None
    end = (0.75, 0.5) if kind == "drag" else None
    keys, text = ("ctrl+b", "") if kind == "key" else ("", "Hi" if kind == "type" else "")
    action = Action(kind, xy=point, end_xy=end, keys=keys, text=text)
    thought = "It's time; next I will act."
    (parsed,) = dialect.parse(dialect.render(action, screen, thought), screen)
    _assert_same(action, parsed, screen)


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
@given(text=st.text(string.printable, max_size=200) | st.text(max_size=60))
def test_any_text_parses_or_raises_a_clear_error(dialect: Dialect, text: str) -> None:
    problem, actions = "", []
    try:
        actions = dialect.parse(Reply(text), Screen())
    except ActionError as error:
        problem = str(error)
    assert len(problem) < 500
    assert bool(problem) != bool(actions)
    assert {action.kind for action in actions} <= set(KINDS)
