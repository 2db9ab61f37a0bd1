// The table of model costs: tokens, money, seconds.

function showCosts(place) {
  if (!summary.costs.length) return;
  const head = ["Agent", "Episodes", "Requests", "Tokens in", "Tokens out", "Bad answers", "Cost",
    "Model, a step", "Environment, a step"];
  const rows = summary.costs.map(({ agent, episodes, steps, usage, cost_usd: cost, environment_sec: rest }) => {
    const each = (seconds) => secondsText(seconds / Math.max(steps, 1));
    const cells = [String(episodes), String(usage.requests), String(usage.input_tokens), String(usage.output_tokens),
      count(usage.malformed), cost ? `${cost.toFixed(4)} USD` : "–", each(usage.model_sec), each(rest)];
    return make("tr", { role: "row" }, cell("Agent", agent, "agent"),
      ...cells.map((content, index) => cell(head[index + 1], content, "number")));
  });
  const heads = head.map((name) => make("th", { scope: "col", role: "columnheader" }, name));
  place.append(make("details", { class: "panel", open: isWide() },
    make("summary", {}, "Models"),
    make("table", { role: "table" },
      make("caption", {}, "Models"),
      make("thead", { role: "rowgroup" }, make("tr", { role: "row" }, ...heads)),
      make("tbody", { role: "rowgroup" }, ...rows))));
}
