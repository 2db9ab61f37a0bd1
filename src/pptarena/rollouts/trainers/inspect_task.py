"""The document environment for Inspect: a task, its solver and its scorer.

``inspect eval pptarena/pptarena --model openai/gpt-...  -T suite=bench``
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from anyio import to_thread
from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageUser
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolDef, ToolError
from inspect_ai.util import LimitExceededError

from pptarena.envs.document import ToolCall
from pptarena.envs.document.tool import Tool
from pptarena.envs.document.toolbox import toolbox
from pptarena.errors import ActionError
from pptarena.rollouts.trainers.doc_session import DocSession
from pptarena.rollouts.trainers.tool_functions import with_signature
from pptarena.tasks import find_task, pick_tasks

__all__ = ["document_agent", "pptarena", "rubric_score"]

_STORE_KEY = "pptarena"
_PROMPT = (
    "You edit a presentation by calling tools. Slides and shapes go by their ids. "
    "Call done when the task is finished, or fail if it cannot be done.\n\nThe task: "
)


@task  # type: ignore[untyped-decorator]
def pptarena(
    suite: str = "starter",
    tasks: str = "",
    tools: str = "edit",
    max_steps: int | None = None,
    baseline: str = "document",
) -> Task:
    """Tasks of a suite, edited as a file by tool calls, and scored by their rubrics.

    Args:
        suite: A name or the path of a folder.
        tasks: Ids of tasks, separated by commas; empty for all.
        tools: Families of tools, separated by commas.
        max_steps: Step budget; None for each task's own.
        baseline: ``"application"`` scores the deck as LibreOffice saves it.
    """
    names = [name for name in tasks.split(",") if name]
    samples = [
        Sample(id=each.id, input=each.instruction, metadata={"task": each.id, "place": each.place})
        for each in pick_tasks(names, suite)
    ]
    agent = document_agent(tools=tools, max_steps=max_steps, baseline=baseline)
    return Task(dataset=samples, solver=agent, scorer=rubric_score())


@solver  # type: ignore[untyped-decorator]
def document_agent(tools: str = "edit", outline_chars: int = 8_000, **options: Any) -> Solver:
    """Run a model until it ends the episode, replies without a call, or reaches a limit.

    Args:
        tools: Families of tools, separated by commas.
        outline_chars: Maximum length of the deck's outline in the first message.
        options: Other arguments of `PPTArenaDocEnv`.
    """
    families = tuple(name for name in tools.split(",") if name)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        session = DocSession(families, outline_chars, **options)
        try:
            task_ = find_task(state.metadata["task"], state.metadata["place"])
            first = await to_thread.run_sync(session.begin, task_)
            state.messages = [ChatMessageUser(content=_PROMPT + first)]
            state.tools = [_tool(session, each) for each in toolbox(families).values()]
            try:
                while not session.over and not state.completed:
                    state = await generate(state, tool_calls="single")
                    if not state.output.message.tool_calls:
                        break
            except LimitExceededError:
                await to_thread.run_sync(_finish, session, state)
                raise
            await to_thread.run_sync(_finish, session, state)
        finally:
            session.close()
        return state

    return solve


@scorer(metrics=[mean(), stderr()])  # type: ignore[untyped-decorator]
def rubric_score() -> Scorer:
    """Return the score of the rubric; unscored episodes are excluded."""

    async def score(state: TaskState, target: Target) -> Score:
        result = state.store.get(_STORE_KEY)
        if result is None or result["score"] is None:
            return Score.unscored(explanation="the episode has no score")
        return Score(
            value=result["score"], explanation=_reasons(result["rubric"]), metadata=dict(result)
        )

    return score


def _finish(session: DocSession, state: TaskState) -> None:
    session.finish()
    result = {
        "score": session.score,
        "rubric": session.info["rubric"],
        "steps": [{"tool": step.tool, "reward": step.reward} for step in session.steps],
    }
    state.store.set(_STORE_KEY, result)


def _tool(session: DocSession, tool: Tool) -> ToolDef:
    async def execute(**arguments: Any) -> str:
        try:
            act: Callable[[], str] = partial(session.act, ToolCall(tool.name, arguments))
            return await to_thread.run_sync(act)
        except ActionError as error:
            raise ToolError(str(error)) from error

    return ToolDef(with_signature(execute, tool))


def _reasons(node: dict[str, Any]) -> str:
    """Return the reasons of all leaves, one per line."""
    children = node.get("children") or []
    if not children:
        return f"{node.get('name')}: {node.get('score')} - {node.get('reason')}"
    return "\n".join(map(_reasons, children))
