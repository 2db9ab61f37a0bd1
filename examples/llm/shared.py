"""Tokens that several requests begin with: computed once, also in training.

The list of tools is more than half of a request. With `SharedTokens`, a batch computes it once
instead of once per row, and gradients are the same: those of all rows accumulate in the keys and
values of the shared tokens, and one backward pass takes them to the weights.

While answers are sampled, the shared keys and values are stored and read once instead of once per
row (`examples.llm.attention`).
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from examples.llm.attention import ATTENTION, Packed
from examples.llm.models import autocast
from transformers import DynamicCache


def common_prefix(rows: Sequence[Sequence[int]]) -> list[int]:
    """Return the tokens with which all rows begin; each row keeps at least one token of its own."""
    shortest = min(map(len, rows))
    same = (index for index in range(shortest) if len({row[index] for row in rows}) > 1)
    return list(rows[0][: min(next(same, shortest), shortest - 1)])


class SharedTokens:
    """Keys and values of tokens that precede several rows.

    Args:
        model: A causal language model; its gradient mode decides whether gradients flow.
        tokens: The shared tokens.
    """

    def __init__(self, model: Any, tokens: Sequence[int]) -> None:
        self.length: int = len(tokens)
        self._layers: list[tuple[torch.Tensor, ...]] = []
        if tokens:
            cache = DynamicCache()
            read(model, [[tokens]], None, past_key_values=cache, logits_to_keep=1)
            self._layers = [(layer.keys, layer.values) for layer in cache.layers]
        self._leaves: list[tuple[torch.Tensor, ...]] = [
            tuple(each.detach().requires_grad_(each.requires_grad) for each in layer)
            for layer in self._layers
        ]

    def cache(self, rows: int) -> DynamicCache:
        """Return a cache with the shared tokens for a number of rows."""
        made = DynamicCache()
        for index, layer in enumerate(self._leaves):
            keys, values = (each.expand(rows, -1, -1, -1) for each in layer)
            made.update(keys, values, index)
        return made

    def layer(self, index: int) -> tuple[torch.Tensor, ...]:
        """Return keys and values of a layer, each shaped (heads, tokens, size)."""
        return tuple(each[0] for each in self._leaves[index])

    def backward(self) -> None:
        """Pass the gradients that rows have left in keys and values on to the weights."""
        pairs = [
            (tensor, leaf.grad)
            for layer, leaves in zip(self._layers, self._leaves, strict=True)
            for tensor, leaf in zip(layer, leaves, strict=True)
            if leaf.grad is not None
        ]
        if pairs:
            tensors, gradients = zip(*pairs, strict=True)
            torch.autograd.backward(tensors, gradients)


def read(
    model: Any,
    rows: Sequence[Sequence[Sequence[int]]],
    after: SharedTokens | None,
    **more: Any,
) -> Any:
    """Return the output of a model for rows of any length, packed into one sequence.

    Args:
        model: A causal language model with the attention of `examples.llm.attention`.
        rows: The tokens of every row: its trunk, then branches that follow it, see `Packed`.
        after: Shared tokens that precede every row.
        more: Further arguments of the model.

    Raises:
        ValueError: If the model has another attention, with which rows would see each other.
    """
    if model.config._attn_implementation != ATTENTION:
        raise ValueError("packed rows need model.set_attn_implementation(ATTENTION)")
    device = model.device
    packed = Packed(after, [[len(part) for part in row] for row in rows], device)
    tokens = [token for row in rows for part in row for token in part]
    with autocast(device.type):
        return model(
            input_ids=torch.tensor(tokens, device=device)[None],
            position_ids=torch.cat(packed.places)[None],
            attention_mask=torch.ones(1, 1, 1, 1, dtype=torch.bool, device=device),  # not read
            packed=packed, **{"use_cache": "past_key_values" in more, **more},
        )  # fmt: skip


@contextmanager
def shared(model: Any, tokens: Sequence[int]) -> Iterator[SharedTokens]:
    """Yield shared tokens for training; gradients reach the weights at the end."""
    made = SharedTokens(model, tokens)
    yield made
    made.backward()
