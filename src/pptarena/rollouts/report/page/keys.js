// Keyboard shortcuts and buttons.

const LAST = Number.MAX_SAFE_INTEGER;
const MIN_VISIBLE_PX = 200;

const KEYS = {
  ArrowLeft: () => goTo(shown.step - 1),
  ArrowRight: () => goTo(shown.step + 1),
  Home: () => goTo(0),
  End: () => goTo(LAST),
  " ": togglePlaying,
  a: () => toggle("action"),
  m: () => toggle("marks"),
  t: () => toggle("tree"),
  z: () => toggle("zoom"),
  n: () => openNeighbor(1),
  p: () => openNeighbor(-1),
  "/": () => byId("search").select(),
  "?": () => byId("help").showModal(),
};

const SCROLLING = new Set(["Home", "End", " "]);
const PAGE_KEYS = new Set(["/", "?"]);

/** Return whether any part of the episode is visible. */
function isViewerVisible() {
  const { top, bottom } = byId("viewer").getBoundingClientRect();
  return top < innerHeight - MIN_VISIBLE_PX && bottom > MIN_VISIBLE_PX;
}

const BUTTONS = {
  first: KEYS.Home, back: KEYS.ArrowLeft, play: togglePlaying, forward: KEYS.ArrowRight, last: KEYS.End,
  "show-action": KEYS.a, "show-marks": KEYS.m, "show-tree": KEYS.t, zoom: KEYS.z,
  "previous-episode": KEYS.p, "next-episode": KEYS.n, "help-button": KEYS["?"], theme: switchTheme,
  "open-tree": () => openTree(true), "close-tree": () => openTree(false),
};

function openNeighbor(direction) {
  const id = neighbor(shown.id, direction);
  if (id === undefined) return;
  history.pushState(null, "", `#episode=${id}`);  // does not scroll, unlike opening the address
  openEpisode(id).catch(showTrouble);
}

function openTree(open) {
  for (const part of byId("tree").querySelectorAll("details")) part.open = open;
}

function switchTheme() {
  const root = document.documentElement;
  const isDark = root.dataset.theme
    ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
}

/** Return whether the focused element handles a key itself. */
function wantsKey(target, key) {
  if (target.closest("input[type=search], select, dialog")) return key !== "Escape";
  if (target.closest("input[type=range]")) return ["ArrowLeft", "ArrowRight", "Home", "End"].includes(key);
  return key === " " && target.closest("button, summary, a") !== null;
}

function onKey(event) {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || !shown.episode) return;
  if (key === "Escape" && target === byId("search")) target.blur();
  if (byId("help").open || byId("large").open || wantsKey(target, key)) return;
  const action = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
  if (!action) return;
  const isViewerKey = !PAGE_KEYS.has(key);
  // If the episode is not visible, these keys scroll the page as usual.
  if (isViewerKey && SCROLLING.has(key) && !isViewerVisible()) return;
  event.preventDefault();
  action();
  if (isViewerKey && !isViewerVisible()) byId("viewer").scrollIntoView();
}

function listen() {
  document.addEventListener("keydown", onKey);
  for (const [id, action] of Object.entries(BUTTONS)) byId(id).addEventListener("click", () => action());
  byId("scrubber").addEventListener("input", () => goTo(Number(byId("scrubber").value)));
  for (const id of ["search", "outcome", "order"]) byId(id).addEventListener("input", filterEpisodes);
  byId("search").addEventListener("keydown", ({ key }) => {
    if (key === "Enter" && shownEpisodes.length) location.hash = `episode=${shownEpisodes[0].id}`;
  });
  byId("episode-list").addEventListener("click", () => {
    // On a phone the list is above the episode.
    if (!isWide()) byId("viewer").scrollIntoView();
  });
  new ResizeObserver(() => {
    if (!shown.episode) return;
    drawOverlay();
    showCurve(byId("curve"), shown.episode, shown.step, goTo);
  }).observe(byId("stage"));
}
