// The table of episodes with help.

const HELP_MEANINGS = {
  "Episodes with help": "Scored episodes in which a person, a script or another model helped.",
  "Solved with help": "Share of these episodes whose score is 1.",
  "Solved alone": "Share of the agent's other scored episodes whose score is 1.",
  "Interventions per episode": "Mean number of interventions in an episode with help.",
  "Human time per episode": "Mean time in which a person had control.",
  "Human actions": "Share of the actions that a person chose, in episodes with help.",
  Hints: "Number of hints, in all episodes.",
  Answers: "Number of answers to the agent's questions, in all episodes.",
  Confirmations: "Number of decisions on risky actions.",
  Refusals: "Number of these actions that were refused.",
};

function showHelp(place) {
  if (!summary.help.length) return;
  const headings = ["Agent", ...Object.keys(HELP_MEANINGS)];
  const share = (value) => (value === null ? "–" : `${Math.round(100 * value)}%`);
  const rows = summary.help.map((row) => {
    const cells = [String(row.episodes), share(row.success_helped), share(row.success_alone),
      row.interventions.toFixed(1), secondsText(row.human_sec), share(row.human_share), String(row.hints), String(row.answers),
      String(row.confirmations), String(row.refusals)];
    return make("tr", { role: "row" }, cell("Agent", row.agent, "agent"),
      ...cells.map((content, index) => cell(headings[index + 1], content, "number")));
  });
  const headCells = headings.map((name) => headCell(name, HELP_MEANINGS[name]));
  place.append(make("details", { class: "panel", open: isWide() },
    make("summary", {}, "Help"),
    make("table", { role: "table" },
      make("caption", {}, "Help"),
      make("thead", { role: "rowgroup" }, make("tr", { role: "row" }, ...headCells)),
      make("tbody", { role: "rowgroup" }, ...rows)),
    meaningList(Object.entries(HELP_MEANINGS))));
}
