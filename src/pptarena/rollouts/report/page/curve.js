// Score after every action as a line, rewards as bars below it.

const CURVE = { height: 170, left: 34, right: 10, top: 10, score: 96, reward: 34 };

function showCurve(place, { steps, meta }, position, onPick) {
  const width = Math.max(place.clientWidth, 240);
  const step = (width - CURVE.left - CURVE.right) / Math.max(steps.length, 1);
  const x = (index) => CURVE.left + index * step;
  const y = (score) => CURVE.top + (1 - score) * CURVE.score;
  const svg = draw("svg", {
    viewBox: `0 0 ${width} ${CURVE.height}`, height: CURVE.height, role: "img",
    "aria-label": curveLabel(steps),
  });
  for (const score of [0, 0.5, 1]) {
    svg.append(
      draw("line", { x1: CURVE.left, x2: width - CURVE.right, y1: y(score), y2: y(score), class: "grid" }),
      draw("text", { x: CURVE.left - 6, y: y(score), class: "axis" }, score === 0.5 ? "0.5" : String(score)));
  }
  svg.append(...rewardBars(steps, x, step, width), ...scoreLine(steps, firstScore(steps, meta.reward), x, y));
  const now = Math.min(position, steps.length);
  svg.append(draw("rect", {
    x: x(now < steps.length ? now : steps.length - 0.15), y: CURVE.top,
    width: now < steps.length ? step : step * 0.15, height: CURVE.height - CURVE.top, class: "now",
  }));
  svg.addEventListener("click", (event) => {
    const clickX = (event.clientX - svg.getBoundingClientRect().left) * (width / svg.clientWidth);
    onPick(Math.min(Math.max(Math.floor((clickX - CURVE.left) / step), 0), steps.length));
  });
  place.replaceChildren(svg);
}

/** Return the line, with gaps where the score is unknown. */
function scoreLine(steps, first, x, y) {
  const path = [];
  if (first !== null) path.push(`M${x(0)},${y(first)}`);
  let hasScore = first !== null;
  const dots = [];
  steps.forEach(({ score, action_error: refused }, index) => {
    if (score === null) {
      hasScore = false;
      dots.push(draw("text", { x: x(index + 0.5), y: y(0) - 4, class: "gap" }, "?"));
      return;
    }
    path.push(hasScore ? `H${x(index + 0.5)}V${y(score)}` : `M${x(index + 0.5)},${y(score)}`);
    hasScore = true;
    dots.push(draw("circle", {
      cx: x(index + 0.5), cy: y(score), r: 3.2, class: refused ? "point refused" : "point",
    }));
  });
  return [draw("path", { d: path.join(""), class: "score-line" }), ...dots];
}

function rewardBars(steps, x, step, width) {
  const middle = CURVE.top + CURVE.score + 12 + CURVE.reward / 2;
  const maxReward = Math.max(...steps.map(({ reward }) => Math.abs(reward)), 1e-9);
  const bars = steps.filter(({ reward }) => Math.abs(reward) > 1e-9).map(({ step: index, reward }) => {
    const barHeight = Math.max((Math.abs(reward) / maxReward) * (CURVE.reward / 2), 1.5);
    return draw("rect", {
      x: x(index) + step * 0.2, width: step * 0.6, y: reward > 0 ? middle - barHeight : middle,
      height: barHeight, class: reward > 0 ? "gain" : "loss",
    }, draw("title", {}, `action ${index + 1}: reward ${reward.toFixed(3)}`));
  });
  return [
    draw("line", { x1: CURVE.left, x2: width - CURVE.right, y1: middle, y2: middle, class: "grid" }),
    draw("text", { x: CURVE.left - 6, y: middle, class: "axis" }, "r"),
    draw("text", { x: CURVE.left, y: CURVE.height - 3, class: "axis start" }, "action 1"),
    draw("text", { x: width - CURVE.right, y: CURVE.height - 3, class: "axis" }, String(steps.length)),
    ...bars,
  ];
}

/** With a dense reward, the score before the first action can be derived; otherwise it is unknown. */
function firstScore([first], reward) {
  if (!first || first.score === null || reward !== "dense") return null;
  return Math.min(Math.max(first.score - first.reward, 0), 1);
}

function curveLabel(steps) {
  const scored = steps.filter(({ score }) => score !== null);
  if (!scored.length) return "No score is known";
  const gains = scored.filter(({ reward }) => reward > 0).map(({ step }) => step + 1);
  const when = gains.length ? `; increased after action ${gains.join(", ")}` : "; never increased";
  return `Score ${scoreText(scored.at(-1).score)} after ${plural(steps.length, "action")}${when}`;
}
