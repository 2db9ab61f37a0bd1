// Startup of the page.

function showTrouble(error) {
  byId("trouble").hidden = false;
  byId("trouble").textContent = visible(`The report could not be shown: ${error?.message ?? error}`);
}

/** Open the episode and step of the address, `#episode=3&step=12`, and scroll to it. */
function openAddress() {
  const parameters = new URLSearchParams(location.hash.slice(1));
  if (!parameters.has("episode") && shown.episode) return;
  const id = Number(parameters.get("episode") ?? 0);
  const step = Number(parameters.get("step") ?? 0);
  if (!summary.episodes[id] || !Number.isInteger(step)) return;
  const isOpen = id === shown.id && step === shown.step;
  const opened = isOpen ? Promise.resolve() : openEpisode(id, step);
  opened.then(() => parameters.has("episode") && byId("viewer").scrollIntoView()).catch(showTrouble);
}

addEventListener("error", ({ error, message }) => showTrouble(error ?? message));
addEventListener("unhandledrejection", ({ reason }) => showTrouble(reason));

if (typeof DecompressionStream === "undefined") {
  showTrouble("the report needs a browser of 2023 or later");
} else {
  showFacts(byId("facts"));
  showTables(byId("tables"), byId("footnotes"));
  fillEpisodes();
  listen();
  addEventListener("hashchange", openAddress);
  openAddress();
}
