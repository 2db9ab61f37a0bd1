"""The environment in verl's agent loop; run by ``make test-verl``."""

import asyncio
import json
from typing import Any

import pytest

pytest.importorskip("verl", reason="needs verl: make test-verl")

# verl and Ray give warnings.
pytestmark = pytest.mark.filterwarnings("default")

TASK = "meridian-hide-backup"
READ = '<tool_call>{"name": "read_slide", "arguments": {"slide": 272}}</tool_call>'
HIDE = '<tool_call>{"name": "hide_slide", "arguments": {"slide": 272}}</tool_call>'
DONE = '<tool_call>{"name": "done", "arguments": {}}</tool_call>'
CHAT = (
    "{% for message in messages %}<s>{{ message.role }}: {{ message.content }}</s>{% endfor %}"
    "{% if add_generation_prompt %}<s>assistant: {% endif %}"
)


def byte_tokenizer() -> Any:
    """Return a tokenizer of bytes, which keeps every text unchanged."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    alphabet = pre_tokenizers.ByteLevel.alphabet()
    vocabulary = {character: number for number, character in enumerate(sorted(alphabet))}
    inner = Tokenizer(models.BPE(vocabulary, []))
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(
        tokenizer_object=inner,
        eos_token="</s>",
        pad_token="<pad>",
        additional_special_tokens=["<s>"],
        chat_template=CHAT,
    )


class Server:
    """Gives scripted answers like verl's model client, and records the prompts."""

    def __init__(self, tokenizer: Any, answers: list[str]) -> None:
        self.tokenizer, self.answers, self.prompts = tokenizer, list(answers), list[str]()

    async def generate(self, *, prompt_ids: list[int], **_: Any) -> Any:
        from verl.workers.rollout.replica import TokenOutput

        self.prompts.append(self.tokenizer.decode(prompt_ids))
        ids = self.tokenizer.encode(self.answers.pop(0) + "</s>", add_special_tokens=False)
        return TokenOutput(token_ids=ids, log_probs=[-0.5] * len(ids))


def play_answers(
    answers: list[str], *, length: int = 20_000, **more: Any
) -> tuple[Any, Server, Any]:
    from omegaconf import OmegaConf
    from verl.experimental.agent_loop.agent_loop import DictConfigWrap
    from verl.utils.dataset.rl_dataset import RLHFDataset

    from pptarena.rollouts.trainers.verl import DocAgentLoop, verl_rows

    (row,) = verl_rows(tasks=[TASK])
    tokenizer = byte_tokenizer()
    server = Server(tokenizer, answers)
    rollout = {"prompt_length": 60_000, "response_length": length}
    config = OmegaConf.create({"actor_rollout_ref": {"rollout": rollout}, "data": {}})

    async def play() -> Any:
        loop = DocAgentLoop(
            trainer_config=DictConfigWrap(config),
            server_manager=server,
            tokenizer=tokenizer,
            processor=None,
            dataset_cls=RLHFDataset,
            data_config=DictConfigWrap(config.data),
            options={"judge": None},
            **more,
        )
        return await loop.run({}, raw_prompt=row["prompt"], extra_info=row["extra_info"])

    return asyncio.run(play()), server, tokenizer


def test_agent_loop_is_registered() -> None:
    from verl.experimental.agent_loop import agent_loop

    import pptarena.rollouts.trainers.verl  # noqa: F401

    target = agent_loop._agent_loop_registry["pptarena"]["_target_"]
    assert target == "pptarena.rollouts.trainers.verl.DocAgentLoop"


def test_episode_has_tokens_mask_and_credit() -> None:
    output, server, tokenizer = play_answers([READ, "I hide it. " + HIDE, DONE])
    assert output.reward_score == 1.0
    assert output.extra_fields["turn_scores"] == [0.0, 1.0, 0.0]
    assert output.extra_fields["tool_rewards"] == [0.0, 1.0, 0.0]
    assert len(output.response_ids) == len(output.response_mask) == len(output.response_logprobs)
    # The mask selects exactly the model's tokens.
    pairs = zip(output.response_ids, output.response_mask, strict=True)
    replies = [token for token, is_selected in pairs if is_selected]
    assert tokenizer.decode(replies) == f"{READ}</s>I hide it. {HIDE}</s>{DONE}</s>"
    ends = output.extra_fields["turn_ends"]
    assert [tokenizer.decode(output.response_ids[:end])[-16:] for end in ends] == [
        "</tool_call></s>"
    ] * 3
    assert "slide 17, id 272" in server.prompts[0]
    assert server.prompts[2].endswith("<s>user: hidden</s><s>assistant: ")
    scores = output.as_dict()["rm_scores"]
    assert (scores.sum().item(), scores[-1].item()) == (1.0, 1.0)
    assert output.num_turns == 6


def test_invalid_answers_are_explained_until_max_turns() -> None:
    output, server, _ = play_answers(["hm"] * 3, max_turns=3)
    assert output.reward_score == 0.0
    assert "refused: expected a JSON object" in server.prompts[1]
    assert server.answers == []


def test_full_response_ends_the_episode() -> None:
    output, _, _ = play_answers([HIDE * 3, DONE], length=100)
    assert (len(output.response_ids), len(output.response_mask)) == (100, 100)
    assert output.reward_score == 1.0
    assert all(end <= 100 for end in output.extra_fields["turn_ends"])


def test_advantages_and_loss_of_verl_improve_the_policy() -> None:
    """The trainer needs a GPU, but its arithmetic does not."""
    import numpy as np
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM
    from verl.trainer.ppo.core_algos import (
        compute_grpo_outcome_advantage,
        compute_policy_loss_vanilla,
    )
    from verl.workers.config import ActorConfig

    torch.manual_seed(0)
    group = [play_answers(answers, outline_chars=200)[0] for answers in ([HIDE, DONE], [DONE])]
    assert [output.reward_score for output in group] == [1.0, 0.0]
    size = max(len(output.response_ids) for output in group)
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=300, hidden_size=16, intermediate_size=16, num_hidden_layers=1,
            num_attention_heads=2, max_position_embeddings=40_000,
        )
    )  # fmt: skip
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    mask = torch.tensor([o.response_mask + [0] * (size - len(o.response_mask)) for o in group])
    rewards = torch.zeros(mask.shape)
    for index, output in enumerate(group):
        rewards[index, len(output.response_ids) - 1] = output.reward_score
    advantages, _ = compute_grpo_outcome_advantage(rewards, mask, np.array(["a", "a"]))
    actor = ActorConfig(
        strategy="fsdp", rollout_n=2, ppo_micro_batch_size_per_gpu=1, clip_ratio=0.2
    )

    def log_probs() -> torch.Tensor:
        padded = torch.zeros(mask.shape)
        for index, output in enumerate(group):
            # The end of the prompt is enough for a tiny model.
            prompt = output.prompt_ids[-50:]
            ids = torch.tensor([prompt + output.response_ids])
            logits = model(ids).logits[0, len(prompt) - 1 : -1].log_softmax(-1)
            chosen = logits.gather(1, ids[0, len(prompt) :, None])[:, 0]
            padded[index, : len(chosen)] = chosen
        return padded * mask

    before = log_probs().detach().sum(1)
    for _ in range(2):
        old = log_probs().detach()
        loss, _ = compute_policy_loss_vanilla(old, log_probs(), advantages, mask, config=actor)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    change = log_probs().detach().sum(1) - before
    per_token = change / mask.sum(1)
    assert per_token[0] > per_token[1], json.dumps(per_token.tolist())
