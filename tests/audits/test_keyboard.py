"""A few ways in of the audit, by real keys; `pptarena audit keyboard` takes minutes."""

from collections.abc import Iterator

import gymnasium as gym
import pytest

from pptarena.audits.keyboard import try_attack
from pptarena.audits.keyboard_attacks import ATTACKS, Attack
from pptarena.audits.keyboard_decks import acting, embedding
from pptarena.audits.keyboard_hands import Hands, ShutError
from pptarena.tasks import get_task

TASK = "meridian-retitle-products"
ESSENTIAL = ("macro: alt+F11, Edit, F5", "macro: Tools > Macros > Edit Macros, F5")


@pytest.fixture
def hands() -> Iterator[Hands]:
    env = gym.make("PPTArena-v0", machine="sandbox", disable_env_checker=True)
    yield Hands(env, get_task(TASK))
    env.close()


@pytest.mark.image
@pytest.mark.parametrize(
    "attack", [a for a in ATTACKS if a.name in ESSENTIAL], ids=lambda attack: attack.name
)
def test_no_macro_runs(attack: Attack) -> None:
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
def test_the_audit_sees_a_file_and_an_element_that_is_not_there(hands: Hands) -> None:
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
