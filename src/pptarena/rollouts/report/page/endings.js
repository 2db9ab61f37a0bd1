// How episodes ended: one table over all agents, and the filter of the list of episodes.

const SUMS = ["repeats", "without_effect", "refused"];

function labelOf(name) {
  const { label } = summary.terms[name];
  return label[0].toUpperCase() + label.slice(1);
}

/** Return the names of endings or causes that occur, in their order. */
function namesOf(part) {
  const names = Object.keys(summary.endings[0]?.[part] ?? {});
  return names.filter((name) => summary.endings.some((row) => row[part][name]));
}

function showEndings(place) {
  const endings = namesOf("endings");
  const causes = namesOf("causes");
  if (!endings.length) return;
  const sums = SUMS.filter((name) => summary.endings.some((row) => row[name]));
  const body = summary.endings.map((row) => make("tr", { role: "row" },
    cell("Agent", row.agent, "agent"),
    cell("Episodes", String(row.episodes), "number"),
    ...endings.map((name) => cell(labelOf(name), plainCount(row.endings[name]), "number")),
    ...causes.map((name) => cell(labelOf(name), plainCount(row.causes[name]), "number cause")),
    ...sums.map((name) => cell(labelOf(name), plainCount(row[name]), "number"))));
  const terms = [...endings, ...causes, ...sums];
  const meanings = terms.map((name) => [labelOf(name), summary.terms[name].meaning]);
  const headCells = [headCell("Agent"), headCell("Episodes", "Episodes of the agent, without infrastructure failures."),
    ...terms.map((name, index) => headCell(...meanings[index], causes.includes(name) ? "cause" : undefined))];
  const title = "How episodes ended";
  place.append(make("details", { class: "panel", open: isWide() },
    make("summary", {}, title),
    make("table", { role: "table", class: "endings" },
      make("caption", {}, title),
      make("thead", { role: "rowgroup" }, make("tr", { role: "row" },
        ...headCells)),
      make("tbody", { role: "rowgroup" }, ...body)),
    meaningList(meanings)));
}

function plainCount(number) {
  return make("span", { class: number ? "" : "muted" }, String(number));
}

/** Add the endings and causes of failures to the filter of outcomes. */
function fillEndings(select) {
  for (const [label, part] of [["Ending", "endings"], ["Cause", "causes"]]) {
    const names = namesOf(part).filter((name) => !["solved", "unscored"].includes(name));
    if (!names.length) continue;
    select.append(make("optgroup", { label },
      ...names.map((name) => make("option", { value: `${part}:${name}` }, labelOf(name)))));
  }
}

function hasOutcome(entry, outcome) {
  const [part, name] = outcome.split(":");
  if (part === "endings") return entry.ending === name;
  if (part === "causes") return entry.cause === name;
  return outcomeOf(entry) === outcome;
}
