// The table of model costs: tokens, money, seconds.

const COST_MEANINGS = {
  Episodes: "Episodes of the model, unscored and failed ones included.",
  Requests: "Requests to the model's service, in all episodes.",
  "Tokens in": "Tokens of the requests, in all episodes.",
  "Tokens out": "Tokens of the replies, in all episodes.",
  "Bad answers": "Replies without a valid action.",
  Cost: "Cost of all tokens in US dollars, if the prices are set.",
  "Model, a step": "Mean time that the model takes for a step.",
  "Environment, a step": "Mean time of everything else for a step: environment, scoring and the share of the reset.",
};

function showCosts(place) {
  if (!summary.costs.length) return;
  const head = ["Agent", ...Object.keys(COST_MEANINGS)];
  const rows = summary.costs.map(({ agent, episodes, steps, usage, cost_usd: cost, environment_sec: rest }) => {
    const each = (seconds) => secondsText(seconds / Math.max(steps, 1));
    const cells = [String(episodes), String(usage.requests), String(usage.input_tokens), String(usage.output_tokens),
      count(usage.malformed), cost ? `${cost.toFixed(4)} USD` : "–", each(usage.model_sec), each(rest)];
    return make("tr", { role: "row" }, cell("Agent", agent, "agent"),
      ...cells.map((content, index) => cell(head[index + 1], content, "number")));
  });
  const heads = head.map((name) => headCell(name, COST_MEANINGS[name]));
  place.append(make("details", { class: "panel", open: isWide() },
    make("summary", {}, "Models"),
    make("table", { role: "table" },
      make("caption", {}, "Models"),
      make("thead", { role: "rowgroup" }, make("tr", { role: "row" }, ...heads)),
      make("tbody", { role: "rowgroup" }, ...rows)),
    meaningList(Object.entries(COST_MEANINGS))));
}
