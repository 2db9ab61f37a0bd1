"""The image's own libraries, in programs other than LibreOffice."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pptarena.tasks.deck_files import read_deck_file
from pptarena.vm_images import require_image
from pptarena.vm_images.office_command import sandbox_command

HERE = Path(__file__).parent
MOUNTED = "/opt/tests/tests/vm_images/native"  # the programs import tests.vm_images.native
ENDED_EARLY = {"ended while time stood still": False, "ended too early": False}


def run(program: str, *arguments: str, more: tuple[str, ...] = (), stdin: bytes = b"") -> Any:
    command = [*sandbox_command(require_image()), "--ro-bind", str(HERE), MOUNTED, *more]
    if more:  # with its own /dev, bubblewrap adds a user namespace and keeps the capabilities
        position = command.index("--dev")
        devices = [
            word for name in ("null", "urandom") for word in ("--dev-bind", *[f"/dev/{name}"] * 2)
        ]
        command[position : position + 2] = [
            *("--tmpfs", "/dev", *devices, "--symlink", "/proc/self/fd", "/dev/fd")
        ]
    command += ["python3", "-W", "ignore", f"{MOUNTED}/{program}", *arguments]
    result = subprocess.run(command, input=stdin, capture_output=True, timeout=500)
    assert result.returncode == 0, result.stderr.decode()
    return json.loads(result.stdout)


@pytest.mark.image
@pytest.mark.parametrize(
    ("case", "result"),
    [
        ("sleep", None),
        ("nanosleep", 0),
        ("usleep", 0),
        ("select", []),
        ("poll", []),
        ("epoll", []),
        ("lock", False),
        ("condition", 110),  # ETIMEDOUT
        ("condition by the monotonic clock", 110),
        ("timer", 1),
        ("thread", "released"),
        ("input", True),
    ],
)
def test_wait_ends_by_the_clock_or_by_its_event(case: str, result: object) -> None:
    waited = 4.0 if case == "input" else 5.0
    assert run("clock_program.py", "watch", case) == {
        **{**ENDED_EARLY, "result": result, "waited": waited}
    }


@pytest.mark.image
def test_stopped_clock_advances_only_for_busy_loops() -> None:
    assert run("clock_program.py", "watch", "inspect") == {
        "stopped": True,
        "date": "2026-01-01 09:00",
        "file_made_sec": 1767258000,
        "disk_gib": [64, 32],
    }


@pytest.mark.image
def test_timers_of_a_window_follow_its_clock() -> None:
    assert run("window_program.py", "watch", "timers") == {
        **{"early": "new", "stood": "new", "real": True, "soon": "soon", "late": "late"},
        **{"next": True, "cut": 1, "reason": "more than 1 nodes"},
    }


@pytest.mark.image
def test_endless_loop_is_stopped_and_observed() -> None:
    output = run("window_program.py", "watch", "endless")
    assert output == {"endless": [True, True, True], "name": "new"}


@pytest.mark.image
def test_changes_are_drawn_on_request() -> None:
    assert run("window_program.py", "watch", "pictures") == {
        **{"empty": False, "still": True, "put off": True},
        **{"drawings": True, "drawn": True, "once": True},
    }


@pytest.mark.image
def test_lazy_style_states_draw_the_same() -> None:
    output = run("style_program.py", "compare")
    assert output["with"]["drawn"] == output["without"]["drawn"]
    assert output["with"]["reported"] == output["without"]["reported"]
    assert not output["with"]["blank"]
    old, insensitive = output["without"]["reported"][1], output["without"]["reported"][0]
    assert old != insensitive
    assert output["without"]["actual"][:2] == [old, old]  # restored immediately
    assert output["with"]["actual"][:2] == [insensitive, insensitive]  # not read since


@pytest.mark.image
def test_observer_disconnects_a_peer_with_another_protocol() -> None:
    assert run("window_program.py", "watch", "invalid_peer") == {"lost": True}


@pytest.mark.image
@pytest.mark.slow
def test_tree_from_inside_equals_that_of_the_accessibility_bus() -> None:
    # For the desktop's own namespaces, which the guest program builds.
    capabilities = ("CAP_SYS_ADMIN", "CAP_SYS_RESOURCE", "CAP_SETPCAP")
    more = tuple(word for name in capabilities for word in ("--cap-add", name))
    report = run("trees_program.py", more=more, stdin=read_deck_file("meridian"))
    assert {
        name for name, entry in report.items() if entry["difference"] or entry["reason"]
    } == set()
    assert min(entry["nodes"] for entry in report.values()) > 100
    titles = {entry["titles"][0] for entry in report.values()}
    assert {"Find and Replace", "Character", "Save", "Open", "Presenting: plan"} <= titles
