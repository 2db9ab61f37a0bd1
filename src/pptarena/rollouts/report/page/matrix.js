// The table of tasks and agents: the mean score of each pair, in color.

const MAX_OPEN_ROWS = 40;

/** Return for every task and agent its episodes: `{ task: { agent: [episode, ...] } }`. */
function byTaskAndAgent() {
  const byTask = new Map();
  for (const entry of summary.episodes) {
    if (!byTask.has(entry.task)) byTask.set(entry.task, new Map());
    const byAgent = byTask.get(entry.task);
    byAgent.set(entry.agent, [...(byAgent.get(entry.agent) ?? []), entry]);
  }
  return byTask;
}

function showMatrix(place) {
  const episodes = byTaskAndAgent();
  const agents = [...new Set(summary.episodes.map(({ agent }) => agent))];
  const rows = [...episodes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([task, byAgent]) =>
    make("tr", { role: "row" },
      make("th", { role: "rowheader", scope: "row" }, task),
      ...agents.map((agent) => pairCell(task, agent, byAgent.get(agent)))));
  const headCells = ["Task", ...agents].map((name) =>
    make("th", { scope: "col", role: "columnheader" }, name));
  const title = "By task and agent";
  place.append(make("details", { class: "panel", open: rows.length <= MAX_OPEN_ROWS },
    make("summary", {}, title),
    make("p", { class: "muted small" }, "Mean score of each agent on each task, from 0 to 1. A score opens its first episode."),
    make("table", { role: "table", class: "matrix" },
      make("caption", {}, `${title}: mean scores`),
      make("thead", { role: "rowgroup" }, make("tr", { role: "row" }, ...headCells)),
      make("tbody", { role: "rowgroup" }, ...rows))));
}

function pairCell(task, agent, episodes) {
  if (!episodes) return cell(agent, make("span", { class: "muted" }, "–"), "matrix-score");
  const scores = episodes.filter(({ infra, score }) => !infra && score !== null).map(({ score }) => score);
  const mean = scores.length ? scores.reduce((sum, score) => sum + score, 0) / scores.length : null;
  const label = `${task}, ${agent}: ${pairText(episodes, scores, mean)}`;
  const link = make("a", { href: `#episode=${episodes[0].id}`, title: label, "aria-label": label },
    mean === null ? "unscored" : scoreText(mean));
  if (mean !== null) {
    link.classList.add("shaded");
    link.style.setProperty("--score", mean);
  }
  return cell(agent, link, "matrix-score");
}

/** Describe the episodes behind a mean: their number, score range and unscored ones. */
function pairText(episodes, scores, mean) {
  const infra = episodes.filter((entry) => entry.infra).length;
  const unscored = episodes.length - scores.length - infra;
  const range = scores.length > 1
    ? `, from ${scoreText(Math.min(...scores))} to ${scoreText(Math.max(...scores))}` : "";
  const parts = [mean === null
    ? "no scored episode"
    : `mean ${scoreText(mean)} of ${plural(scores.length, "episode")}${range}`];
  if (unscored) parts.push(`${unscored} unscored`);
  if (infra) parts.push(`${infra} failed due to the infrastructure`);
  return parts.join("; ");
}
