"""Proofs and attacks of tasks: whether a rubric can be earned, and only by doing the task."""
