"""The environment in SkyRL's registry; run by ``make test-skyrl``."""

from typing import Any

import pytest

skyrl_gym = pytest.importorskip("skyrl_gym", reason="needs skyrl-gym: make test-skyrl")

TASK = "meridian-hide-backup"
HIDE = 'I hide it. <tool_call>{"name": "hide_slide", "arguments": {"slide": 272}}</tool_call>'
DONE = '<tool_call>{"name": "done", "arguments": {}}</tool_call>'


def make_env(**more: Any) -> tuple[Any, dict[str, Any]]:
    from pptarena.rollouts.trainers.skyrl import ENV_ID, skyrl_rows

    (row,) = skyrl_rows(tasks=[TASK], max_turns=3)
    config = {"tools": ("edit",), "judge": None}
    return skyrl_gym.make(ENV_ID, env_config=config, extras={**row, **more}), row


def test_every_turn_is_rewarded() -> None:
    env, row = make_env()
    messages, info = env.init(row["prompt"])
    assert info == {"task_id": TASK}
    assert [message["role"] for message in messages] == ["system", "user"]
    assert '"name": "hide_slide"' in messages[1]["content"]
    assert "slide 17, id 272" in messages[1]["content"]
    first = env.step(HIDE)
    assert (first["reward"], first["done"]) == (1.0, False)
    assert first["observations"] == [{"role": "user", "content": "hidden"}]
    assert first["metadata"]["score"] is None
    last = env.step(DONE)
    assert (last["reward"], last["done"], last["observations"]) == (0.0, True, [])
    assert last["metadata"] == {"task_id": TASK, "score": 1.0}
    assert env.get_metrics() == {"score": 1.0, "calls": 2.0}
    assert type(env).aggregate_metrics([env.get_metrics()])["score"] == 1.0
    env.close()


def test_episode_ends_after_the_turns_of_its_row() -> None:
    env, row = make_env()
    env.init(row["prompt"])
    assert env.step("hm")["observations"][0]["content"].startswith("refused: ")
    assert not env.step("well")["done"]
    last = env.step(HIDE)
    assert (last["done"], last["reward"], last["metadata"]["score"]) == (True, 1.0, 1.0)
    env.close()


def test_damage_has_a_negative_reward() -> None:
    env, row = make_env()
    env.init(row["prompt"])
    env.step(HIDE)
    damage = env.step('{"name": "delete_slide", "arguments": {"slide": 260}}')
    assert damage["reward"] < 0
    env.close()


ANSWERS = (HIDE, DONE, '{"name": "read_slide", "arguments": {"slide": 272}}', "hm")


class Policy:
    """A small untrained network that reads a conversation as bytes and picks one of `ANSWERS`."""

    def __init__(self, torch: Any) -> None:
        self.torch = torch
        self.embedding = torch.nn.Embedding(256, 16)
        self.memory = torch.nn.GRU(16, 32, batch_first=True)
        self.answer = torch.nn.Linear(32, len(ANSWERS))
        parts = torch.nn.ModuleList([self.embedding, self.memory, self.answer])
        self.optimizer = torch.optim.Adam(parts.parameters(), lr=1e-2)

    def logprobs(self, messages: list[dict[str, Any]]) -> Any:
        """Return the log probabilities of all answers after the end of a conversation."""
        text = "\n".join(f"{message['role']}: {message['content']}" for message in messages)
        embedded = self.embedding(self.torch.tensor([list(text.encode()[-200:])]))
        return self.answer(self.memory(embedded)[0][0, -1]).log_softmax(0)


def rollout(policy: Policy) -> tuple[list[tuple[Any, float]], float]:
    """Play an episode; return log probability and reward of each answer, and the score."""
    env, row = make_env()
    messages, _ = env.init(row["prompt"])
    turns = []
    while True:
        logprobs = policy.logprobs(messages)
        choice = int(policy.torch.multinomial(logprobs.exp().detach(), 1))
        turn = env.step(ANSWERS[choice])
        turns.append((logprobs[choice], turn["reward"]))
        messages = [
            *messages, {"role": "assistant", "content": ANSWERS[choice]}, *turn["observations"]
        ]  # fmt: skip
        if turn["done"]:
            env.close()
            return turns, turn["metadata"]["score"]


def test_policy_learns_from_the_rewards_of_turns() -> None:
    """A small network learns from the rewards, as the trainer needs a GPU and vLLM."""
    torch = pytest.importorskip("torch", reason="needs torch: make test-skyrl")
    torch.manual_seed(0)
    policy = Policy(torch)
    env, row = make_env()
    first, _ = env.init(row["prompt"])
    env.close()
    before = policy.logprobs(first).detach()
    all_scores: list[float] = []
    for _ in range(2):
        group = [rollout(policy) for _ in range(16)]
        scores = torch.tensor([score for _, score in group])
        assert 0 < scores.mean() < 1
        all_scores += scores.tolist()
        terms = []
        for turns, _ in group:
            rewards = torch.tensor([reward for _, reward in turns])
            returns = rewards.flip(0).cumsum(0).flip(0)
            terms += [(logprob, value) for (logprob, _), value in zip(turns, returns, strict=True)]
        values = torch.stack([value for _, value in terms])
        values = (values - values.mean()) / (values.std() + 1e-6)
        loss = -(torch.stack([logprob for logprob, _ in terms]) * values).mean()
        policy.optimizer.zero_grad()
        loss.backward()
        policy.optimizer.step()
    assert set(all_scores) >= {0.0, 1.0}
    assert policy.logprobs(first).detach()[0] > before[0]  # hiding the slide is more likely
