"""Train MaskablePPO in real LibreOffice, starting with small goals; see docs/guides/train_sb3.md.

    pip install -e '.[sb3,plots]' && pptarena image build
    python examples/train_ppo.py --out runs/ppo                # 17 minutes on two cores
    python examples/train_ppo.py --out runs/ppo --resume       # continues an interrupted run
    python examples/train_ppo.py --out runs/two --suite all#two-steps --model runs/ppo/model.zip

The folder then contains ``episodes.csv`` (one line per episode), ``curve.png``, ``model.zip``,
``agent.gif`` (episodes of the trained agent), ``summary.json`` and ``untrained.zip``, the initial
model, for evaluate_ppo.py.
"""

import argparse
import csv
import json
import time
from collections import deque
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from PIL import Image, ImageDraw, ImageFont
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from pptarena import make_sb3
from pptarena.agents.element_policy import ElementPolicy, action_words
from pptarena.rollouts.learning_curve import plot_learning_curve
from pptarena.wrappers import LearnerConfig

WORDS = 256
WINDOW = 50
LEARNING_RATE = 2e-3
KEYS = (
    *("Delete", "ctrl+b", "ctrl+i", "ctrl+u", "ctrl+l", "ctrl+e", "ctrl+r", "ctrl+m"),
    *("ctrl+c", "ctrl+v", "ctrl+z", "Escape"),
)
# Roles that these goals need: slides and shapes (panels), and images. Buttons are excluded: most
# open a dialog, and the sandbox cannot be reused after that.
ROLES = ("panel", "image")
CONFIG = LearnerConfig(
    marks=128,
    pointer=("click",),
    keys=KEYS,
    done=False,
    screenshot_px=None,
    name_size=WORDS,
    instruction_size=WORDS,
    goal=1.0,
    roles=ROLES,
    recent=2,
)
# Generated tasks use any slide and shape, and some need typed text.
GENERATED_CONFIG = replace(
    CONFIG,
    pointer=("click", "double_click"),
    keys=(
        *("Delete", "ctrl+a", "ctrl+b", "ctrl+i", "ctrl+u", "ctrl+m", "Down", "Up", "F2", "Escape"),
        *("Tab", "ctrl+z"),
    ),
    roles=(*ROLES, "paragraph", "table", "embedded"),
    quotes=3,
    relations=True,
)


def learner_config(suite: str) -> LearnerConfig:
    """Return the configuration for a suite; generated suites are files."""
    return GENERATED_CONFIG if ".jsonl" in suite else CONFIG


class EpisodeLog(BaseCallback):
    """Logs every finished episode, saves the model, and stops when time is up."""

    def __init__(
        self, folder: Path, minutes: float, rate: float, save_every_sec: float = 60.0
    ) -> None:
        super().__init__()
        self.rate = rate
        self.folder, self.file = folder, folder / "episodes.csv"
        self.scores: deque[float] = deque(maxlen=WINDOW)
        self.earlier_sec, self.episodes = _progress(self.file, self.scores)
        self.minutes = minutes
        self.end_sec = time.monotonic() + minutes * 60 - self.earlier_sec
        self.start_sec = self.saved_sec = time.monotonic()
        self.save_every_sec = save_every_sec

    def _on_rollout_start(self) -> None:
        remaining = (self.end_sec - time.monotonic()) / (60 * self.minutes)
        rate = self.rate * min(1.0, max(0.0, remaining))
        self.model.lr_schedule = lambda _: rate

    def _on_step(self) -> bool:
        now_sec = time.monotonic()
        for info in self.locals["infos"]:
            if "episode" in info and not info["infra_error"]:
                self._write(info, self.earlier_sec + now_sec - self.start_sec)
        if now_sec - self.saved_sec > self.save_every_sec:
            self.saved_sec = now_sec
            self.model.save(self.folder / "model.zip")
        return now_sec < self.end_sec

    def _write(self, info: dict[str, Any], elapsed_sec: float) -> None:
        episode = info["episode"]
        self.episodes += 1
        self.scores.append(episode["score"])
        is_new = not self.file.exists()
        with self.file.open("a", newline="") as file:
            writer = csv.writer(file)
            if is_new:
                writer.writerow(("episode", "elapsed_sec", "steps", "task", "score", "length"))
            row = (round(elapsed_sec, 1), self.num_timesteps, episode["task_id"])
            writer.writerow((self.episodes, *row, episode["score"], episode["l"]))
        if self.episodes % 10 == 0:
            mean = np.mean(self.scores)
            print(
                f"{elapsed_sec / 60:5.1f} min  {self.num_timesteps:6} steps  "
                f"{self.episodes:5} episodes  mean of the last {len(self.scores)}: {mean:.2f}",
                flush=True,
            )


def _progress(file: Path, scores: deque[float]) -> tuple[float, int]:
    """Return seconds and episodes of an earlier run to be resumed."""
    if not file.exists():
        return 0.0, 0
    with file.open() as lines:
        rows = list(csv.DictReader(lines))
    scores.extend(float(row["score"]) for row in rows)
    return (float(rows[-1]["elapsed_sec"]), len(rows)) if rows else (0.0, 0)


