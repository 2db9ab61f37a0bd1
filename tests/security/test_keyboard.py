"""Attempts to execute code using real keystrokes and clicks on the real machine.

Each attack runs on its own machine. The host detects code execution by the sandbox's processes, the
files that a macro would write, and the interpreters loaded by the application.
"""

from collections.abc import Iterator

import gymnasium as gym
import pytest
from tests.security.keyboard_attacks import ATTACKS, Attack
from tests.security.keyboard_decks import with_click_action, with_embedded_object
from tests.security.keyboard_driver import BlockedError, InputDriver, with_deck

from pptarena.tasks import get_task

TASK = "meridian-retitle-products"
ESSENTIAL = ("macro: alt+F11, Edit, F5", "macro: Tools > Macros > Edit Macros, F5")


@pytest.fixture
def driver() -> Iterator[InputDriver]:
    env = gym.make("PPTArena-v0", machine="sandbox", disable_env_checker=True)
    yield InputDriver(env, get_task(TASK))
    env.close()


def try_attack(attack: Attack) -> tuple[list[str], str]:
    """Run an attack on a fresh machine; return what was executed, and how far the attack got."""
    env = gym.make(
        "PPTArena-v0",
        machine="sandbox",
        max_steps=1000,
        disable_env_checker=True,
    )
    try:
        driver = InputDriver(env, with_deck(get_task(TASK), attack.deck))
        progress = "tried to the end"
        try:
            attack.steps(driver)
        except BlockedError as blocked:
            progress = str(blocked)
        return driver.monitor.violations(), progress
    finally:
        env.close()


@pytest.mark.image
@pytest.mark.parametrize(
    "attack",
    [
        pytest.param(
            each, id=each.name, marks=() if each.name in ESSENTIAL else pytest.mark.nightly
        )
        for each in ATTACKS
    ],
)
def test_attack_executes_nothing(attack: Attack) -> None:
    violations, _progress = try_attack(attack)
    assert not violations


@pytest.mark.image
def test_locked_settings_are_disabled(driver: InputDriver) -> None:
    driver.keys("alt+F12")
    driver.require_window("Options")
    driver.type("Advanced")
    driver.wait()
    nodes = driver.info["a11y"]["nodes"]
    for name in ("Open Expert Configuration", "Enable macro recording (may be limited)"):
        elements = [node for node in nodes if node["name"] == name]
        assert elements, name
        assert all("sensitive" not in node["states"] for node in elements), name


@pytest.mark.image
def test_monitor_reports_file_and_driver_missing_element(driver: InputDriver) -> None:
    (driver.monitor.home / "../../tmp/marker").touch()
    with pytest.raises(BlockedError, match="there is no button 'Run this'"):
        driver.click("Run this", "button")
    assert driver.monitor.violations() == ["file marker"]


def test_attack_names_are_unique() -> None:
    names = [attack.name for attack in ATTACKS]
    assert len(names) == len(set(names)) >= 30


def test_attack_decks_are_readable_and_modified() -> None:
    deck = get_task(TASK).deck_bytes()
    from pptarena.rewards import read_deck

    for changed in (
        with_click_action(deck, "ppaction://program", "file:///usr/bin/yes"),
        with_click_action(deck, "ppaction://macro?name=A.B", ""),
        with_embedded_object(deck, "Package", "oleObject1.bin", b"x"),
    ):
        assert len(read_deck(changed).slides) == len(read_deck(deck).slides)
        assert changed != deck
