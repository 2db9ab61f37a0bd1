"""Attention to tokens that precede several rows, whose keys and values are stored once.

`set_attn_implementation(ATTENTION)` makes a model use it. Without shared tokens, it is PyTorch's
attention.
"""

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
    **more: Any,
) -> tuple[torch.Tensor, torch.Tensor | None]:
    """Return the attention of one new token per row; PyTorch's attention without `after`.

    Args:
        module: The attention layer.
        query: Shaped (rows, heads, 1, size).
        key: Keys of the tokens after the shared ones, shaped (rows, heads of keys, tokens, size).
        value: Their values.
        attention_mask: Whether the new token sees them, shaped (rows, 1, 1, tokens).
        scaling: Factor of the scores.
        sliding_window: Number of tokens that the layer sees; None for all.
        after: The shared tokens, and the positions of the others in the sequence, (rows, tokens).
        more: Further arguments of PyTorch's attention.
    """
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


AttentionInterface.register(ATTENTION, attend)
AttentionMaskInterface.register(ATTENTION, sdpa_mask)
