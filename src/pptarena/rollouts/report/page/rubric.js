// The scored rubric, with the reason of every score.

/** Return the rubric after a step, the rubric before it, and whether it was stored. */
function rubricAt(rubrics, step) {
  const stored = rubrics.filter(([from]) => from <= step);
  if (stored.length) {
    const [from, now] = stored.at(-1);
    return { now, before: from === step ? stored.at(-2)?.[1] : now, stored: true };
  }
  return { now: rubrics.at(-1)?.[1], before: undefined, stored: false };
}

function showRubric(place, { now, before }) {
  if (!now) place.replaceChildren(make("p", { class: "muted" }, "No rubric is stored."));
  else place.replaceChildren(make("ul", { class: "rubric" }, rubricItem(now, before)));
}

function rubricItem(node, before) {
  const children = node.children ?? [];
  const changed = before && before.score !== node.score;
  const label = [
    make("span", { class: `chip ${ruleOutcome(node.score)}` }, node.score === null ? "unscored" : scoreText(node.score)),
    make("span", { class: "rule" }, node.name ?? ""),
    node.critical ? null : make("span", { class: "tag" }, "not critical"),
    "weight" in node ? make("span", { class: "tag" }, `weight ${node.weight}`) : null,
    node.kept !== undefined && node.kept < 1
      ? make("span", { class: "tag bad" }, `× ${scoreText(node.kept)} for damage elsewhere`) : null,
    changed ? make("span", { class: "tag news" }, `was ${scoreText(before.score)}`) : null,
    make("span", { class: "reason" }, node.reason ?? ""),
  ];
  if (!children.length) return make("li", {}, make("div", { class: "rule-line" }, ...label));
  const childItems = children.map((child, index) => rubricItem(child, before?.children?.[index]));
  return make("li", {}, make("details", { open: true },
    make("summary", { class: "rule-line" }, ...label), make("ul", {}, ...childItems)));
}

function ruleOutcome(score) {
  if (score === null || score === undefined) return "unscored";
  if (score >= 1) return "full";
  return score > 0 ? "part" : "none";
}
