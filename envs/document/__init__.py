"""The same tasks without a screen: the agent edits a deck by calling tools."""

from pptarena.envs.document.call import ToolCall
from pptarena.envs.document.doc_env import PPTArenaDocEnv

__all__ = ["PPTArenaDocEnv", "ToolCall"]
