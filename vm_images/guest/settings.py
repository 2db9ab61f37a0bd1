"""Settings of the guest, sent by the host with ``hello``."""

from dataclasses import dataclass

__all__ = ["Settings"]


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of one desktop.

    Attributes:
        width_px, height_px: Screen size.
        settle_cap_sec: Virtual time of a step. On systems without virtual time (Windows), the
            longest wall-clock wait until idle.
        start_sec: Timeout of the start of the entire desktop.
        answer_sec: Timeout of one answer of the application.
        tree_nodes, tree_depth, tree_sec: Limits of the accessibility tree.
        memory_limit_bytes: Memory limit of all processes together.
        max_processes: Maximum number of processes and threads.
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
