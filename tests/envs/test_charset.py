import pickle
import re
import sys
import unicodedata
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces
from hypothesis import given
from hypothesis import strategies as st
from tests.each_case import each_case
from tests.envs.machines.scripts import SCRIPTS

from pptarena.envs import PPTArenaEnv
from pptarena.envs.action_space import require_expressible
from pptarena.envs.actions import Action, copy_text, paste, to_space, type_text
from pptarena.envs.charset import (
    KEY_CHARSET,
    charset,
    common_characters,
    describe_disallowed,
    sanitize,
    text_space,
)
from pptarena.envs.wide_text import CharacterRanges
from pptarena.errors import ActionError
from pptarena.tasks import Task


@each_case("name", SCRIPTS)
def test_charset_contains_every_script(name: str) -> None:
    assert set(SCRIPTS[name]) <= charset()
    assert sanitize(SCRIPTS[name], 60) == SCRIPTS[name]


@pytest.mark.slow
def test_charset_is_unicode_without_disallowed_characters() -> None:
    excluded = {chr(code) for code in range(sys.maxunicode + 1)} - charset()
    categories = {unicodedata.category(character) for character in excluded}
    assert categories == {"Cc", "Cs", "Cn"}
    assert len(excluded) == 63 + 2048 + 66  # controls, surrogates, noncharacters
    assert {"\t", "\n"} < charset()
    assert charset() > KEY_CHARSET
    assert len(charset()) == sys.maxunicode + 1 - len(excluded)
    assert set(common_characters()) < charset()


@each_case(
    "text, message",
    [
        ("ab\ud842", "U+D842, character 3 .* surrogate pair"),
        ("\udfb7", "U+DFB7, character 1 .* surrogate pair"),
        ("\ud842\udfb7", "U+D842, character 1 .* surrogate pair"),
        ("a\x07", "U+0007, character 2 .* control"),
        ("\x00", "U+0000"),
        ("\r", "U+000D"),
        ("\x7f", "U+007F"),
        ("\x85", "U+0085"),
        ("\ufffe", "U+FFFE.* noncharacter"),
        ("\ufdd0", "U+FDD0.* noncharacter"),
        ("\U0010ffff", "U+10FFFF.* noncharacter"),
    ],
)
def test_disallowed_characters_are_named(text: str, message: str) -> None:
    assert re.match(re.escape(message).replace(r"\.\*", ".*"), describe_disallowed(text))
    assert not text_space(20).contains(text)
    for kind in ("type", "copy_text", "ask", "switch_window", "open_program"):
        with pytest.raises(ActionError, match=r"text cannot be typed: U\+"):
            require_expressible(Action(kind, text=text))
    assert "\ufffd" in sanitize(text, 20) or text == "\r"


def test_text_space_behaves_like_other_spaces() -> None:
    space, other = text_space(12), pickle.loads(pickle.dumps(text_space(12)))
    assert space == other
    assert space != text_space(13)
    space.seed(1), other.seed(1)
    samples = [space.sample() for _ in range(50)]
    assert samples == [other.sample() for _ in range(50)]
    assert all(map(space.contains, samples))
    assert len(set(samples)) > 40
    text = "\U00020bb7 \u1019\u200d"
    assert space.contains(text)
    assert spaces.unflatten(space, spaces.flatten(space, text)) == text
    flat: Any = spaces.flatten(space, text)
    assert spaces.flatten_space(space).contains(flat)
    assert space.from_jsonable(space.to_jsonable([text])) == [text]


@pytest.mark.slow
def test_masks_cover_all_characters() -> None:
    space = text_space(12)
    mask = np.zeros(len(space.character_set), np.int8)
    mask[space.character_index("\U00020bb7")] = 1
    assert space.sample(mask=(3, mask)) == "\U00020bb7" * 3
    assert space.character_list[space.character_index("\U00020bb7")] == "\U00020bb7"
    assert space.characters == "".join(space.character_list)
    with pytest.raises(KeyError):
        space.character_index("\ud842")


def test_character_ranges_behave_like_a_set() -> None:
    ranges = CharacterRanges([(0x61, 0x63), (0x66, 0x66)])
    assert ranges == set("abcf")
    assert "".join(ranges) == ranges.text == "abcf"
    assert [ranges[index] for index in (0, 2, 3, -1)] == list("acff")
    assert "d" not in ranges
    assert "ab" not in ranges
    assert not ranges.__contains__(7)
    assert hash(ranges) == hash(CharacterRanges([(0x61, 0x63), (0x66, 0x66)]))
    for index in (4, -5):
        with pytest.raises(IndexError):
            ranges[index]


@pytest.mark.slow
@pytest.mark.parametrize("name", SCRIPTS)
def test_every_script_in_instructions_typing_and_clipboard(name: str, retitle_task: Task) -> None:
    text = SCRIPTS[name]
    task = replace(retitle_task, instruction=f"Change the title to {text}.")
    env = PPTArenaEnv(task=task, machine="fake")
    observation, info = env.reset(seed=0)
    assert observation["instruction"] == info["instruction"] == task.instruction
    assert env.observation_space.contains(observation)
    for action in (type_text(text), copy_text(text), paste()):
        assert env.action_space.contains(to_space(action))
        *_, info = env.step(to_space(action))
        assert info["action_error"] is None
    assert info["clipboard"] == text
    env.close()


@given(st.text(max_size=60))
def test_sanitized_text_is_in_the_space(text: str) -> None:
    result = sanitize(text, 20)
    assert text_space(20).contains(result)
    assert set(text) - charset() or len(text) > 20 or result == text


def test_sanitize() -> None:
    assert sanitize("a\r\nb\rc\vd", 20) == "a\nb\nc\nd"
    assert sanitize("a\x07b", 20) == "a\ufffdb"
    assert sanitize("abcdef", 4) == "abc…"
    assert sanitize("abcd", 4) == "abcd"


def test_repr_of_the_text_space() -> None:
    assert repr(text_space(20)) == f"Text(0, 20, charset=<{len(charset()):,} characters>)"
