"""The policy that scores every element with the same network."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces

from pptarena.wrappers import LearnerConfig, make_sb3

pytestmark = pytest.mark.slow

torch = pytest.importorskip("torch")
contrib = pytest.importorskip("sb3_contrib")

WORDS, MARKS = 16, 24
KEYS = ("Delete", "ctrl+b", "Escape")
CONFIG = LearnerConfig(
    marks=MARKS,
    pointer=("click", "double_click"),
    keys=KEYS,
    done=False,
    screenshot_px=None,
    name_size=WORDS,
    instruction_size=WORDS,
    recent=2,
)


@pytest.fixture
def env(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path))
    made = make_sb3(
        1, config=CONFIG, machine="fake", width_px=320, height_px=240, max_steps=6, seed=0
    )
    yield made
    made.close()


def _model(env: Any, **policy_options: Any) -> Any:
    from pptarena.agents.element_policy import ElementPolicy, action_words

    others = action_words(CONFIG.other_actions, WORDS)
    kwargs = {"others": others, "pointers": 2, "hidden": 16, **policy_options}
    return contrib.MaskablePPO(
        ElementPolicy, env, n_steps=16, batch_size=8, seed=0, policy_kwargs=kwargs, device="cpu"
    )


def _scores(model: Any, observation: Any) -> Any:
    tensors, _ = model.policy.obs_to_tensor(observation)
    return model.policy.extract_features(tensors)[0, : 2 * MARKS + len(KEYS)].detach().numpy()


def test_scores_follow_permuted_elements(env: Any) -> None:
    model, observation = _model(env), env.reset()
    before = _scores(model, observation)
    order = np.random.default_rng(0).permutation(MARKS)
    moved = {**observation, "elements": observation["elements"][:, order]}
    after = _scores(model, moved)
    for kind in range(2):
        section = slice(kind * MARKS, (kind + 1) * MARKS)
        np.testing.assert_allclose(after[section], before[section][order], atol=1e-5)
    np.testing.assert_allclose(after[2 * MARKS :], before[2 * MARKS :], atol=1e-5)


def test_relations_affect_scores_and_follow_permuted_elements(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pptarena.agents.element_policy import ElementPolicy, action_words

    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path))
    config = replace(CONFIG, relations=True, quotes=2)
    env = make_sb3(1, config=config, machine="fake", width_px=320, height_px=240, seed=0)
    try:
        others = action_words(config.other_actions, WORDS)
        kwargs = {"others": others, "pointers": 2, "hidden": 16}
        model = contrib.MaskablePPO(ElementPolicy, env, n_steps=16, seed=0, policy_kwargs=kwargs)
        observation: Any = env.reset()
    finally:
        env.close()
    assert env.action_space == spaces.Discrete(2 * MARKS + len(KEYS) + 2)
    before = _scores(model, observation)
    order = np.random.default_rng(0).permutation(MARKS)
    parts = {name: observation[name][:, order] for name in ("elements", "relations")}
    np.testing.assert_allclose(
        _scores(model, {**observation, **parts})[:MARKS], before[:MARKS][order], atol=1e-5
    )
    for name in ("relations", "here", "quotes", "asked"):
        other = {**observation, name: 1 - observation[name]}
        assert np.abs(_scores(model, other) - before).max() > 1e-6, name


def test_instruction_words_raise_scores(env: Any) -> None:
    from pptarena.wrappers.hashed_words import hashed_words

    model, observation = _model(env), env.reset()
    changed = {**observation, "instruction": hashed_words("make it bold", WORDS)[None]}
    keys = _scores(model, changed)[2 * MARKS :] - _scores(model, observation)[2 * MARKS :]
    assert keys.argmax() == KEYS.index("ctrl+b")


def _with_elements(observation: Any, rows: list[tuple[str, str, bool]], instruction: str) -> Any:
    """Return an observation of these elements: role, name, whether it is selected."""
    from pptarena.envs.elements import COLUMNS
    from pptarena.envs.roles import ROLES
    from pptarena.wrappers.hashed_words import hashed_words

    table = np.zeros_like(observation["elements"])
    for row, (role, name, selected) in enumerate(rows):
        facts = {"x1": 0.5, "y1": 0.5, "role": ROLES.index(role), "selected": selected}
        table[0, row, : len(COLUMNS)] = [facts.get(column, 0) for column in COLUMNS]
        table[0, row, len(COLUMNS) :] = hashed_words(name, WORDS)
    return {**observation, "elements": table, "instruction": hashed_words(instruction, WORDS)[None]}


def test_words_of_selected_elements_no_longer_count(env: Any) -> None:
    model, observation = _model(env), env.reset()
    results = []
    for selected in (False, True):
        rows = [("panel", "agenda", selected), ("panel", "page agenda", False)]
        rows.append(("panel", "title", False))
        scores = _scores(model, _with_elements(observation, rows, "bold title agenda"))
        results.append(([*scores[:3]], np.exp(scores[: 2 * MARKS]).sum()))
    (before, pointing_before), (after, pointing_after) = results
    assert max(before[0], before[2]) == max(before)
    assert max(after) == after[2], "only the title still matches the instruction"
    assert pointing_after < pointing_before


def test_marks_of_excluded_roles_are_masked(env: Any) -> None:
    model, observation = _model(env, roles=("panel",)), env.reset()
    rows = [("button", "agenda", False), ("panel", "other", False)]
    scores = _scores(model, _with_elements(observation, rows, "agenda"))
    assert scores[1] > scores[0] + 10
    assert np.exp(scores).sum() == pytest.approx(1, abs=1e-4)


def test_policy_learns_saves_and_loads(env: Any, tmp_path: Path) -> None:
    model = _model(env)
    model.learn(32)
    observation = env.reset()
    masks = np.stack(env.env_method("action_masks"))
    action, _ = model.predict(observation, deterministic=True, action_masks=masks)
    assert masks[0, action[0]]
    model.save(tmp_path / "model.zip")
    loaded = contrib.MaskablePPO.load(tmp_path / "model.zip", env=env, device="cpu")
    np.testing.assert_array_equal(_scores(loaded, observation), _scores(model, observation))
    loaded.learn(16)
