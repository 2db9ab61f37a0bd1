"""Stored replies: a cache on disk, and records to replay."""

import fcntl
import hashlib
import json
import logging
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import TypeAdapter

from pptarena.errors import ConfigError
from pptarena.files import read_text, replacing
from pptarena.paths import cache_home

__all__ = ["Answer", "AnswerCache", "append_record", "read_records", "start_records"]

_MAX_RECORDS_BYTES = 512 * 2**20

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
    """A model's valid reply to one prompt.

    Attributes:
        key: Digest of the prompt and the settings.
        model: Name of the model.
        reply: The text.
        tokens: Input and output tokens.
    """

    key: str
    model: str
    reply: str
    tokens: int

    def to_line(self) -> str:
        """Return the answer as a line of JSON."""
        return json.dumps(asdict(self), sort_keys=True) + "\n"


_ANSWER = TypeAdapter(Answer)


class AnswerCache:
    """Cache of replies by key, one file each, in a folder per endpoint.

    Damaged files count as missing. If the folder cannot be written, a warning is logged.

    Args:
        base_url: URL of the service; two services may serve different models under one name.
        provider: The provider.
    """

    def __init__(self, base_url: str | None, provider: str) -> None:
        place = base_url or "openai"
        if provider != "openai":
            place = f"{provider} {base_url or ''}"
        endpoint = hashlib.sha256(place.encode()).hexdigest()[:12]
        self.folder = cache_home() / "judges" / endpoint

    def find(self, key: str) -> Answer | None:
        """Return the answer for a key, or None."""
        try:
            found = _ANSWER.validate_json(self._file(key).read_bytes())
        except (OSError, ValueError):
            return None
        return found if found.key == key else None

    def keep(self, answer: Answer) -> None:
        """Store an answer."""
        file = self._file(answer.key)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with replacing(file) as out:
                out.write(answer.to_line().encode())
        except OSError as error:
            _log.warning("the judge's answer could not be stored: %s", error)

    def _file(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"


def start_records(file: Path) -> None:
    """Create a file of records, and its folder, if missing.

    Raises:
        ConfigError: If it cannot be written.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    except OSError as error:
        raise ConfigError(f"records: cannot write {file}: {error}") from error


def append_record(file: Path, answer: Answer) -> None:
    """Append an answer to a JSONL file; several processes may share it."""
    with open(file, "a", encoding="utf-8") as out:
        fcntl.flock(out, fcntl.LOCK_EX)
        out.write(answer.to_line())


def read_records(file: Path) -> dict[str, Answer]:
    """Return the answers of a JSONL file by key; the last one of each key counts.

    Raises:
        ConfigError: If it cannot be read; the message names the line.
    """
    try:
        lines = read_text(file, _MAX_RECORDS_BYTES).splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"records: cannot read {file}: {error}; record one with mode='record'"
        ) from error
    found: dict[str, Answer] = {}
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                answer = _ANSWER.validate_json(line)
            except ValueError as error:
                wanted = "expected key, model, reply and tokens"
                raise ConfigError(
                    f"records: {file}, line {number}: {wanted}, got {line}"
                ) from error
            found[answer.key] = answer
    return found
