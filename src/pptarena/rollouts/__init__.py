"""Rollouts: run episodes, store them, analyze them."""

from pptarena.agents.base import Agent
from pptarena.rollouts.collect import collect, run_jobs
from pptarena.rollouts.env import make_env
from pptarena.rollouts.episode import EpisodeMeta, StepRecord, StoredEpisode
from pptarena.rollouts.measure import Measurement, measure
from pptarena.rollouts.play import play
from pptarena.rollouts.replay import Replay, replay_episode
from pptarena.rollouts.run import Job, plan_jobs
from pptarena.rollouts.store import EpisodeWriter, find_episodes, read_meta, read_steps
from pptarena.rollouts.summary import SummaryRow, summarise, summary_table

__all__ = [
    "Agent",
    "EpisodeMeta",
    "EpisodeWriter",
    "Job",
    "Measurement",
    "Replay",
    "StepRecord",
    "StoredEpisode",
    "SummaryRow",
    "collect",
    "find_episodes",
    "make_env",
    "measure",
    "plan_jobs",
    "play",
    "read_meta",
    "read_steps",
    "replay_episode",
    "run_jobs",
    "summarise",
    "summary_table",
]
