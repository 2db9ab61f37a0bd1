"""The document environment for verl: an agent loop, registered as ``pptarena``.

In verl's configuration, ``actor_rollout_ref.rollout.agent.agent_loop_config_path`` names a file::

    - name: pptarena
      _target_: pptarena.rollouts.trainers.verl.DocAgentLoop
      max_turns: 20
      options: {max_steps: 40}
"""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any
from uuid import uuid4

from verl.experimental.agent_loop.agent_loop import AgentLoopBase, AgentLoopOutput, register

from pptarena.agents.model.document_calls import system_prompt
from pptarena.errors import ConfigError
from pptarena.rollouts.trainers.doc_session import DocSession
from pptarena.rollouts.trainers.execute_reply import execute_reply
from pptarena.tasks import find_task, pick_tasks

__all__ = ["DocAgentLoop", "verl_rows"]


@register("pptarena")
class DocAgentLoop(AgentLoopBase):  # type: ignore[misc]
    """Runs one episode: takes replies with tool calls, returns the results of the tools.

    Args:
        args: Arguments of verl.
        families: Families of tools.
        outline_chars: Maximum length of the deck's outline in the first message.
        max_turns: The episode is scored after this number of replies.
        options: Other arguments of `PPTArenaDocEnv`.
        kwargs: Arguments of verl.
    """

    def __init__(
        self,
        *args: Any,
        families: Sequence[str] = ("edit",),
        outline_chars: int = 8_000,
        max_turns: int = 20,
        options: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        if max_turns < 1:
            raise ConfigError(f"max_turns: expected 1 or more, got {max_turns}")
        self._max_turns = max_turns
        self._session = DocSession(tuple(families), outline_chars, **dict(options or {}))

    async def run(
        self, sampling_params: dict[str, Any], priority: int = 0, **row: Any
    ) -> AgentLoopOutput:
        """Run the task of a row.

        Args:
            sampling_params: verl's sampling parameters of the model.
            priority: verl's priority of the request.
            row: Columns of the data set: ``raw_prompt``; ``extra_info`` with ``task``, ``place``.

        Returns:
            Tokens, a mask of the model's tokens, and the final score. ``extra_fields`` has
            ``turn_scores``, the change of the score by each reply, and ``turn_ends``, the number of
            response tokens up to the end of each, for step-by-step credit assignment.

        Raises:
            ConfigError: If the row has no task.
            MachineError: If the infrastructure failed: this episode has no score.
        """
        try:
            return await self._play(sampling_params, priority, row)
        finally:
            self._session.close()

    async def _play(
        self, sampling_params: dict[str, Any], priority: int, row: Mapping[str, Any]
    ) -> AgentLoopOutput:
        task = _task_of(row)
        first = await self._in_thread(self._session.begin, task)
        instructions = system_prompt(self._session.env.tools())
        messages = [dict(message) for message in row["raw_prompt"] if message.get("content")]
        messages.append({"role": "user", "content": f"{instructions}\n\nThe task: {first}"})
        tokens = await self.ct_build_initial_tokens(messages)
        limit = self.rollout_config.response_length
        start, scores, ends = len(tokens), list[float](), list[int]()
        mask: list[int] = []
        logprobs: list[float] | None = None
        timings = {"generate_sequences": 0.0, "tool_calls": 0.0}
        generate = partial(
            self.server_manager.generate,
            request_id=uuid4().hex,
            sampling_params=sampling_params,
            priority=priority,
        )
        while True:
            start_sec = perf_counter()
            output = await generate(prompt_ids=tokens)
            timings["generate_sequences"] += perf_counter() - start_sec
            merged, mask, logprobs = await self.ct_merge_assistant_token(
                tokens,
                output.token_ids,
                mask,
                (logprobs or []) if output.log_probs else None,
                assistant_logprobs=output.log_probs or None,
            )
            tokens = merged.token_ids
            text = self.tokenizer.decode(output.token_ids, skip_special_tokens=True)
            start_sec = perf_counter()
            result, reward = await self._in_thread(execute_reply, self._session, text)
            timings["tool_calls"] += perf_counter() - start_sec
            scores.append(reward)
            ends.append(min(len(mask), limit))
            if self._session.over or len(mask) >= limit or len(scores) >= self._max_turns:
                break
            previous_messages = [*messages, {"role": "assistant", "content": text}]
            messages = [*previous_messages, {"role": "user", "content": result}]
            merged, longer_mask, longer_logprobs = await self.ct_merge_context_msg(
                previous_messages, messages, tokens, mask, logprobs
            )
            if len(longer_mask) >= limit:  # no space for another reply
                break
            tokens, mask, logprobs = merged.token_ids, longer_mask, longer_logprobs
        scores[-1] += await self._in_thread(self._last_reward)
        return AgentLoopOutput(
            prompt_ids=tokens[:start],
            response_ids=tokens[start:][:limit],
            response_mask=mask[:limit],
            response_logprobs=logprobs[:limit] if logprobs else None,
            reward_score=self._session.total(),
            num_turns=2 * len(scores),
            metrics=timings,
            extra_fields={
                "turn_scores": scores,
                "turn_ends": ends,
                "tool_rewards": [step.reward for step in self._session.steps],
                "task_id": self._session.info["task_id"],
            },
        )

    def _last_reward(self) -> float:
        count_before = len(self._session.steps)
        self._session.finish()
        return sum(step.reward for step in self._session.steps[count_before:])

    async def _in_thread(self, function: Any, *arguments: Any) -> Any:
        return await self.loop.run_in_executor(None, function, *arguments)


def verl_rows(
    suite: str | Path = "starter", tasks: Sequence[str | Path] = ()
) -> list[dict[str, Any]]:
    """Return the rows of a data set (verl reads parquet), one for each task.

    Args:
        suite: The tasks: a name or the path of a folder.
        tasks: Some of them by id or path; none for all.

    Raises:
        UnknownTaskError: If there is no such suite or task.
    """
    return [
        {
            "data_source": "pptarena",
            "agent_name": "pptarena",
            "prompt": [{"role": "system", "content": "You are a careful office worker."}],
            "reward_model": {"style": "rule", "ground_truth": ""},
            "extra_info": {"index": index, "task": task.id, "place": task.place},
        }
        for index, task in enumerate(pick_tasks(tasks, suite))
    ]


def _task_of(row: Mapping[str, Any]) -> Any:
    extra = row.get("extra_info") or {}
    if not extra.get("task"):
        raise ConfigError(
            "the row names no task: extra_info needs 'task' (see verl_rows), "
            f"but has {sorted(extra)}"
        )
    return find_task(str(extra["task"]), str(extra.get("place") or ""))
