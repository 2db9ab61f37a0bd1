"""An OpenAI-compatible endpoint with fixed replies, in place of a model or a judge.

python examples/papers/scripted_endpoint.py [--port 8000]

It prints its address and serves until it is stopped. Replies depend on the prompt: two actions and
then `done` for agents on the screen, `done` for agents on documents, calls for the baselines of
PPTC, a plan and an edit for PPTPilot, and scores for judges. Scores alternate between two values,
so that repeated judgments differ.
"""

import argparse
import json
import re
from collections import Counter
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Rule = tuple[str, Callable[[int, str], Any]]

CLICK = "computer.mouse.move_abs(x=0.5, y=0.5)\ncomputer.mouse.single_click()"
EDIT = "presentation.slides[0].shapes.title.text_frame.text = 'Yield'"


def _waa(turn: int, _: str) -> str:
    if turn % 3 == 2:
        return "```decision\nDONE\n```"
    return f"```decision\nCOMMAND\n```\n```python\n{CLICK}\n```"


def _json(turn: int, _: str) -> dict[str, Any]:
    actions: tuple[dict[str, Any], ...] = (
        {"kind": "click", "xy": [0.5, 0.5]},
        {"kind": "key", "keys": "Page_Down"},
        {"kind": "done"},
    )
    return actions[turn % 3]


def _slides(turn: int, text: str) -> dict[str, Any]:
    labels = re.findall(r'"([^"\n]+)"[^"\n]*\(judge this one\):', text)
    return {"slides": [{"slide": each, "score": 3 + turn % 2, "reason": "neat"} for each in labels]}


def _published(name: str) -> Callable[[int, str], dict[str, Any]]:
    return lambda turn, _: {f"{name}_score": 3 + turn % 2, f"{name}_reason": "done"}


RULES: tuple[Rule, ...] = (
    ("You write technical instructions", lambda *_: {"overview_instructions": "Edit the title."}),
    ("strict judge of how well an edit", _published("instruction_following")),
    ("judge of visual quality, content", _published("visual_quality")),
    ("You write down", lambda *_: {"target": "The change that was asked for, and no other."}),
    ("in two respects", lambda turn, _: {"instruction": 3, "visual": 4, "reason": "done"}),
    ("how well edited slides look", _slides),
    ("how edited slides look. You get a question", _slides),
    ("You judge", lambda turn, _: {"score": 3 + turn % 2, "reason": "done"}),
    ("You check one point", lambda turn, _: {"score": 1 - turn % 2 / 2, "reason": "done"}),
    ("You plan edits", lambda *_: {"edits": [{"what": "edit", "kind": "text", "slides": []}]}),
    ("You decide how an edit", lambda *_: {"route": "program"}),
    ("You edit a presentation by Python", lambda *_: _call("run_program", code=EDIT)),
    ("You edit a presentation by rewriting", lambda *_: _call("done")),
    ("You check", lambda *_: {"score": 5, "problems": []}),
    (
        "You help a user with a presentation",
        lambda *_: "The best choice is 1\n<code>\nchoose_title();\ninsert_text('Tents');\n</code>",
    ),
    ("You edit a presentation by calling tools", lambda *_: {"name": "done"}),
    ("computer.mouse", _waa),
    ("", _json),
)
"""The first rule whose text is part of the system prompt replies."""


def _call(name: str, **arguments: str) -> dict[str, Any]:
    return {"name": name, "arguments": arguments}


class Endpoint(ThreadingHTTPServer):
    """Serves ``POST .../chat/completions``."""

    daemon_threads = True

    def __init__(self, port: int = 0) -> None:
        """Listen on a port of this computer; 0 for a free one."""
        super().__init__(("127.0.0.1", port), _Handler)
        self.turns: Counter[str] = Counter()

    @property
    def url(self) -> str:
        """The base URL for ``--base-url``."""
        return f"http://127.0.0.1:{self.server_port}/v1"

    def reply(self, request: dict[str, Any]) -> str:
        """Return the reply to a request of the chat API."""
        texts = [_text(message["content"]) for message in request["messages"]]
        marker, make_reply = next(rule for rule in RULES if rule[0] in texts[0])
        turn = self.turns[marker]
        self.turns[marker] += 1
        reply = make_reply(turn, "\n".join(texts))
        return reply if isinstance(reply, str) else json.dumps(reply)


class _Handler(BaseHTTPRequestHandler):
    server: Endpoint

    def do_POST(self) -> None:
        """Reply to one request."""
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text = self.server.reply(request)
        body = json.dumps(
            {
                "id": "1",
                "object": "chat.completion",
                "choices": [
                    {
                        "index": 0,
                        "finish_reason": "stop",
                        "message": {"role": "assistant", "content": text},
                    }
                ],
                "usage": {"prompt_tokens": 90, "completion_tokens": 10, "total_tokens": 100},
            }
        ).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Log nothing."""


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content or ())


def main() -> None:
    """Print the address and serve."""
    parser = argparse.ArgumentParser(description="Serve fixed replies in place of a model.")
    parser.add_argument("--port", type=int, default=0, help="Port; 0 for a free one.")
    with Endpoint(parser.parse_args().port) as endpoint:
        print(endpoint.url, flush=True)
        endpoint.serve_forever()


if __name__ == "__main__":
    main()
