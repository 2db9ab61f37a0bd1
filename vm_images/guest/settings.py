"""How the guest runs and observes; the host sends it with ``hello``."""

from dataclasses import dataclass

__all__ = ["Settings"]


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of one desktop.

    Attributes:
        width_px, height_px: Screen size.
        settle_cap_sec: Time by the application's clock that a step takes; where that cannot be
            stopped (Windows), the longest wait for rest in real time.
        start_sec: Longest time for the whole desktop to come up.
        answer_sec: Longest wait for one answer of the application.
        tree_nodes, tree_depth, tree_sec: Bounds of the accessibility tree.
        memory_limit_bytes: Most memory that all processes together may hold.
        max_processes: Most processes and threads.
    """

    width_px: int = 1280
    height_px: int = 720
    settle_cap_sec: float = 2.0
    start_sec: float = 60.0
    answer_sec: float = 20.0
    tree_nodes: int = 2000
    tree_depth: int = 60
    tree_sec: float = 1.0
    memory_limit_bytes: int = 3 * 2**30
    max_processes: int = 512
