// The tables of results.

const TABLES = [
  ["all", "All tasks", ""],
  ["difficulty", "By difficulty", "Difficulty"],
  ["level", "By level", "Level"],
  ["feasibility", "Feasible and infeasible", "Feasibility"],
  ["edit type", "By edit type", "Edit type"],
];

const WITHOUT_RANGE = {
  "one task only": "no range: one task",
  "all tasks have the same value": "no range: equal on all tasks",
};
const GROUP_MEANINGS = {
  Difficulty: "Difficulty of the task.",
  Level: "L1: a single function of the application. L2: several functions, or targets to find. " +
    "L3: several programs. L4: the result is the agent's own text or design.",
  Feasibility: "An infeasible task cannot be done; the correct result is to declare it infeasible.",
  "Edit type": "A task with several edit types counts in the row of each.",
};
const MEANINGS = {
  Episodes: "Scored episodes, and the number of distinct tasks.",
  "Mean score": "Mean of the final scores, from 0 to 1, with its confidence interval.",
  Solved: "Share of the scored episodes whose score is 1, with its confidence interval.",
  Actions: "Mean number of actions in an episode.",
  Unscored: "Episodes whose final deck could not be scored; excluded from all means.",
  "Infra failed": "Attempts that ended because the machine failed; excluded from all means.",
  "Agent errors": "Scored episodes that ended because the agent raised an error.",
  Questions: "Questions that the agent asked.",
};

/** Make a column heading with its meaning as a tooltip. */
function headCell(name, meaning, kind) {
  return make("th", { scope: "col", role: "columnheader", class: kind, title: meaning ?? false }, name);
}

/** Explain columns, each by its name and its meaning. */
function meaningList(meanings) {
  return make("details", { class: "meanings small" },
    make("summary", {}, "What the columns mean"),
    make("dl", {}, ...meanings.map(([name, meaning]) =>
      make("div", {}, make("dt", {}, name), make("dd", {}, meaning)))));
}

function showTables(place, notes) {
  const hasAny = (name) => summary.rows.some((row) => row[name]);
  const extra = { "Agent errors": "agent_errors", Questions: "questions" };
  const more = Object.entries(extra).filter(([, name]) => hasAny(name));
  for (const [kind, title, column] of TABLES) {
    const rows = summary.rows.filter((row) => row.kind === kind);
    if (!rows.length) continue;
    if (column) rows.sort((a, b) => orderOf(a, rows) - orderOf(b, rows));
    const table = resultTable(title, column, rows, more);
    const open = kind === "difficulty" && isWide();
    place.append(column
      ? make("details", { class: "panel", open }, make("summary", {}, title), table)
      : make("div", { class: "panel" }, table,
        meaningList(Object.entries(MEANINGS).filter(([name]) => !(name in extra) || hasAny(extra[name])))));
    if (kind === "all") {
      showEndings(place);
      showMatrix(place);
    }
  }
  showCosts(place);
  showHelp(place);
  notes.append(...footnotes().map((note) => make("p", {}, note)));
}

/** Group rows by their value, in order of first appearance. */
function orderOf(row, rows) {
  return rows.findIndex(({ value }) => value === row.value);
}

/** Return a table; `more` has heading and field of each additional column of counts. */
function resultTable(title, column, rows, more) {
  const headings = [
    column, "Agent", "Episodes", "Mean score", "Solved", "Actions", "Unscored", "Infra failed",
    ...more.map(([heading]) => heading),
  ].filter(Boolean);
  const body = rows.map((row, index) => {
    const cells = [
      cell("Agent", row.agent, "agent"),
      cell("Episodes", `${row.episodes} on ${plural(row.tasks, "task")}`, "number"),
      cell("Mean score", estimate(row.score, 2, 1), "measure"),
      cell("Solved", estimate(row.success, 0, 100, "%"), "measure"),
      cell("Actions", estimate(row.steps, 1, 1, "", false), "number"),
      cell("Unscored", count(row.unscored), "number"),
      cell("Infra failed", count(row.infra_failed), "number"),
      ...more.map(([heading, name]) => cell(heading, count(row[name]), "number")),
    ];
    if (column) {
      const isFirst = rows[index - 1]?.value !== row.value;
      cells.unshift(cell(column, row.value, isFirst ? "group" : "group again"));
    }
    return make("tr", { role: "row" }, ...cells);
  });
  const headCells = headings.map((name) => headCell(name, MEANINGS[name] ?? GROUP_MEANINGS[name]));
  return make("table", { role: "table" },
    make("caption", {}, title),
    make("thead", { role: "rowgroup" }, make("tr", { role: "row" }, ...headCells)),
    make("tbody", { role: "rowgroup" }, ...body));
}

