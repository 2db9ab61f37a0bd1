"""UI-TARS-2 (arXiv 2509.02544) and Seed 1.6 and later: calls between special tags."""

import re

from pptarena.agents.dialects.base import PlainDialect, Reply, Screen, text_of
from pptarena.agents.dialects.coordinates import Thousandths
from pptarena.agents.dialects.hand import Hand
from pptarena.agents.dialects.uitars_actions import do_uitars, say_uitars
from pptarena.envs.actions import Action
from pptarena.errors import DialectError

__all__ = ["UiTars2"]

_PROMPT = """\
You are a GUI agent. You see a task and screenshots, and do the next action. Think first, then
answer with calls in this form:

<seed:tool_call>
<function=click>
<parameter=point><point>500 300</point></parameter>
</function>
</seed:tool_call>

Functions: click(point), left_double(point), right_single(point), move_to(point),
mouse_down(point), mouse_up(point), drag(start_point, end_point), scroll(point, direction: up, down,
left or right), hotkey(key, such as "ctrl c"), press(key), type(content), wait(), call_user() to ask
the user what you thought, finished(content), with the content [INFEASIBLE] if the task cannot be
done. Points are thousandths of the width and
the height of the screen."""

_FUNCTION_END, _PARAMETER_END = "</function>", "</parameter>"
_FUNCTION = re.compile(rf"<function=([a-z_]{{1,40}})>(.*?){_FUNCTION_END}", re.DOTALL)
_TAGS = re.compile(r"</?(?:seed:tool_call|think[a-z_0-9]*)>")
_PARAMETER = re.compile(rf"<parameter=([a-z_]{{1,40}})>(.*?){_PARAMETER_END}", re.DOTALL)


class UiTars2(PlainDialect):
    """Calls between ``<seed:tool_call>`` tags; points in thousandths of the screen."""

    name = "uitars-2"
    api = "chat"
    see = "screenshot,window,slide"

    def prompt(self) -> str:
        """Return the system prompt."""
        return _PROMPT

    def parse(self, reply: Reply, screen: Screen) -> list[Action]:
        """Return the actions of all calls."""
        found = _FUNCTION.findall(_up_to(_FUNCTION_END, text_of(reply)))
        if not found:
            raise DialectError("expected calls such as <function=click>...</function>")
        hand = Hand(screen)
        question = _TAGS.sub(" ", reply.text.partition("<function=")[0])
        for name, inner in found:
            parameters = _PARAMETER.findall(_up_to(_PARAMETER_END, inner))
            given = {key: value.strip("\n") for key, value in parameters}
            do_uitars(name, given, hand, Thousandths(), screen, question)
        return hand.actions()

    def render(self, action: Action, screen: Screen, thought: str = "") -> Reply:
        """Return an action as calls."""
        said = say_uitars(action, Thousandths(), screen, pointer_kinds=True)
        if any(
            end in action.text for end in (_FUNCTION_END, _PARAMETER_END)
        ) or action.text != action.text.strip("\n"):
            raise DialectError("this text cannot be said between tags")
        calls = "\n".join(_call(name, given) for name, given in said)
        if action.kind == "ask":  # the call has no parameter for the question
            thought = "\n".join(filter(None, (thought, action.text)))
        think = f"<think>{thought}</think>\n" if thought else ""
        return Reply(f"{think}<seed:tool_call>\n{calls}\n</seed:tool_call>")


def _up_to(end: str, text: str) -> str:
    # Opening tags without an end would be searched again and again.
    before, found, _ = text.rpartition(end)
    return before + found


def _call(name: str, given: dict[str, str]) -> str:
    lines = [f"<parameter={key}>{_value(key, value)}</parameter>" for key, value in given.items()]
    return "\n".join([f"<function={name}>", *lines, "</function>"])


def _value(key: str, value: str) -> str:
    return f"<point>{value}</point>" if key.endswith("point") else value
