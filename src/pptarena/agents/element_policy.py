"""A policy for Set-of-Marks actions that scores every element with the same network.

A plain network has separate weights for each action number, so what it learns about mark 14 does
not help when the same button is mark 15. Here one small network scores any element by its features
(position, role, states, name) and the instruction. Actions without a mark are scored by the words
that describe them. Words shared with the instruction raise the initial score of an action, and
words of a selected element no longer count. Training can unlearn these priors. The features of
`ElementRelations` are used if the observation has them.

Requires torch, stable-baselines3 and sb3-contrib (``pip install -e '.[sb3]'``).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableMultiInputActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.type_aliases import Schedule
from torch import Tensor, nn
from torch.nn.functional import log_softmax, logsigmoid

from pptarena.envs.action import Action
from pptarena.envs.elements import COLUMNS
from pptarena.envs.roles import ROLES
from pptarena.wrappers.hashed_words import hashed_words

__all__ = ["ElementPolicy", "action_words"]

_ROLE = COLUMNS.index("role")
_RIGHT = COLUMNS.index("x1")
_SELECTED = COLUMNS.index("selected")
_ROLE_SIZE = 8
# Initial weights of the word overlap: for elements, for the other actions, and for the best element
# in the decision whether to point at all; then the bias against pointing.
_PRIOR = (8.0, 6.0, 5.0, -1.5)
_INITIAL_STD = 0.01
_MASKED_SCORE = -20.0
_OPTIONAL_CONTEXT = ("here", "quotes")

_KEY_WORDS = {
    "ctrl+b": "bold",
    "ctrl+i": "italic",
    "ctrl+u": "underline",
    "ctrl+l": "align left",
    "ctrl+e": "align center",
    "ctrl+r": "align right",
    "ctrl+z": "undo",
    "ctrl+d": "duplicate",
    "ctrl+c": "copy duplicate",
    "ctrl+v": "paste duplicate",
    "ctrl+x": "cut",
    "ctrl+m": "new slide",
    "Delete": "delete",
}


def action_words(actions: Sequence[Action], size: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Return the names of the actions without a mark, float32 (n, size) of hashed words."""
    texts = (
        _KEY_WORDS.get(action.keys, action.keys) or action.text or action.kind for action in actions
    )
    return np.stack([hashed_words(text, size) for text in texts])


