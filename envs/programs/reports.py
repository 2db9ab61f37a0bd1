"""Parse untrusted messages from the sandbox: results and questions of leaves."""

import json
import signal
from collections.abc import Sequence
from typing import Any

from pptarena.envs.programs.limits import LeafLimits
from pptarena.errors import JudgeError, LeafError, UnscoredError
from pptarena.rewards.judges.protocol import Prompt, Verdict
from pptarena.untrusted import escape_invisible, utf8_safe_text

__all__ = ["failure_reason", "read_question", "read_report"]

_SYSTEM = "You help to grade an edited presentation. Answer the request in the form it asks for."
_PNG = b"\x89PNG\r\n\x1a\n"
_MAX_LINE = 1000


def read_report(report: dict[str, Any], limits: LeafLimits) -> Verdict:
    """Return the verdict of a finished leaf.

    Args:
        report: The worker's report.
        limits: Limits of the leaf.

    Raises:
        LeafError: If the leaf failed; the message gives the reason.
        UnscoredError: If the leaf needs slide images and there are none.
    """
    if not report.get("result"):
        raise LeafError(f"the leaf failed: {failure_reason(report, limits)}")
    try:
        result = json.loads(report["result"])
        if "error" in result:
            error, kind = _line(result["error"]), result.get("kind")
        else:
            score, reason = result["score"], result["reason"]
            if type(score) in (int, float) and type(reason) is str and 0 <= score <= 1:
                return Verdict(float(score), _line(reason) or "the leaf gave no reason")
            error, kind = "its result is malformed", ""
    except (KeyError, ValueError, TypeError, RecursionError) as malformed:
        raise LeafError("the leaf failed: its result is malformed") from malformed
    if kind == "ScreenshotsUnavailableError":
        raise UnscoredError(f"the leaf lacks pictures of slides: {error}")
    if kind == "MemoryError":
        error = f"it needs more than {limits.memory_bytes // 2**20} MB of memory ({error})"
    raise LeafError(f"the leaf failed: {error}")


def read_question(body: bytes, pictures: Sequence[bytes]) -> Prompt:
    """Return a leaf's question to a model as a prompt.

    Args:
        body: The question as the leaf sent it.
        pictures: The images that the leaf sent before.

    Raises:
        JudgeError: If the question is malformed.
    """
    try:
        text = json.loads(body)["prompt"]
    except (KeyError, ValueError, TypeError, RecursionError) as error:
        raise JudgeError("the leaf's question to the model is malformed") from error
    if not isinstance(text, str):
        raise JudgeError("the leaf's question to the model is malformed")
    if not all(picture.startswith(_PNG) for picture in pictures):
        raise JudgeError("the leaf showed the model something that is no picture")
    return Prompt(_SYSTEM, (utf8_safe_text(escape_invisible(text)), *pictures))


def failure_reason(report: dict[str, Any], limits: LeafLimits) -> str:
    """Return the reason why a leaf sent no result, derived from its wait status."""
    status, problem = report.get("status"), str(report.get("problem"))
    status = status if isinstance(status, int) else 0
    number = status & 0x7F
    if number == signal.SIGXCPU:
        return f"it used more than {limits.cpu_sec} s of processor time"
    if "exited" not in problem:
        return f"its answer is malformed: {_line(problem)}"
    if number:
        return f"it ended by {_signal_name(number)} before it returned"
    return f"it ended itself with status {status >> 8 & 0xFF} before it returned"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _line(text: object) -> str:
    """Return a leaf's text on one line, without lone surrogates and truncated."""
    line = " ".join(utf8_safe_text(str(text)).split())
    return line if len(line) <= _MAX_LINE else f"{line[: _MAX_LINE - 3]}..."
