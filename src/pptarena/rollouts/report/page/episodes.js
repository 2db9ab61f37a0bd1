// The list of episodes: search, filter by outcome, sort.

const ORDERS = {
  low: (a, b) => (a.score ?? 2) - (b.score ?? 2),
  high: (a, b) => (b.score ?? -1) - (a.score ?? -1),
  long: (a, b) => b.steps - a.steps,
};

let shownEpisodes = [];

function fillEpisodes() {
  fillEndings(byId("outcome"));
  for (const listed of summary.episodes) {
    const { id, task, agent, seed, difficulty, edit_types: types, steps, end, ending, cause, attempt } = listed;
    const again = attempt > 1 ? ` · attempt ${attempt}` : "";
    listed.link = make("a", { href: `#episode=${id}` },
      make("span", { class: "task" }, task),
      scoreChip(listed),
      make("span", { class: "muted small" }, `${agent} · seed ${seed}${again} · ${plural(steps, "action")}`));
    listed.item = make("li", {}, listed.link);
    listed.words = [task, agent, `seed ${seed}`, difficulty, ...types, end, ending, cause,
      summary.terms[ending]?.label, summary.terms[cause]?.label].join(" ").toLowerCase();
  }
  filterEpisodes();
}

function filterEpisodes() {
  const wanted = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const outcome = byId("outcome").value;
  shownEpisodes = summary.episodes.filter((listed) =>
    (!outcome || hasOutcome(listed, outcome)) && wanted.every((word) => listed.words.includes(word)));
  const order = ORDERS[byId("order").value];
  if (order) shownEpisodes.sort(order);
  byId("episode-list").replaceChildren(...shownEpisodes.map(({ item }) => item));
  const all = summary.episodes.length;
  byId("episode-count").textContent =
    shownEpisodes.length === all ? String(all) : `${shownEpisodes.length} of ${all}`;
}

function markCurrentEpisode(id) {
  const list = byId("episode-list");
  for (const listed of summary.episodes) {
    if (listed.id === id) listed.link.setAttribute("aria-current", "true");
    else listed.link.removeAttribute("aria-current");
  }
  const { item } = summary.episodes[id];
  if (!item.isConnected) return;
  const offset = item.getBoundingClientRect().top - list.getBoundingClientRect().top;
  if (offset < 0 || offset > list.clientHeight - item.clientHeight) list.scrollTop += offset - 80;
}

/** Return the previous (-1) or next (+1) episode in the displayed list. */
function neighbour(id, way) {
  const place = shownEpisodes.findIndex((listed) => listed.id === id);
  return shownEpisodes[place + way]?.id ?? (place < 0 ? shownEpisodes[0]?.id : undefined);
}
