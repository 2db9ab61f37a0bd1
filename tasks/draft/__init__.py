"""Draft tasks: derive a rubric, a scope and a task folder from a deck and a gold deck."""

from pptarena.tasks.draft.drafter import Draft, draft_task
from pptarena.tasks.draft.folder import write_draft, write_template

__all__ = ["Draft", "draft_task", "write_draft", "write_template"]