class _Scorer(BaseFeaturesExtractor):
    """Turns an observation into one score for each action, and features for the value.

    A gate splits the probability between the marks and the other actions, so that many elements on
    the screen do not crowd out the keys. The output is (batch, actions + hidden), see `_Split`.
    """

    def __init__(
        self,
        observation_space: spaces.Dict,
        others: Any,
        pointers: int,
        hidden: int,
        roles: Sequence[str] | None,
    ) -> None:
        rows, columns = observation_space["elements"].shape or (0, 0)
        name_size = columns - len(COLUMNS)
        recent = int(np.prod(observation_space["recent"].shape or (0,)))
        super().__init__(observation_space, rows * pointers + len(others) + hidden)
        self.others: Tensor
        self.register_buffer("others", torch.as_tensor(np.asarray(others, np.float32)))
        self.usable: Tensor
        usable = [roles is None or role in roles for role in ROLES]
        self.register_buffer("usable", torch.tensor(usable))
        self.roles = nn.Embedding(len(ROLES), _ROLE_SIZE)
        sizes = {name: int(np.prod(space.shape or ())) for name, space in observation_space.items()}
        self.context_keys = [name for name in _OPTIONAL_CONTEXT if name in sizes]
        goal_size = hidden + recent + sum(sizes[name] for name in self.context_keys)
        self.goal_key = "asked" if "asked" in sizes else "instruction"
        self.goal = nn.Sequential(nn.Linear(sizes[self.goal_key], hidden), nn.ReLU())
        self.names = nn.Linear(name_size, hidden, bias=False)
        relations = sizes.get("relations", 0) // rows
        number_size = len(COLUMNS) - 1 + _ROLE_SIZE + 1 + relations
        self.entry = nn.Linear(number_size + goal_size, hidden)
        self.element = nn.Sequential(nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.mark = _output_layer(hidden, pointers)
        context_size = 2 * hidden + goal_size
        self.other = nn.Sequential(
            nn.Linear(context_size, hidden), nn.ReLU(), _output_layer(hidden, len(others))
        )
        self.gate = nn.Sequential(
            nn.Linear(context_size, hidden), nn.ReLU(), _output_layer(hidden, 1)
        )
        self.value = nn.Sequential(nn.Linear(context_size, hidden), nn.ReLU())
        self.prior = nn.Parameter(torch.tensor(_PRIOR))

    def forward(self, observation: dict[str, Tensor]) -> Tensor:
        table, goal = observation["elements"], observation["instruction"]
        rows = table.shape[1]
        table, indices = self._usable_first(torch.cat([table, *self._relations(observation)], -1))
        width = len(COLUMNS) + goal.shape[1]
        numbers, names = table[..., : len(COLUMNS)], table[..., len(COLUMNS) : width]
        roles = numbers[..., _ROLE].long()
        usable = (self.usable[roles] & (numbers[..., _RIGHT] > 0)).unsqueeze(-1)
        context_parts = [observation[name].flatten(1) for name in ("recent", *self.context_keys)]
        goal_context = torch.cat([self.goal(observation[self.goal_key]), *context_parts], -1)
        features = torch.cat(
            [numbers[..., :_ROLE], numbers[..., _ROLE + 1 :], table[..., width:]], -1
        )
        # A selected element need not be clicked again, so its words no longer count.
        selected = usable & (numbers[..., _SELECTED] > 0).unsqueeze(-1)
        handled_words = (names.abs() * selected).amax(1) > 0
        overlap = _word_overlap(names, goal.masked_fill(handled_words, 0.0).unsqueeze(1), selected)
        spread_context = goal_context.unsqueeze(1).expand(-1, table.shape[1], -1)
        entry = self.entry(torch.cat([features, self.roles(roles), overlap, spread_context], -1))
        hidden = self.element(entry + self.names(names)) * usable
        mean = hidden.sum(1) / usable.sum(1).clamp(min=1)
        context = torch.cat([mean, hidden.amax(1), goal_context], -1)
        marks = (self.mark(hidden) + self.prior[0] * overlap).masked_fill(~usable, _MASKED_SCORE)
        other_overlap = _word_overlap(self.others, goal.unsqueeze(1)).squeeze(-1)
        others = self.other(context) + self.prior[1] * other_overlap
        marks = marks.new_full((len(marks), rows, marks.shape[2]), _MASKED_SCORE).scatter(
            1, indices.unsqueeze(-1).expand_as(marks), marks
        )
        best = overlap.masked_fill(~usable, 0.0).amax(1)
        gate = self.gate(context) + self.prior[2] * best + self.prior[3]
        scores = (
            log_softmax(marks.transpose(1, 2).flatten(1), -1) + logsigmoid(gate),
            log_softmax(others, -1) + logsigmoid(-gate),
            self.value(context),
        )
        return torch.cat(scores, -1)

    @staticmethod
    def _relations(observation: dict[str, Tensor]) -> list[Tensor]:
        return [observation["relations"]] if "relations" in observation else []

    def _usable_first(self, table: Tensor) -> tuple[Tensor, Tensor]:
        """Return the usable rows of each table, padded to the same number, and their indices.

        Most elements of a screen cannot be chosen, so this saves computation. The sum over the
        usable rows is unchanged.
        """
        usable = self.usable[table[..., _ROLE].long()] & (table[..., _RIGHT] > 0)
        max_usable = max(int(usable.sum(1).max()), 1)
        indices = torch.argsort((~usable).byte(), dim=1, stable=True)[:, :max_usable]
        return table.gather(1, indices.unsqueeze(-1).expand(-1, -1, table.shape[2])), indices


def _word_overlap(names: Tensor, goal: Tensor, mask: Tensor | None = None) -> Tensor:
    """Return the fraction of the words of each name that occur in the goal, in [0, 1].

    Names have length 1, so the squares of their words add up to 1.
    """
    overlap = (names.square() * (names * goal > 0)).sum(-1, keepdim=True)
    return overlap if mask is None else overlap.masked_fill(mask, 0.0)


def _output_layer(hidden: int, size: int) -> nn.Linear:
    """Return a layer with almost no initial effect, so the word overlap decides at first."""
    layer = nn.Linear(hidden, size)
    nn.init.normal_(layer.weight, std=_INITIAL_STD)
    nn.init.zeros_(layer.bias)
    return layer


class _Split(nn.Module):
    """Passes the scores to the actor and the features to the critic."""

    def __init__(self, actions: int, hidden: int) -> None:
        super().__init__()
        self.latent_dim_pi, self.latent_dim_vf = actions, hidden

    def forward(self, features: Tensor) -> tuple[Tensor, Tensor]:
        return self.forward_actor(features), self.forward_critic(features)

    def forward_actor(self, features: Tensor) -> Tensor:
        return features[:, : self.latent_dim_pi]

    def forward_critic(self, features: Tensor) -> Tensor:
        return features[:, self.latent_dim_pi :]


class ElementPolicy(MaskableMultiInputActorCriticPolicy):
    """For ``MaskablePPO(ElementPolicy, env, policy_kwargs={...})`` on environments of `make_sb3`.

    The environments need ``name_size`` equal to ``instruction_size``, and ``recent`` of 1 or more.

    Args:
        observation_space: Observation space of the environment.
        action_space: Action space of the environment.
        lr_schedule: Learning rate schedule of the learner.
        others: Words of the actions without a mark, see `action_words`.
        pointers: Number of pointer actions.
        hidden: Width of all layers.
        roles: Roles whose marks can be chosen, as in `SomActions`; None for all.
        more: Other arguments of the policies of stable-baselines3.
    """

    def __init__(
        self,
        observation_space: spaces.Dict,
        action_space: spaces.Space[Any],
        lr_schedule: Schedule,
        others: Any = (),
        pointers: int = 1,
        hidden: int = 64,
        roles: Sequence[str] | None = None,
        **policy_kwargs: Any,
    ) -> None:
        self._hidden = hidden
        super().__init__(
            observation_space,
            action_space,
            lr_schedule,
            features_extractor_class=_Scorer,
            features_extractor_kwargs={
                "others": others,
                "pointers": pointers,
                "hidden": hidden,
                "roles": roles,
            },
            ortho_init=False,
            **policy_kwargs,
        )

    def _build_mlp_extractor(self) -> None:
        actions = self.features_dim - self._hidden
        self.mlp_extractor = _Split(actions, self._hidden)  # type: ignore[assignment]

    def _build(self, lr_schedule: Schedule) -> None:
        super()._build(lr_schedule)
        # The scores are final; another layer would mix the actions.
        self.action_net = nn.Identity()
        optimizer_kwargs: dict[str, Any] = {"lr": lr_schedule(1), **self.optimizer_kwargs}
        self.optimizer = self.optimizer_class(self.parameters(), **optimizer_kwargs)

    def _get_constructor_parameters(self) -> dict[str, Any]:
        parameters = super()._get_constructor_parameters()
        extractor_kwargs = parameters.pop("features_extractor_kwargs")
        del parameters["features_extractor_class"], parameters["ortho_init"]
        return {**parameters, **extractor_kwargs}
