// The table of episodes with help.

function showHelp(place) {
  if (!summary.help.length) return;
  const head = ["Agent", "Episodes with help", "Solved with help", "Solved alone", "Interventions, an episode",
    "Human time, an episode", "Human actions", "Hints", "Answers",
    "Confirmations", "Refusals"];
  const share = (value) => (value === null ? "–" : `${Math.round(100 * value)}%`);
  const rows = summary.help.map((row) => {
    const cells = [String(row.episodes), share(row.success_helped), share(row.success_alone),
      row.interventions.toFixed(1), secondsText(row.human_sec), share(row.human_share), String(row.hints), String(row.answers),
      String(row.confirmations), String(row.refusals)];
    return make("tr", { role: "row" }, cell("Agent", row.agent, "agent"),
      ...cells.map((content, index) => cell(head[index + 1], content, "number")));
  });
  const heads = head.map((name) => make("th", { scope: "col", role: "columnheader" }, name));
  place.append(make("details", { class: "panel", open: isWide() },
    make("summary", {}, "Help"),
    make("table", { role: "table" },
      make("caption", {}, "Help"),
      make("thead", { role: "rowgroup" }, make("tr", { role: "row" }, ...heads)),
      make("tbody", { role: "rowgroup" }, ...rows))));
}
