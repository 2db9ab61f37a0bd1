import io
import json
import re
import sys
import time
import unicodedata

import pytest
from rich.table import Table

from pptarena.cli import main, output
from pptarena.cli.output import _VisibleConsole, print_json
from pptarena.untrusted import escape_invisible

CONTROLS = [chr(code) for code in (*range(32), *range(127, 160), 0x202E, 0x2067, 0xD800)]
HOSTILE = "".join(CONTROLS) + "end"


def _harmless(text: str) -> bool:
    return all(
        char in "\n\t" or unicodedata.category(char) not in ("Cc", "Cs", "Cf") for char in text
    )


@pytest.mark.parametrize("way", ["plain", "table", "markup"])
def test_text_cannot_control_the_terminal(way: str) -> None:
    out = io.StringIO()
    console = _VisibleConsole(file=out, width=300)
    if way == "table":
        table = Table("a")
        table.add_row("\x1b[31m\x9bend")
        console.print(table)
    else:
        console.print(HOSTILE, markup=way == "markup", soft_wrap=True)
    assert _harmless(out.getvalue())
    assert "end" in out.getvalue()


def test_styles_still_work() -> None:
    out = io.StringIO()
    _VisibleConsole(file=out, force_terminal=True, color_system="standard").print("[red]x[/red]")
    assert "\x1b[31mx" in out.getvalue()


def test_json_has_the_same_content(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"reason": HOSTILE})
    message = capsys.readouterr().out
    assert _harmless(message)
    assert json.loads(message) == {"reason": HOSTILE}
    assert escape_invisible("ordinary: ä 漢字 🎉\n\t") == "ordinary: ä 漢字 🎉\n\t"


def test_crash_message_cannot_control_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*arguments: object) -> None:
        raise ZeroDivisionError(HOSTILE)

    monkeypatch.setattr("pptarena.tasks.get_task", fail)
    monkeypatch.setattr(sys, "argv", ["pptarena", "tasks", "show", "x"])
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)  # to be set back
    with pytest.raises(ZeroDivisionError) as caught:
        main()
    sys.excepthook(caught.type, caught.value, caught.tb)
    errors = capsys.readouterr().err
    assert "ZeroDivisionError" in errors
    assert _harmless(errors)


def test_progress_without_a_terminal_is_printed_as_lines(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "_FIRST_LINE_SEC", 0.01)
    output.stderr.cache_clear()
    with output.new_progress() as progress:
        progress.add_task("episodes", total=4, completed=1, note="deck")
        deadline = time.monotonic() + 30
        while not (text := capsys.readouterr().err) and time.monotonic() < deadline:
            time.sleep(0.01)
    output.stderr.cache_clear()
    assert re.fullmatch(r"episodes 1/4 \d+ s deck\n", text)
