"""Programs can edit the deck and nothing else."""

import re
import time
from collections.abc import Iterator
from io import BytesIO

import pytest
from pptx import Presentation
from tests.each_case import each_case

from pptarena.envs.document import PPTArenaDocEnv, ToolCall
from pptarena.envs.document.document import open_document
from pptarena.envs.programs.limits import LeafLimits
from pptarena.envs.programs.programs import Programs
from pptarena.errors import DeckError

pytestmark = pytest.mark.slow

FORGED = "import os, struct\nfor fd in range(3, 20):\n    try: os.write(fd, struct.pack('>cI', {})"
FORGED += " + {})\n    except OSError: pass\nos._exit(0)"


@pytest.fixture(scope="module")
def programs() -> Iterator[Programs]:
    with Programs(LeafLimits(wall_sec=6.0, cpu_sec=2, memory_bytes=2**29)) as programs:
        yield programs


def run(code: str) -> ToolCall:
    return ToolCall.of("run_program", code=code)


def test_program_edits_the_deck(env: PPTArenaDocEnv) -> None:
    code = "presentation.slides[0].shapes.title.text = 'Yurts'\nprint('done it')"
    observation, _, _, _, info = env.step(run(code))
    assert (observation["result"].strip(), info["document"]["revision"]) == ("done it", 1)
    assert "[2] title 'Yurts'" in observation["outline"]
    checkpoint = env.checkpoint()
    env.step(run("presentation.slides[0].shapes.title.text = 'Tents'"))
    restored, _ = env.restore(checkpoint)
    assert restored == observation


def test_failing_program_changes_nothing(env: PPTArenaDocEnv) -> None:
    before = env.deck_bytes()
    code = "presentation.slides[0].shapes.title.text = 'Yurts'\nprint('so far')\n1 / 0"
    observation, _, _, _, info = env.step(run(code))
    assert "so far\nline 3: ZeroDivisionError" in observation["result"]
    assert "the program failed" in info["action_error"]
    assert env.deck_bytes() == before


@each_case(
    "code, reason",
    [
        ("while True: pass", "(processor time|longer than 6 s)"),
        ("import time\ntime.sleep(60)", "longer than 6 s"),
        ("x = bytearray(2**30)", "MemoryError"),
        ("import os\nos.fork()", "PermissionError"),
        ("import socket\nsocket.create_connection(('1.1.1.1', 53), 1)", "PermissionError"),
        ("open('/etc/passwd').read()", "FileNotFoundError"),
        ("import os\nprint(os.listdir('/decks'))\nraise ValueError", r"\[\]"),
        ("import os\nos._exit(3)", "ended itself with status 3"),
        ("import sys\nsys.exit()", "SystemExit"),
        ("import subprocess\nsubprocess.run(['ls'])", "Error"),
        ("(", "SyntaxError"),
        ("presentation.part._element = None\npresentation.save = 1", "AttributeError: 'NoneType'"),
    ],
)
def test_forbidden_operations_fail(programs: Programs, deck: bytes, code: str, reason: str) -> None:
    started = time.monotonic()
    result = programs.run(deck, code)
    assert result.deck is None
    assert re.search(reason, result.output)
    assert time.monotonic() - started < 60


def test_output_is_truncated_and_files_do_not_persist(programs: Programs, deck: bytes) -> None:
    result = programs.run(deck, "for _ in range(100): print('x' * 100_000)")
    assert result.deck is not None
    assert len(result.output) <= 8_000
    writing = programs.run(deck, "open('/tmp/left', 'w').write('x')")
    assert writing.deck is not None
    assert "False" in programs.run(deck, "import os; print(os.path.exists('/tmp/left'))").output


@pytest.mark.parametrize("kind", [b"d", b"r", b"o", b"c"])
def test_forged_messages_are_rejected(env: PPTArenaDocEnv, kind: bytes) -> None:
    before = env.deck_bytes()
    body = b'{"output": "", "error": ""}'
    code = FORGED.format(f"{kind!r}, {len(body)}", repr(body))
    _, _, _, truncated, info = env.step(run(code))
    assert info["action_error"]
    assert not truncated
    assert env.deck_bytes() == before


def test_oversized_deck_is_rejected(deck: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(open_document(deck).slides) == 2
    monkeypatch.setattr("pptarena.envs.document.document.DOCUMENT_MAX_BYTES", 1000)
    with pytest.raises(DeckError, match="at most 1000 bytes"):
        open_document(deck)


def test_missing_sandbox_is_an_infrastructure_error(
    env: PPTArenaDocEnv, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pptarena.envs.programs.sandbox.shutil.which", lambda name: None)
    _, reward, terminated, truncated, info = env.step(run("1"))
    assert (reward, terminated, truncated) == (0.0, False, True)
    assert "bubblewrap is missing" in info["infra_error"]
    assert info["action_error"] is None


def test_invalid_deck_from_a_program_is_rejected(env: PPTArenaDocEnv) -> None:
    code = "class Fake:\n def save(self, stream): stream.write(b'PK')\n"
    code += "presentation.save = Fake().save"
    before = env.deck_bytes()
    _, _, _, _, info = env.step(run(code))
    assert "the changed deck is refused" in info["action_error"]
    assert env.deck_bytes() == before
    assert len(Presentation(BytesIO(before)).slides) == 2


def test_programs_read_attachments(programs: Programs, deck: bytes) -> None:
    files = {"costs.csv": b"a,b\n1,2\n"}
    assert programs.run(deck, "print(files['costs.csv'].decode())", files).output == "a,b\n1,2"
    assert "KeyError" in programs.run(deck, "files['costs.csv']").output


def test_program_may_leave_a_removed_slide_related(env: PPTArenaDocEnv) -> None:
    code = (
        "entries = presentation.slides._sldIdLst\n"
        "entries.remove(entries[0])\n"
        "new = presentation.slides.add_slide(presentation.slide_layouts[5])\n"
        "new.shapes.title.text = 'Yurts'"
    )
    observation, _, _, _, info = env.step(run(code))
    assert info["action_error"] is None
    assert "title 'Yurts'" in observation["outline"]
