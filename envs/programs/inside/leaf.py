"""Runs one leaf in its own process: isolate it, execute the code, send the result."""

import base64
import binascii
import importlib
import io
import json
import os
import random
import sys
from collections.abc import Callable
from typing import Any

from pptarena.envs.programs.inside import channel, confine

__all__ = ["MODEL_FUNCTION_MODULES", "run"]

MODEL_FUNCTION_MODULES = ("ppteval.verify.ppt.verifier", "rubric.utils.llm_tools")
"""The modules from which leaves import the functions that ask models; other leaves use globals."""

_MAX_REASON = 4000
_PNG = b"\x89PNG\r\n\x1a\n"


def run(
    file: int, code: str, context: dict[str, Any], limits: dict[str, int], published: bool
) -> None:
    """Run a leaf and send one `RESULT`; never returns.

    Args:
        file: Socket to the worker.
        code: Python source that defines ``compute_score``.
        context: The globals of the code, without the two functions that ask models.
        limits: Arguments of `confine.limit`.
        published: Whether top-level names are invisible inside functions, as in PPT-Eval's
            evaluator.
    """
    try:
        model_functions = {
            "llm_call": _model_function(file, False),
            "vlm_call": _model_function(file, True),
        }
        context |= model_functions
        for name in MODEL_FUNCTION_MODULES:
            vars(importlib.import_module(name)).update(model_functions)
        _seed()
        confine.limit(**limits)
        confine.lock()
        outcome = _outcome(code, context, {} if published else context)
        channel.send(file, channel.RESULT, outcome)
    finally:
        os._exit(0)


def _outcome(code: str, context: dict[str, Any], local_names: dict[str, Any]) -> dict[str, Any]:
    """Return the result of the code, or the reason why there is no valid one.

    Args:
        code: Python source.
        context: The globals of the code.
        local_names: The locals of the code. Functions see its top-level names only if this
            is `context`.
    """
    try:
        exec(_without_fence(code), context, local_names)
        reason, score = local_names["compute_score"]()
        return _validated(reason, score)
    except BaseException as error:  # noqa: BLE001 - exit and interrupts of the code too
        error_type = type(error).__name__
        if error_type == "KeyError" and error.args == ("compute_score",):
            return {"error": "the code defines no compute_score"}
        hint = ""
        if (
            isinstance(error, NameError)
            and error.name in local_names
            and local_names is not context
        ):
            hint = (
                f"; with the faults of PPT-Eval (quirks), compute_score does not see {error.name!r}"
                " of the top level: import or define it inside compute_score"
            )
        return {"error": f"{error_type}: {_text(error)}"[:_MAX_REASON] + hint, "kind": error_type}


def _validated(reason: Any, score: Any) -> dict[str, Any]:
    if not isinstance(reason, str) or not isinstance(score, int | float):
        types = f"{type(reason).__name__} and {type(score).__name__}"
        raise TypeError(f"compute_score must return a text and a number, got {types}")
    value = float(score)
    if not 0.0 <= value <= 1.0:
        raise ValueError(f"compute_score must return a number from 0 to 1, got {value}")
    if len(reason) > channel.MAX_BYTES[channel.RESULT] // 8:
        raise ValueError(f"compute_score returned a reason of {len(reason)} characters")
    return {"score": value, "reason": reason[:_MAX_REASON]}


def _without_fence(code: str) -> str:
    """Return code without a surrounding Markdown fence."""
    stripped = code.strip()
    if stripped.startswith("```python") and stripped.endswith("```"):
        return "\n".join(stripped.split("\n")[1:-1])
    return code


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # noqa: BLE001 - a class of the code may fail at that
        return "its text cannot be read"


def _seed() -> None:
    random.seed(0)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(0)


def _model_function(file: int, with_images: bool) -> Callable[..., str]:
    """Return ``llm_call`` or ``vlm_call``."""

    def ask(prompt: str, images: Any = ()) -> str:
        for png in [_png(image) for image in images]:
            channel.send_raw(file, channel.IMAGE, png)
        channel.send(file, channel.CALL, {"prompt": str(prompt)})
        # If there is no answer, the host kills this process.
        return str(json.loads(channel.read_message(file)[1])["text"])

    # The host determines the settings: the same question must get the same answer.
    def llm_call(prompt: str, temperature: float = 0.7, max_tokens: int | None = None) -> str:
        return ask(prompt)

    def vlm_call(
        prompt: str, images: Any, temperature: float = 0.7, max_tokens: int | None = None
    ) -> str:
        return ask(prompt, images)

    return vlm_call if with_images else llm_call


def _png(image: Any) -> bytes:
    """Return an image, given as path, base64 or bytes, as a PNG file."""
    data = bytes(image) if isinstance(image, bytes | bytearray) else _file_or_base64(str(image))
    if not data.startswith(_PNG):
        from PIL import Image

        out = io.BytesIO()
        with Image.open(io.BytesIO(data)) as picture:
            picture.convert("RGB").save(out, "PNG")
        data = out.getvalue()
    return data


def _file_or_base64(text: str) -> bytes:
    if len(text) < 4096 and os.path.exists(text):
        with open(text, "rb") as file:
            return file.read()
    try:
        return base64.b64decode(text.rpartition("base64,")[2], validate=True)
    except binascii.Error as error:
        raise FileNotFoundError(f"no picture of that path: {text[:200]!r}") from error
