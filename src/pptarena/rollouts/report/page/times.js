// Time breakdown of an episode, and the cost of its model.

function secondsText(seconds) {
  if (seconds >= 600) return `${(seconds / 60).toFixed(1)} min`;
  return seconds >= 10 ? `${seconds.toFixed(0)} s` : `${seconds.toFixed(2)} s`;
}

function showTimes(place, { meta, model }) {
  const agent = Math.min(meta.agent_sec, meta.run_sec);
  const parts = [
    ["reset", meta.reset_sec], [model ? "model" : "agent", agent], ["environment", meta.run_sec - agent],
  ];
  const totalSec = Math.max(parts.reduce((sum, [, seconds]) => sum + seconds, 0), 1e-9);
  let end = 0;
  const bars = parts.map(([name, seconds], index) => {
    const width = (100 * seconds) / totalSec;
    end += width;
    return draw("rect", { x: end - width, width, y: 0, height: 10, class: `time-${index}` },
      draw("title", {}, `${name} ${secondsText(seconds)}`));
  });
  const legend = parts.map(([name, seconds], index) => make("li", {},
    make("span", { class: `swatch time-${index}`, "aria-hidden": "true" }),
    `${name} ${secondsText(seconds)} (${Math.round((100 * seconds) / totalSec)} %)`));
  place.replaceChildren(
    draw("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" }, ...bars),
    make("ul", {}, ...legend),
    ...(model?.record ? [make("p", { class: "muted small" }, costText(model.record))] : []));
}

function costText({ usage, cost_usd: cost }) {
  const malformed = usage.malformed
    ? `${plural(usage.malformed, "invalid reply").replace("replys", "replies")} without a valid action (${usage.cut_off} cut off, ${usage.refused} refused)` : "";
  return [
    plural(usage.requests, "request"),
    `${usage.input_tokens} tokens in, ${usage.output_tokens} out`,
    cost ? `${cost.toFixed(4)} USD` : "", malformed,
  ].filter(Boolean).join(" · ");
}

function stepTimes({ timing }) {
  const isKnown = (name) => typeof timing[name] === "number";
  return [
    isKnown("agent") ? `agent ${secondsText(timing.agent)}` : "",
    isKnown("total") ? `environment ${secondsText(timing.total)}` : "",
  ];
}
