"""Answers that are kept: a cache on the disk, and records to replay."""

import fcntl
import hashlib
import json
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pptarena.errors import ConfigError
from pptarena.files import replacing
from pptarena.paths import cache_home

__all__ = ["Answer", "AnswerCache", "Recorder", "read_records"]

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
    """A model's valid answer to one prompt.

    Attributes:
        key: Digest of the prompt and the settings.
        model: Who answered.
        reply: What it said.
        tokens: What it cost.
    """

    key: str
    model: str
    reply: str
    tokens: int

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {"key": self.key, "model": self.model, "reply": self.reply, "tokens": self.tokens}

    @classmethod
    def from_json(cls, obj: Any) -> "Answer":
        """Return it from plain data.

        Raises:
            ValueError: If it does not fit.
        """
        try:
            found = cls(obj["key"], obj["model"], obj["reply"], obj["tokens"])
        except (KeyError, TypeError) as error:
            raise ValueError("expected key, model, reply and tokens") from error
        if not all(isinstance(each, str) for each in (found.key, found.model, found.reply)):
            raise ValueError("expected texts in key, model and reply")
        return found


class AnswerCache:
    """Answers by key, one file each, in a folder per endpoint.

    Damaged files count as absent. A folder that cannot be written costs a warning, no answer.

    Args:
        base_url: Address of the endpoint: two of them may serve different models by one name.
    """

    def __init__(self, base_url: str | None) -> None:
        endpoint = hashlib.sha256((base_url or "openai").encode()).hexdigest()[:12]
        self.folder = cache_home() / "judges" / endpoint

    def find(self, key: str) -> Answer | None:
        """Return the answer of that key, None if there is none."""
        try:
            found = Answer.from_json(json.loads(self._file(key).read_text("utf-8")))
        except (OSError, ValueError):
            return None
        return found if found.key == key else None

    def keep(self, answer: Answer) -> None:
        """Keep an answer."""
        file = self._file(answer.key)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with replacing(file) as out:
                out.write(json.dumps(answer.to_json()).encode())
        except OSError as error:
            _log.warning("the judge's answer could not be kept: %s", error)

    def _file(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"


class Recorder:
    """Appends answers to a JSONL file; several processes may share it.

    Args:
        file: It and its folder are made if need be.

    Raises:
        ConfigError: If it cannot be written.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch()
        except OSError as error:
            raise ConfigError(f"records: cannot write {file}: {error}") from error

    def append(self, answer: Answer) -> None:
        """Append an answer as one line."""
        line = json.dumps(answer.to_json(), sort_keys=True) + "\n"
        with open(self._file, "a", encoding="utf-8") as out:
            fcntl.flock(out, fcntl.LOCK_EX)
            out.write(line)


def read_records(file: Path) -> dict[str, Answer]:
    """Return the answers of a JSONL file by key; of several with one key the last counts.

    Raises:
        ConfigError: If it cannot be read; the message names the line.
    """
    try:
        lines = file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"records: cannot read {file}: {error}; record one with mode='record'"
        ) from error
    found: dict[str, Answer] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            answer = Answer.from_json(json.loads(line))
        except ValueError as error:
            raise ConfigError(f"records: {file}, line {number}: {error}") from error
        found[answer.key] = answer
    return found
