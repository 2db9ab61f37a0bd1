"""UI-TARS-2 (arXiv 2509.02544) and Seed 1.6 and later: calls between special tags."""

import re

from pptarena.agents.dialects.action_builder import ActionBuilder
from pptarena.agents.dialects.base import PlainDialect, Reply, Screen, reply_text
from pptarena.agents.dialects.coordinates import Thousandths
from pptarena.agents.dialects.uitars_actions import decode_uitars, encode_uitars
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
        functions = _FUNCTION.findall(_truncate_after_last(_FUNCTION_END, reply_text(reply)))
        if not functions:
            raise DialectError("expected calls such as <function=click>...</function>")
        builder = ActionBuilder(screen)
        question = _TAGS.sub(" ", reply.text.partition("<function=")[0])
        for name, body in functions:
            parameters = _PARAMETER.findall(_truncate_after_last(_PARAMETER_END, body))
            arguments = {key: value.strip("\n") for key, value in parameters}
            decode_uitars(name, arguments, builder, Thousandths(), screen, question)
        return builder.actions()

    def render(self, action: Action, screen: Screen, thought: str = "") -> Reply:
        """Return an action as calls."""
        encoded = encode_uitars(action, Thousandths(), screen, pointer_kinds=True)
        if any(
            end in action.text for end in (_FUNCTION_END, _PARAMETER_END)
        ) or action.text != action.text.strip("\n"):
            raise DialectError("this text cannot be written between tags")
        calls = "\n".join(_format_call(name, arguments) for name, arguments in encoded)
        if action.kind == "ask":  # the call has no parameter for the question
            thought = "\n".join(filter(None, (thought, action.text)))
        reasoning = f"<think>{thought}</think>\n" if thought else ""
        return Reply(f"{reasoning}<seed:tool_call>\n{calls}\n</seed:tool_call>")


def _truncate_after_last(end: str, text: str) -> str:
    # For every opening tag without an end tag, the regular expression would scan to the end.
    before, separator, _ = text.rpartition(end)
    return before + separator


def _format_call(name: str, arguments: dict[str, str]) -> str:
    lines = [
        f"<parameter={key}>{_format_value(key, value)}</parameter>"
        for key, value in arguments.items()
    ]
    return "\n".join([f"<function={name}>", *lines, "</function>"])


def _format_value(key: str, value: str) -> str:
    return f"<point>{value}</point>" if key.endswith("point") else value
