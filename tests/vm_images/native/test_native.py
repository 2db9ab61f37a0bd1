"""The image's own libraries, in programs that are no LibreOffice."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pptarena.tasks.deck_files import read_deck_file
from pptarena.vm_images import require_image
from pptarena.vm_images.office_command import sandbox_command

HERE = Path(__file__).parent
PLACE = "/opt/tests/tests/vm_images/native"  # the programs import tests.vm_images.native
ENDED_EARLY = {"ended while time stood still": False, "ended too early": False}


def run(program: str, *words: str, more: tuple[str, ...] = (), given: bytes = b"") -> Any:
    command = [*sandbox_command(require_image()), "--ro-bind", str(HERE), PLACE, *more]
    if more:  # with a /dev of its own, bubblewrap takes a user namespace more, and keeps the powers
        place = command.index("--dev")
        devices = [
            word for name in ("null", "urandom") for word in ("--dev-bind", *[f"/dev/{name}"] * 2)
        ]
        command[place : place + 2] = [
            "--tmpfs",
            "/dev",
            *devices,
            "--symlink",
            "/proc/self/fd",
            "/dev/fd",
        ]
    command += ["python3", "-W", "ignore", f"{PLACE}/{program}", *words]
    done = subprocess.run(command, input=given, capture_output=True, timeout=500)
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


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
        ("thread", "let go"),
    ],
)
def test_a_wait_ends_when_the_clock_says_so(case: str, result: object) -> None:
    assert run("clock_program.py", "watch", case) == {
        **ENDED_EARLY,
        "result": result,
        "waited": 5.0,
    }


@pytest.mark.image
def test_what_a_wait_waits_for_ends_it_while_time_stands_still() -> None:
    assert run("clock_program.py", "watch", "input") == {
        **ENDED_EARLY,
        "result": True,
        "waited": 4.0,
    }


@pytest.mark.image
def test_time_stands_still_but_for_a_loop_that_waits_for_it() -> None:
    assert run("clock_program.py", "watch", "look") == {
        "stands": True,
        "date": "2026-01-01 09:00",
        "file_made_sec": 1767258000,
        "disk_gib": [64, 32],
    }


@pytest.mark.image
def test_timers_of_a_window_go_off_by_its_clock() -> None:
    assert run("window_program.py", "watch", "timers") == {
        **{"early": "new", "stood": "new", "real": True, "soon": "soon", "late": "late"},
        **{"next": True, "cut": 1, "reason": "more than 1 nodes"},
    }


@pytest.mark.image
def test_a_loop_without_an_end_is_stopped_to_be_looked_at() -> None:
    found = run("window_program.py", "watch", "endless")
    assert found == {"endless": [True, True, True], "name": "new"}


@pytest.mark.image
def test_what_has_changed_is_drawn_when_it_is_asked_for() -> None:
    assert run("window_program.py", "watch", "pictures") == {
        **{"empty": False, "still": True, "put off": True},
        **{"wanted": True, "drawn": True, "once": True},
    }


@pytest.mark.image
def test_states_of_hidden_styles_are_set_when_they_are_read_and_look_the_same() -> None:
    found = run("style_program.py", "compare")
    assert found["with"]["drawn"] == found["without"]["drawn"]
    assert found["with"]["told"] == found["without"]["told"]
    assert not found["with"]["blank"]
    old, insensitive = found["without"]["told"][1], found["without"]["told"][0]
    assert old != insensitive
    assert found["without"]["had"][:2] == [old, old]  # set back immediately
    assert found["with"]["had"][:2] == [insensitive, insensitive]  # not asked for since


@pytest.mark.image
def test_the_observer_leaves_who_speaks_something_else() -> None:
    assert run("window_program.py", "watch", "stranger") == {"lost": True}


@pytest.mark.image
@pytest.mark.slow
def test_the_tree_from_inside_is_that_of_the_accessibility_bus() -> None:
    # For the desktop's own namespaces, which the guest program builds.
    powers = ("CAP_SYS_ADMIN", "CAP_SYS_RESOURCE", "CAP_SETPCAP")
    more = tuple(word for name in powers for word in ("--cap-add", name))
    found = run("trees_program.py", more=more, given=read_deck_file("meridian"))
    assert {name for name, seen in found.items() if seen["unlike"] or seen["reason"]} == set()
    assert min(seen["nodes"] for seen in found.values()) > 100
    titles = {seen["titles"][0] for seen in found.values()}
    assert {"Find and Replace", "Character", "Save", "Open", "Presenting: plan"} <= titles