function cell(label, content, kind) {
  return make("td", { role: "cell", class: kind, "data-label": label }, content);
}

function count(number) {
  return make("span", { class: number ? "trouble-count" : "muted" }, String(number));
}

/** Return a mean with its interval as text, for proportions with a bar from 0 to 1. */
function estimate({ mean, low, high, why_none: reason }, digits, factor, unit = "", bar = true) {
  if (mean === null) return make("span", { class: "muted" }, "–");
  const text = (value) => `${(value * factor).toFixed(digits)}`;
  const range = low === null ? WITHOUT_RANGE[reason] ?? reason : `${text(low)} to ${text(high)}${unit}`;
  return make("div", { class: "estimate" },
    make("span", { class: "mean" }, text(mean) + unit),
    bar ? intervalBar(mean, low, high) : null,
    make("span", { class: low === null ? "range none" : "range" }, range));
}

function intervalBar(mean, low, high) {
  const parts = [
    draw("rect", { x: 0, y: 5, width: 100, height: 6, rx: 3, class: "bar-track" }),
    draw("rect", { x: 0, y: 5, width: 100 * mean, height: 6, rx: 3, class: "bar-fill" }),
  ];
  if (low !== null) {
    const ends = [low, high].map((end) => Math.min(Math.max(100 * end, 0.75), 99.25));
    parts.push(
      draw("line", { x1: ends[0], x2: ends[1], y1: 8, y2: 8, class: "bar-line" }),
      ...ends.map((end) => draw("line", { x1: end, x2: end, y1: 3, y2: 13, class: "bar-line" })));
  }
  return draw("svg", { viewBox: "0 0 100 16", class: "bar", "aria-hidden": "true" }, ...parts);
}

function footnotes() {
  const { confidence_pct: confidence, resamples, fidelity, unreadable } = summary;
  const notes = [
    `Ranges are ${confidence} % confidence intervals. Episodes of one task are not independent, so ` +
      `tasks are resampled (cluster bootstrap, ${resamples.toLocaleString("en")} resamples, fixed seed), with ` +
      "percentiles widened for few tasks. Ranges are rough for fewer than ten tasks. There is no range for a " +
      "single task, or if all tasks have the same value.",
    "Solved: the share of scored episodes with the full score. Unscored episodes and attempts with an infrastructure " +
      "failure are excluded from means and counted in separate columns. An episode with several edit types " +
      "counts in the row of each.",
    `Screens: ${fidelity.description}. Slides: WebP of quality ${Math.min(85, fidelity.quality)}, at most ` +
      `${fidelity.slide_width_px} px wide.`,
  ];
  if (unreadable.length) {
    const names = unreadable.map(([name, why]) => `${name} (${why})`).join("; ");
    notes.push(`Omitted, because they are unreadable: ${names}.`);
  }
  return notes;
}

function showFacts(place) {
  const { facts, episodes } = summary;
  const day = (time) => time.slice(0, 16).replace("T", " ");
  const when = facts.first === facts.last ? day(facts.first) : `${day(facts.first)} to ${day(facts.last)}`;
  const parts = [
    plural(episodes.length, "episode"), `${when} UTC`, `machine ${facts.machines.join(", ")}`,
    facts.applications.join(", "), `${facts.rewards.join(", ")} reward`, `pptarena ${facts.versions.join(", ")}`,
  ];
  place.textContent = visible(parts.filter(Boolean).join(" · "));
}
