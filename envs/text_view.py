"""An episode's state as text, for render mode ``"ansi"``."""

from pptarena.envs.episode import Episode

__all__ = ["text_view"]

LABEL_MAX = 60


def text_view(episode: Episode, budget: int) -> str:
    """Return the instruction, the score and one line per element of the last observation."""
    window = next(iter(episode.observed.window_titles), "no window")
    lines = [
        f"Task {episode.task.id}: {episode.task.instruction}",
        f"Step {episode.steps} of {budget}, score {episode.score:.2f}, window: {window}",
    ]
    lines += [_element_line(episode, number) for number in range(1, len(episode.elements) + 1)]
    return "\n".join(lines)


def _element_line(episode: Episode, number: int) -> str:
    node = episode.observed.tree.nodes[episode.elements.nodes[number - 1]]
    label = " ".join((node.name or node.text).split())
    if len(label) > LABEL_MAX:
        label = label[: LABEL_MAX - 1] + "…"
    shown = sorted(node.states & {"focused", "selected", "checked", "pressed", "editable"})
    return f"[{number}] {node.role} {label!r}" + (f" ({', '.join(shown)})" if shown else "")
