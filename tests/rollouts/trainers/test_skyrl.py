"""SkyRL's own registry makes the environment and plays it; ``make test-skyrl``."""

from typing import Any

import pytest

skyrl_gym = pytest.importorskip("skyrl_gym", reason="needs skyrl-gym: make test-skyrl")

TASK = "meridian-hide-backup"
HIDE = 'I hide it. <tool_call>{"name": "hide_slide", "arguments": {"slide": 272}}</tool_call>'
DONE = '<tool_call>{"name": "done", "arguments": {}}</tool_call>'


def made(**more: Any) -> tuple[Any, dict[str, Any]]:
    from pptarena.rollouts.trainers.skyrl import ENV_ID, skyrl_rows

    (row,) = skyrl_rows(tasks=[TASK], max_turns=3)
    config = {"tools": ("edit",), "judge": None}
    return skyrl_gym.make(ENV_ID, env_config=config, extras={**row, **more}), row


def test_an_episode_and_the_reward_of_every_turn() -> None:
    env, row = made()
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


def test_it_ends_after_the_turns_of_its_row() -> None:
    env, row = made()
    env.init(row["prompt"])
    assert env.step("hm")["observations"][0]["content"].startswith("refused: ")
    assert not env.step("well")["done"]
    last = env.step(HIDE)
    assert (last["done"], last["reward"], last["metadata"]["score"]) == (True, 1.0, 1.0)
    env.close()


def test_damage_costs_a_negative_reward() -> None:
    env, row = made()
    env.init(row["prompt"])
    env.step(HIDE)
    spoilt = env.step('{"name": "delete_slide", "arguments": {"slide": 260}}')
    assert spoilt["reward"] < 0
    env.close()


ANSWERS = (HIDE, DONE, '{"name": "read_slide", "arguments": {"slide": 272}}', "hm")


class Policy:
    """Reads a conversation letter by letter, and says one of `ANSWERS`; random numbers at first."""

    def __init__(self, torch: Any) -> None:
        self.torch = torch
        self.letters = torch.nn.Embedding(256, 16)
        self.memory = torch.nn.GRU(16, 32, batch_first=True)
        self.answer = torch.nn.Linear(32, len(ANSWERS))
        parts = torch.nn.ModuleList([self.letters, self.memory, self.answer])
        self.optimiser = torch.optim.Adam(parts.parameters(), lr=1e-2)

    def logprobs(self, messages: list[dict[str, Any]]) -> Any:
        """Return log probabilities of all answers after the last words of a conversation."""
        text = "\n".join(f"{message['role']}: {message['content']}" for message in messages)
        letters = self.letters(self.torch.tensor([list(text.encode()[-200:])]))
        return self.answer(self.memory(letters)[0][0, -1]).log_softmax(0)


def rollout(policy: Policy) -> tuple[list[tuple[Any, float]], float]:
    """Play an episode; return what each answer's log probability and reward were, and the score."""
    env, row = made()
    messages, _ = env.init(row["prompt"])
    said = []
    while True:
        logprobs = policy.logprobs(messages)
        choice = int(policy.torch.multinomial(logprobs.exp().detach(), 1))
        turn = env.step(ANSWERS[choice])
        said.append((logprobs[choice], turn["reward"]))
        messages = [
            *messages, {"role": "assistant", "content": ANSWERS[choice]}, *turn["observations"]
        ]  # fmt: skip
        if turn["done"]:
            env.close()
            return said, turn["metadata"]["score"]


def test_two_updates_from_the_rewards_of_turns() -> None:
    """The trainer needs a GPU and vLLM; what its environment pays is enough to learn from."""
    torch = pytest.importorskip("torch", reason="needs torch: make test-skyrl")
    torch.manual_seed(0)
    policy = Policy(torch)
    env, row = made()
    first, _ = env.init(row["prompt"])
    env.close()
    before = policy.logprobs(first).detach()
    seen: list[float] = []
    for _ in range(2):
        group = [rollout(policy) for _ in range(16)]
        scores = torch.tensor([score for _, score in group])
        assert 0 < scores.mean() < 1
        seen += scores.tolist()
        terms = []
        for said, _ in group:
            rewards = torch.tensor([reward for _, reward in said])
            to_come = rewards.flip(0).cumsum(0).flip(0)
            terms += [(logprob, value) for (logprob, _), value in zip(said, to_come, strict=True)]
        values = torch.stack([value for _, value in terms])
        values = (values - values.mean()) / (values.std() + 1e-6)
        loss = -(torch.stack([logprob for logprob, _ in terms]) * values).mean()
        policy.optimiser.zero_grad()
        loss.backward()
        policy.optimiser.step()
    assert set(seen) >= {0.0, 1.0}
    assert policy.logprobs(first).detach()[0] > before[0]  # to hide the slide is likelier
