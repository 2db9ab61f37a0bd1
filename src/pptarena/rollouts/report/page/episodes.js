// The list of episodes: search, filter by outcome, sort.

const ORDERS = {
  low: (a, b) => (a.score ?? 2) - (b.score ?? 2),
  high: (a, b) => (b.score ?? -1) - (a.score ?? -1),
  long: (a, b) => b.steps - a.steps,
};

let shownEpisodes = [];

function fillEpisodes() {
  fillEndings(byId("outcome"));
  for (const entry of summary.episodes) {
    const { id, task, agent, seed, difficulty, edit_types: types, steps, end, ending, cause, attempt } = entry;
    const attemptText = attempt > 1 ? ` · attempt ${attempt}` : "";
    entry.link = make("a", { href: `#episode=${id}` },
      make("span", { class: "task" }, task),
      scoreChip(entry),
      make("span", { class: "muted small" }, `${agent} · seed ${seed}${attemptText} · ${plural(steps, "action")}`));
    entry.item = make("li", {}, entry.link);
    entry.searchText = [task, agent, `seed ${seed}`, difficulty, ...types, end, ending, cause,
      summary.terms[ending]?.label, summary.terms[cause]?.label].join(" ").toLowerCase();
  }
  filterEpisodes();
}

function filterEpisodes() {
  const searchWords = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const outcome = byId("outcome").value;
  shownEpisodes = summary.episodes.filter((entry) =>
    (!outcome || hasOutcome(entry, outcome)) && searchWords.every((word) => entry.searchText.includes(word)));
  const order = ORDERS[byId("order").value];
  if (order) shownEpisodes.sort(order);
  byId("episode-list").replaceChildren(...shownEpisodes.map(({ item }) => item));
  const all = summary.episodes.length;
  byId("episode-count").textContent =
    shownEpisodes.length === all ? String(all) : `${shownEpisodes.length} of ${all}`;
}

function markCurrentEpisode(id) {
  const list = byId("episode-list");
  for (const entry of summary.episodes) {
    if (entry.id === id) entry.link.setAttribute("aria-current", "true");
    else entry.link.removeAttribute("aria-current");
  }
  const { item } = summary.episodes[id];
  if (!item.isConnected) return;
  const offset = item.getBoundingClientRect().top - list.getBoundingClientRect().top;
  if (offset < 0 || offset > list.clientHeight - item.clientHeight) list.scrollTop += offset - 80;
}

/** Return the previous (-1) or next (+1) episode in the displayed list. */
function neighbor(id, direction) {
  const index = shownEpisodes.findIndex((entry) => entry.id === id);
  return shownEpisodes[index + direction]?.id ?? (index < 0 ? shownEpisodes[0]?.id : undefined);
}
