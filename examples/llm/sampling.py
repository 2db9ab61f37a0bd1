"""Answers of a model, sampled in batches."""

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from examples.llm.shared import SharedTokens, common_prefix
from transformers import DynamicCache


def sample(
    model: Any,
    tokenizer: Any,
    prompts: Sequence[list[dict[str, str]]],
    *,
    max_tokens: int = 64,
    temperature: float = 0.0,
    batch: int = 256,
) -> list[str]:
    """Return one answer to each prompt, greedy for temperature 0.

    Equal prompts are read once; a batch has prompts of similar length and at most `batch` answers,
    or those of one prompt.
    """
    wanted: dict[tuple[int, ...], list[int]] = {}
    for index, messages in enumerate(prompts):
        wanted.setdefault(tuple(prompt_tokens(tokenizer, messages)), []).append(index)
    found = [""] * len(prompts)
    with torch.no_grad():
        prefix = common_prefix(list(wanted)) if len(wanted) > 1 else next(iter(wanted), ())[:-1]
        tools = SharedTokens(model, prefix)
        order = sorted(wanted, key=len)
        counts = [len(wanted[each]) for each in order]
        for place in parts_of(counts, batch):
            part = order[place]
            said = _generate(
                model, tokenizer, tools, part, counts[place],
                max_tokens=max_tokens, temperature=temperature,
            )  # fmt: skip
            indices = [index for each in part for index in wanted[each]]
            for index, tokens in zip(indices, said, strict=True):
                found[index] = tokenizer.decode(tokens, skip_special_tokens=True).strip()
    return found


def parts_of(counts: Sequence[int], most: int) -> Iterator[slice]:
    """Yield slices of neighbors whose counts sum up to at most `most`, or single ones."""
    start, total = 0, 0
    for index, count in enumerate(counts):
        if index > start and total + count > most:
            yield slice(start, index)
            start, total = index, 0
        total += count
    if counts:
        yield slice(start, len(counts))


def _generate(
    model: Any,
    tokenizer: Any,
    tools: SharedTokens,
    prompts: Sequence[tuple[int, ...]],
    counts: Sequence[int],
    *,
    max_tokens: int,
    temperature: float,
) -> list[list[int]]:
    """Return the continuations: `counts[i]` of prompt `i`, one after the other.

    Answers that have ended leave the batch, a quarter of it at a time.
    """
    repeats = torch.repeat_interleave(torch.tensor(counts)).to(model.device)
    heads = [prompt[tools.length : -1] for prompt in prompts]
    cache, real = _read(model, tokenizer, tools, heads, repeats, max_tokens)
    start = real.shape[1] - max_tokens
    chosen = torch.tensor([prompt[-1] for prompt in prompts], device=model.device)[repeats]
    said: list[list[int]] = [[] for _ in repeats]
    rows, going = list(range(len(said))), torch.ones_like(repeats, dtype=torch.bool)
    for step in range(max_tokens):
        real[:, start + step] = 1
        places = tools.length + (real.cumsum(1) - 1).clamp(min=0)
        logits = model(
            input_ids=chosen[:, None], attention_mask=real[:, None, None].bool(),
            position_ids=places[:, -1:], past_key_values=cache, use_cache=True,
            after=(tools, places),
        ).logits[:, -1]  # fmt: skip
        chosen = _pick(logits, temperature)
        for row, token, goes_on in zip(rows, chosen.tolist(), going.tolist(), strict=True):
            if goes_on:
                said[row].append(token)
        going &= chosen != tokenizer.eos_token_id
        left = int(going.sum())
        if not left:
            break
        if left <= 0.75 * len(rows):
            rows = [row for row, goes_on in zip(rows, going.tolist(), strict=True) if goes_on]
            cache.batch_select_indices(going)
            real, chosen, going = real[going], chosen[going], going[going]
    return said


def _read(
    model: Any,
    tokenizer: Any,
    tools: SharedTokens,
    heads: Sequence[Sequence[int]],
    repeats: torch.Tensor,
    room: int,
) -> tuple["_Cache", torch.Tensor]:
    """Return the cache of tokens that follow the shared ones, and 1 for tokens and 0 elsewhere.

    Args:
        model: The model.
        tokenizer: Its tokenizer.
        tools: The shared tokens.
        heads: The tokens that follow, for each prompt.
        repeats: The prompt of each row.
        room: Number of tokens that will be added to a row.
    """
    width = max(1, *map(len, heads))
    pads = [width - len(head) for head in heads]
    # Right padding needs no mask under causal attention.
    ids = [
        [*head, *[tokenizer.pad_token_id] * many] for head, many in zip(heads, pads, strict=True)
    ]
    cache = tools.cache(len(heads))
    model(
        input_ids=torch.tensor(ids, device=model.device), past_key_values=cache,
        use_cache=True, logits_to_keep=1,
    )  # fmt: skip
    real = torch.tensor([[1] * (width - many) + [0] * (many + room) for many in pads])
    return _Cache(cache, tools.length, repeats, room), real.to(model.device)[repeats]


class _Cache(DynamicCache):  # type: ignore[misc]
    """Keys and values of a batch in memory that is reserved once.

    `StaticCache` of Transformers drops tokens that a sliding window passed, by their index; with
    padding, an index is not a position.

    Args:
        filled: The cache of the prompts, shared tokens included.
        begin: Number of shared tokens, which are left out.
        repeats: The prompt of each row.
        room: Number of tokens that will be added to a row.
    """

    def __init__(self, filled: DynamicCache, begin: int, repeats: torch.Tensor, room: int) -> None:
        super().__init__()
        self._used: list[int] = [layer.keys.shape[2] - begin for layer in filled.layers]
        self._kept = [
            tuple(
                torch.nn.functional.pad(each[:, :, begin:][repeats], (0, 0, 0, room))
                for each in (layer.keys, layer.values)
            )
            for layer in filled.layers
        ]

    def update(
        self,
        key_states: torch.Tensor,
        value_states: torch.Tensor,
        layer_idx: int,
        *_: Any,
        **__: Any,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Add a token to every row of a layer; return the entire memory."""
        at = self._used[layer_idx]
        keys, values = self._kept[layer_idx]
        keys[:, :, at], values[:, :, at] = key_states[:, :, 0], value_states[:, :, 0]
        self._used[layer_idx] = at + 1
        return keys, values

    def get_seq_length(self, layer_idx: int = 0) -> int:
        """Return the number of tokens."""
        return self._used[layer_idx]

    def batch_select_indices(self, indices: torch.Tensor) -> None:
        """Keep some rows."""
        self._kept = [tuple(each[indices] for each in layer) for layer in self._kept]


def _pick(logits: torch.Tensor, temperature: float) -> torch.Tensor:
    if not temperature:
        return logits.argmax(1)
    # `multinomial` draws a number per word of the vocabulary, which takes longer than the model.
    upto = (logits.float() / temperature).softmax(1).cumsum(1)
    drawn = torch.rand(len(upto), 1, device=upto.device) * upto[:, -1:]
    return torch.searchsorted(upto, drawn, right=True)[:, 0].clamp(max=upto.shape[1] - 1)


def prompt_tokens(tokenizer: Any, messages: list[dict[str, str]]) -> list[int]:
    """Return the tokens of a request in the model's chat template, up to the answer."""
    if tokenizer.chat_template is None:
        text = "\n\n".join(each["content"] for each in messages) + "\n\n"
    else:
        text = tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
    tokens: list[int] = tokenizer(text, add_special_tokens=False)["input_ids"]
    return tokens