def random_scores(env: Any, episodes: int, seed: int) -> list[float]:
    """Return the scores of a policy that samples valid actions uniformly."""
    random = np.random.default_rng(seed)
    scores: list[float] = []
    env.reset()
    while len(scores) < episodes:
        masks = np.stack(env.env_method("action_masks"))
        choice = np.array([random.choice(np.flatnonzero(mask)) for mask in masks])
        infos = env.step(choice)[3]
        scores += [i["episode"]["score"] for i in infos if "episode" in i and not i["infra_error"]]
    return scores[:episodes]


def film(model: MaskablePPO, env: Any, file: Path, episodes: int = 4) -> list[float]:
    """Play episodes with the agent, save the screen as an animated GIF and return the scores."""
    frames: list[Image.Image] = []
    scores: list[float] = []
    observation = env.reset()
    while len(scores) < episodes:
        screen = Image.fromarray(env.env_method("render", indices=0)[0]).resize((960, 540))
        frames.append(_add_caption(screen, env.reset_infos[0]["instruction"]))
        masks = np.stack(env.env_method("action_masks"))
        action, _ = model.predict(observation, deterministic=True, action_masks=masks)
        observation, _, _, infos = env.step(action)
        scores += [info["episode"]["score"] for info in infos[:1] if "episode" in info]
    frames[0].save(file, save_all=True, append_images=frames[1:], duration=900, loop=0)
    return scores


def _add_caption(screen: Image.Image, caption: str) -> Image.Image:
    picture = Image.new("RGB", (screen.width, screen.height + 28), "white")
    picture.paste(screen, (0, 28))
    font = ImageFont.load_default(16)
    ImageDraw.Draw(picture).text((8, 5), caption, fill="black", font=font)
    return picture


def new_model(env: Any, seed: int, config: LearnerConfig = CONFIG) -> MaskablePPO:
    """Return an untrained learner."""
    others = action_words(config.other_actions, WORDS)
    kwargs = {"others": others, "pointers": len(config.pointer), "roles": config.roles}
    return MaskablePPO(
        ElementPolicy,
        env,
        n_steps=256 // env.num_envs,
        batch_size=64,
        n_epochs=8,
        learning_rate=LEARNING_RATE,
        gamma=0.9,
        gae_lambda=0.8,
        clip_range=0.3,
        ent_coef=0.003,
        seed=seed,
        policy_kwargs=kwargs,
    )


def main() -> None:
    """Train, and save all results in a folder."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, default=Path("runs/ppo"))
    parser.add_argument("--minutes", type=float, default=14.0, help="whole time of training")
    parser.add_argument(
        "--rate", type=float, default=LEARNING_RATE, help="of learning, at the beginning; it falls"
    )
    parser.add_argument("--machines", type=int, default=2)
    parser.add_argument("--machine", default="sandbox", help="kind of machine")
    parser.add_argument("--suite", default="all#first-steps", help="a name, or grown.jsonl#train")
    parser.add_argument("--max-steps", type=int, help="of an episode, else each task's own")
    parser.add_argument("--curriculum", action="store_true", help="tasks by what can be learnt")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--random-episodes", type=int, default=50)
    parser.add_argument("--model", type=Path, help="begin with what this model.zip has learned")
    parser.add_argument("--resume", action="store_true")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)  # leave the CPUs to the machines
    config = replace(learner_config(options.suite), curriculum=options.curriculum)
    env = make_sb3(
        options.machines,
        config=config,
        processes=options.machines > 1,
        seed=options.seed,
        suite=options.suite,
        machine=options.machine,
        max_steps=options.max_steps,
        render_mode="rgb_array",
    )
    try:
        model_file = options.out / "model.zip"
        if options.resume and model_file.exists():
            model = MaskablePPO.load(model_file, env=env)
            baseline_scores = json.loads((options.out / "random.json").read_text())
        else:
            (options.out / "episodes.csv").unlink(missing_ok=True)
            baseline_scores = random_scores(env, options.random_episodes, options.seed)
            (options.out / "random.json").write_text(json.dumps(baseline_scores))
            model = new_model(env, options.seed, config)
            if options.model is not None:
                model.set_parameters(options.model)
            model.save(options.out / "untrained.zip")
        mean = np.mean(baseline_scores)
        print(f"mean score by chance over {len(baseline_scores)} episodes: {mean:.2f}")
        log = EpisodeLog(options.out, options.minutes, options.rate)
        model.learn(10**9, callback=log, reset_num_timesteps=not options.resume)
        model.save(model_file)
        film_scores = film(model, env, options.out / "agent.gif")
    finally:
        env.close()
    summary = {
        "suite": options.suite,
        "seed": options.seed,
        "random_mean_score": float(np.mean(baseline_scores)),
        "mean_score_of_last_50": float(np.mean(log.scores)),
        "episodes": log.episodes,
        "steps": model.num_timesteps,
        "filmed_scores": film_scores,
    }
    (options.out / "summary.json").write_text(json.dumps(summary, indent=1) + "\n")
    plot_learning_curve(
        [options.out / "episodes.csv"],
        options.out / "curve.png",
        WINDOW,
        summary["random_mean_score"],
    )
    print(json.dumps(summary, indent=1))


if __name__ == "__main__":
    main()
