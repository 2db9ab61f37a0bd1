// The table of model costs: tokens, money, seconds.

const COST_MEANINGS = {
  Episodes: "Episodes of the model, including unscored and failed ones.",
  Requests: "Requests to the model's service, in all episodes.",
  "Tokens in": "Tokens of the requests, in all episodes.",
  "Tokens out": "Tokens of the replies, in all episodes.",
  "Malformed replies": "Replies without a valid action.",
  Cost: "Cost of all tokens in US dollars, if prices are configured.",
  "Model per step": "Mean time that the model takes for a step.",
  "Environment per step": "Mean time outside the model for a step: environment, scoring and a share of the reset.",
};

function showCosts(place) {
  if (!summary.costs.length) return;
  const headings = ["Agent", ...Object.keys(COST_MEANINGS)];
  const rows = summary.costs.map(({ agent, episodes, steps, usage, cost_usd: cost, environment_sec: environment }) => {
    const perStep = (seconds) => secondsText(seconds / Math.max(steps, 1));
    const cells = [String(episodes), String(usage.requests), String(usage.input_tokens), String(usage.output_tokens),
      count(usage.malformed), cost ? `${cost.toFixed(4)} USD` : "–", perStep(usage.model_sec), perStep(environment)];
    return make("tr", { role: "row" }, cell("Agent", agent, "agent"),
      ...cells.map((content, index) => cell(headings[index + 1], content, "number")));
  });
  const headCells = headings.map((name) => headCell(name, COST_MEANINGS[name]));
  place.append(make("details", { class: "panel", open: isWide() },
    make("summary", {}, "Models"),
    make("table", { role: "table" },
      make("caption", {}, "Models"),
      make("thead", { role: "rowgroup" }, make("tr", { role: "row" }, ...headCells)),
      make("tbody", { role: "rowgroup" }, ...rows)),
    meaningList(Object.entries(COST_MEANINGS))));
}
