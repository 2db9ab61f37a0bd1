"""Write rows for `sft.py` from exported conversations, such as demonstrations on the screen.

pptarena run --suite suite.jsonl#train --agent macro --out runs/demos
pptarena runs export runs/demos --format chat --dialect json \
    --see elements-short,window,slide,actions --filter 'score>=1' --out runs/chat
python -m examples.llm.chat_rows --chat runs/chat/chat.parquet --history 0 \
    --out runs/llm/screen_rows.jsonl

Every answer is a row. Its request has the system prompt and the last turns, like a request of
`pptarena run --agent model --option history=N`. With `--names`, an answer begins with the element
that it uses, as `elements-short` lists it: a small model copies a name and its number more reliably
than a number alone.
"""

import argparse
import re
import sys
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from examples.llm.rollouts import Row, write_rows


def main() -> None:
    """Read the table and write the rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chat", type=Path, nargs="+", required=True, help="Exported tables.")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--history", type=int, default=1, help="Earlier turns in a request.")
    parser.add_argument("--names", action="store_true", help="Begin answers with the element.")
    parser.add_argument(
        "--without", nargs="*", default=(), metavar="KIND", help="Omit actions of these kinds."
    )
    options = parser.parse_args()
    rows = [
        row
        for path in options.chat
        for episode in _episodes(path)
        for row in conversation_rows(episode, options.history, options.names, options.without)
    ]
    write_rows(options.out, rows)
    print(f"{len(rows)} rows: {options.out}")


def conversation_rows(
    episode: Mapping[str, Any], history: int, names: bool = False, without: Collection[str] = ()
) -> Iterator[Row]:
    """Yield a row for every answer of an episode.

    Args:
        episode: A row of the table.
        history: Number of earlier turns in a request.
        names: Whether an answer begins with the line of the element that it uses.
        without: Kinds of actions whose answers are omitted, such as ``scroll``.
    """
    messages = [
        {"role": str(source["role"]), "content": _text(source)} for source in episode["messages"]
    ]
    system = [message for message in messages[:1] if message["role"] == "system"]
    for index, message in enumerate(messages):
        if message["role"] == "assistant" and message["content"]:
            start = max(len(system), index - 1 - 2 * history)
            name = f"{episode['id']}#{index}"
            request = [*system, *messages[start:index]]
            answer = message["content"]
            if any(f'"kind": "{kind}"' in answer for kind in without):
                continue
            if names and (element := element_name(answer, request[-1]["content"])):
                answer = f"{element}\n{answer}"
            yield Row(name, "train", "", "", request, answer, float(episode["score"]))


def element_name(answer: str, request: str) -> str:
    """Return the line of the element in an answer, up to its number; empty without an element.

    Args:
        answer: An answer in the dialect `json`.
        request: The request, with the list `elements-short`.
    """
    element = re.search(r'"element": (\d+)', answer)
    if element is None:
        return ""
    number = rf"\[{element[1]}\]"  # skip numbers within the quoted text of a shape
    line = re.search(rf'^[^"\n]*?{number}|^[^"\n]*".*" {number}', request, re.MULTILINE)
    return line[0] if line else ""


def _text(message: Mapping[str, Any]) -> str:
    content = message["content"]
    if isinstance(content, str):
        return content
    if any(part.get("type") != "text" for part in content):
        sys.exit("a message has a picture: export with --see elements-short,window,slide,actions")
    return "".join(part["text"] for part in content)


def _episodes(path: Path) -> list[dict[str, Any]]:
    try:
        import pyarrow.parquet
    except ImportError:
        sys.exit("reading exported tables needs pyarrow: pip install pyarrow")
    columns = ["id", "score", "messages"]
    episodes: list[dict[str, Any]] = pyarrow.parquet.read_table(path, columns=columns).to_pylist()
    return episodes


if __name__ == "__main__":
    main()
