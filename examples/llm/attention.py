"""Attention to tokens that precede several rows, whose keys and values are stored once.

`set_attn_implementation(ATTENTION)` makes a model use it. With neither `after` nor `packed`, it is
PyTorch's attention.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import torch
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.masking_utils import sdpa_mask

ATTENTION = "shared_tokens"


class Shared(Protocol):
    """Shared tokens, see `examples.llm.shared.SharedTokens`."""

    length: int

    def layer(self, index: int) -> tuple[torch.Tensor, ...]:
        """Return keys and values of a layer, each shaped (heads, tokens, size)."""


class Packed:
    """Rows of any length in one sequence, without padding.

    A row has a trunk and any number of branches, such as a request and several answers to it. Each
    token sees the shared tokens, the trunk, and what precedes it in its own branch.

    Args:
        shared: The tokens that precede every row, if any.
        lengths: Numbers of tokens of every row: those of its trunk, then those of each branch.
        device: Where the model is.

    Attributes:
        counts: Number of tokens of every row.
        places: Position of every token in its sequence, for every row, shaped (tokens,).
        hidden: Whether a token, first axis, does not see another of its row, for every row.
    """

    def __init__(
        self, shared: Shared | None, lengths: Sequence[Sequence[int]], device: torch.device
    ) -> None:
        self.shared = shared
        self.counts = [sum(row) for row in lengths]
        before = 0 if shared is None else shared.length
        self.places: list[torch.Tensor] = []
        self.hidden: list[torch.Tensor] = []
        for trunk, *branches in lengths:
            parts = [torch.arange(trunk), *(torch.arange(trunk, trunk + n) for n in branches)]
            own = torch.repeat_interleave(torch.tensor([trunk, *branches])).to(device)
            others = (own[:, None] != own) & (own > 0)
            self.places.append(before + torch.cat(parts).to(device))
            self.hidden.append(others | torch.ones_like(others).triu(1))


def attend(
    module: Any,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    *,
    scaling: float,
    sliding_window: int | None = None,
    after: tuple[Shared, torch.Tensor] | None = None,
    packed: Packed | None = None,
    **more: Any,
) -> tuple[torch.Tensor, torch.Tensor | None]:
    """Return the attention of one new token per row, or of all tokens of packed rows.

    Args:
        module: The attention layer.
        query: Shaped (rows, heads, 1, size).
        key: Keys of the tokens after the shared ones, shaped (rows, heads of keys, tokens, size).
        value: Their values.
        attention_mask: Whether the new token sees them, shaped (rows, 1, 1, tokens).
        scaling: Factor of the scores.
        sliding_window: Number of tokens that the layer sees; None for all.
        after: The shared tokens, and the positions of the others in the sequence, (rows, tokens).
        packed: Packed rows; query, keys and values then have one row with all tokens.
        more: Further arguments of PyTorch's attention.
    """
    if packed is not None:
        return _attend_packed(module, query[0] * scaling, key[0], value[0], packed, sliding_window)
    if after is None:
        more |= {"scaling": scaling, "sliding_window": sliding_window}
        found: tuple[torch.Tensor, torch.Tensor | None] = sdpa_attention_forward(
            module, query, key, value, attention_mask, **more
        )
        return found
    tokens, places = after
    if tokens.length:
        keys, values = tokens.layer(module.layer_idx)
    else:
        keys, values = key[0, :, :0], value[0, :, :0]
    rows, heads, _, size = query.shape
    own = key.shape[1]
    many = heads // own  # heads of the query for each head of the keys
    query = query.view(rows, own, many, size)
    later = query @ key.transpose(2, 3)
    ahead = query.transpose(0, 1).reshape(own, rows * many, size) @ keys.transpose(1, 2)
    ahead = ahead.view(own, rows, many, tokens.length).transpose(0, 1)
    if attention_mask is not None:
        later = later.masked_fill(~attention_mask, -torch.inf)
    if sliding_window is not None:
        first = places[:, -1, None] - sliding_window + 1
        shared_places = torch.arange(tokens.length, device=places.device)
        later = later.masked_fill((places < first)[:, None, None], -torch.inf)
        ahead = ahead.masked_fill((shared_places < first)[:, None, None], -torch.inf)
    weights = (torch.cat([ahead, later], 3) * scaling).softmax(3, torch.float32).to(value.dtype)
    ahead, later = weights[..., : tokens.length], weights[..., tokens.length :]
    before = ahead.transpose(0, 1).reshape(own, rows * many, tokens.length) @ values
    before = before.view(own, rows, many, size)
    both = before.transpose(0, 1) + later @ value
    return both.reshape(rows, 1, heads, size), None


def _attend_packed(
    module: Any,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    packed: Packed,
    window: int | None,
) -> tuple[torch.Tensor, None]:
    """Return the attention of packed rows, each to the shared tokens and to itself.

    It multiplies matrices, since PyTorch's fused attention needs padding, and its backward pass is
    slow on a CPU.
    """
    heads, _, size = query.shape
    own, before = key.shape[0], 0
    first, second = key[:, :0], value[:, :0]
    if packed.shared is not None and packed.shared.length:
        before = packed.shared.length
        first, second = packed.shared.layer(module.layer_idx)
    found = []
    rows = zip(
        *(torch.split(each, packed.counts, 1) for each in (query, key, value)),
        packed.places, packed.hidden, strict=True,
    )  # fmt: skip
    for asked, keys, values, places, hidden in rows:
        count = len(places)
        keys, values = torch.cat([first, keys], 1), torch.cat([second, values], 1)
        asked = asked.reshape(own, heads // own * count, size)
        scores = (asked @ keys.transpose(1, 2)).view(heads, count, before + count)
        with torch.no_grad():  # the softmax passes no gradient to hidden tokens
            scores[..., before:].masked_fill_(hidden, -torch.inf)
            if window is not None:
                all_places = torch.cat([torch.arange(before, device=places.device), places])
                scores.masked_fill_(places[:, None] - all_places >= window, -torch.inf)
        weights = scores.softmax(2).to(values.dtype)
        answer = weights.view(own, heads // own * count, before + count) @ values
        found.append(answer.view(heads, count, size))
    return torch.cat(found, 1).transpose(0, 1)[None], None


AttentionInterface.register(ATTENTION, attend)
AttentionMaskInterface.register(ATTENTION, sdpa_mask)
