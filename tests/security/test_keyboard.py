"""Attempts to execute code using real keystrokes and clicks on the real machine.

Each attack runs on its own machine. The host detects code execution by the sandbox's processes, the
files that a macro would write, and the interpreters loaded by the application.
"""

from collections.abc import Iterator

import gymnasium as gym
import pytest
from tests.security.keyboard_attacks import ATTACKS, Attack
from tests.security.keyboard_decks import acting, embedding
from tests.security.keyboard_hands import Hands, ShutError, with_deck

from pptarena.tasks import get_task

TASK = "meridian-retitle-products"
ESSENTIAL = ("macro: alt+F11, Edit, F5", "macro: Tools > Macros > Edit Macros, F5")


@pytest.fixture
def hands() -> Iterator[Hands]:
    env = gym.make("PPTArena-v0", machine="sandbox", disable_env_checker=True)
    yield Hands(env, get_task(TASK))
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
        hands = Hands(env, with_deck(get_task(TASK), attack.deck))
        way = "tried to the end"
        try:
            attack.steps(hands)
        except ShutError as shut:
            way = str(shut)
        return hands.outside.found(), way
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
def test_nothing_runs(attack: Attack) -> None:
    found, _way = try_attack(attack)
    assert not found


@pytest.mark.image
def test_what_is_locked_shows_as_locked(hands: Hands) -> None:
    hands.keys("alt+F12")
    hands.require_window("Options")
    hands.type("Advanced")
    hands.wait()
    nodes = hands.info["a11y"]["nodes"]
    for name in ("Open Expert Configuration", "Enable macro recording (may be limited)"):
        shown = [node for node in nodes if node["name"] == name]
        assert shown, name
        assert all("sensitive" not in node["states"] for node in shown), name


@pytest.mark.image
def test_a_file_and_a_missing_element_are_seen(hands: Hands) -> None:
    (hands.outside.home / "../../tmp/marker").touch()
    with pytest.raises(ShutError, match="there is no button 'Run this'"):
        hands.click("Run this", "button")
    assert hands.outside.found() == ["file marker"]


def test_attacks_have_names_of_their_own() -> None:
    names = [attack.name for attack in ATTACKS]
    assert len(names) == len(set(names)) >= 30


def test_decks_of_attacks_hold_what_they_should() -> None:
    deck = get_task(TASK).deck_bytes()
    from pptarena.rewards import read_deck

    for changed in (
        acting(deck, "ppaction://program", "file:///usr/bin/yes"),
        acting(deck, "ppaction://macro?name=A.B", ""),
        embedding(deck, "Package", "oleObject1.bin", b"x"),
    ):
        assert len(read_deck(changed).slides) == len(read_deck(deck).slides)
        assert changed != deck
