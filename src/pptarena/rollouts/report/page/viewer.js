// The episode viewer: shows the current step.

const PLAY_MS = 900;

const shown = {
  id: -1, episode: null, step: 0, marks: false, action: true, tree: true, zoom: false, timer: 0, address: 0,
};

async function openEpisode(id, step = 0) {
  if (shown.id !== id || !shown.episode) {
    stopPlaying();
    clearTimeout(shown.address);  // the timer would set the step of the previous episode
    shown.id = id;
    shown.episode = null;
    document.body.removeAttribute("data-ready");
    const episode = await loadEpisode(id);
    if (shown.id !== id) return;  // another episode was opened meanwhile
    shown.episode = episode;
    byId("viewer").classList.toggle("no-steps", !episode.steps.length);
    showHead(episode.meta, summary.episodes[id]);
    showSlides(byId("slides"), episode.slides);
    showTimes(byId("times"), episode);
    showDownloads(byId("downloads"), episode);
    markCurrentEpisode(id);
    byId("scrubber").max = episode.views.length - 1;
  }
  await showStep(step);
}

function showHead(meta, entry) {
  byId("episode-title").textContent = visible(meta.task);
  byId("episode-score").replaceChildren(scoreChip(entry));
  byId("episode-facts").textContent = visible([
    meta.agent, `seed ${meta.seed}`, meta.difficulty, meta.level, meta.edit_types.join(", "),
    meta.feasible ? "" : "infeasible", `${meta.steps} of at most ${plural(meta.max_steps, "action")}`,
    `ended by ${meta.end === "budget" ? "the step limit" : meta.end}`,
    entry.ending === "solved" ? "" : summary.terms[entry.ending]?.label, summary.terms[entry.cause]?.label,
    entry.repeats ? plural(entry.repeats, "repeated action") : "", `${meta.run_sec.toFixed(1)} s`,
  ].filter(Boolean).join(" · "));
  byId("instruction").textContent = visible(meta.instruction);
  const notices = [];
  if (meta.infra_error) notices.push(`The infrastructure failed, so this attempt has no score: ${meta.infra_error}`);
  if (meta.overload) notices.push(`The application failed, or the deck cannot be opened: ${meta.overload}`);
  if (meta.agent_error) notices.push(`The agent raised an error: ${meta.agent_error}`);
  if (!meta.infra_error && meta.score === null) notices.push("The final deck could not be scored.");
  byId("episode-notices").replaceChildren(...notices.map((text) => make("p", { class: "notice bad" }, text)));
}

async function showStep(requested) {
  const { episode } = shown;
  const last = episode.views.length - 1;
  shown.step = Math.min(Math.max(requested, 0), last);
  const view = episode.views[shown.step];
  const step = episode.steps[shown.step];
  byId("scrubber").value = shown.step;
  byId("scrubber").setAttribute("aria-valuetext", positionText(shown.step, last));
  byId("place").textContent = last ? `${shown.step === last ? "end" : shown.step + 1} / ${last}` : "no steps";
  showCaption(step, shown.step, last);
  showCurve(byId("curve"), episode, shown.step, goTo);
  showModel(byId("model-panel"), byId("model"), episode, shown.step);
  showRubricPanel(episode, Math.min(shown.step, last - 1));
  showTreePanel(view, step);
  byId("raw-step").textContent = step ? visible(JSON.stringify(step, null, 1)) : "The screen after the last action.";
  updateAddress();
  const picture = await showPicture(view);
  if (!picture) return;
  prepareScreen(episode.views[shown.step + 1]?.screen);
  document.body.dataset.ready = `${shown.id}/${shown.step}`;
}

/** Put the step into the address, delayed so that a held key does not update it at every step. */
function updateAddress() {
  clearTimeout(shown.address);
  shown.address = setTimeout(() => {
    history.replaceState(null, "", `#episode=${shown.id}&step=${shown.step}`);
  }, 300);
}

function positionText(step, last) {
  if (!last) return "No actions are stored";
  return step === last ? `After the last of ${plural(last, "action")}` : `Action ${step + 1} of ${last}`;
}

function showCaption(step, number, last) {
  const caption = step ? actionCaption(step) : [make("span", {}, last ? "After the last action" : "No actions")];
  byId("caption").replaceChildren(...caption);
  const parts = [positionText(number, last)];
  if (step) {
    const reward = `${step.reward < 0 ? "−" : "+"}${Math.abs(step.reward).toFixed(3)}`;
    parts.push(step.by === "person" ? "chosen by a person" : "", step.slide ? `slide ${step.slide}` : "", `reward ${reward}`, `score then ${scoreText(step.score)}`, ...stepTimes(step));
  }
  const refusal = step?.action_error;
  byId("outcome-text").replaceChildren(parts.filter(Boolean).join(" · "),
    refusal ? make("span", { class: "refusal" }, `Refused: ${refusal}`) : "");
}

async function showPicture({ screen, missing }) {
  const canvas = byId("picture");
  const note = byId("no-picture");
  canvas.hidden = !screen;
  note.hidden = !missing.length;
  note.textContent = visible(missing.join("; "));
  byId("overlay").replaceChildren();
  if (!screen) return true;
  canvas.setAttribute("aria-label", `Screen, ${positionText(shown.step, shown.episode.views.length - 1)}`);
  if (!await drawScreen(canvas, screen)) return false;
  drawOverlay();
  if (shown.zoom) bringActionIntoView();
  return true;
}

/** Draw action and marks; line widths do not scale with the picture. */
function drawOverlay(highlighted = null) {
  const { episode } = shown;
  const view = episode?.views[shown.step];
  if (!view?.screen) return;
  const { screen, tree } = view;
  const overlay = byId("overlay");
  overlay.setAttribute("viewBox", `0 0 ${screen.width} ${screen.height}`);
  const unit = screen.width / Math.max(byId("picture").clientWidth, 1);
  const step = episode.steps[shown.step];
  const layers = [];
  if (shown.marks && tree) layers.push(drawMarks(tree, episode.nodes, screen, unit));
  if (shown.action && step) layers.push(drawAction(step, screen, unit));
  if (highlighted) {
    layers.push(draw("rect", { ...visibleBox(highlighted, screen), class: "highlight", "stroke-width": 2 * unit }));
  }
  overlay.replaceChildren(...layers);
}

function bringActionIntoView() {
  const point = shown.episode.steps[shown.step]?.point_px;
  const frame = byId("screen-frame");
  if (point) frame.scrollTo(point[0] - frame.clientWidth / 2, point[1] - frame.clientHeight / 2);
}

function showRubricPanel(episode, step) {
  const rubric = rubricAt(episode.rubrics, step);
  const missing = step < 0 ? "at the end" : "at the end; it is not stored for this step";
  const when = rubric.stored ? `after action ${step + 1}` : missing;
  byId("rubric-when").textContent = rubric.now ? when : "";
  showRubric(byId("rubric"), rubric);
}

function showTreePanel({ tree, missing }, step) {
  byId("tree-panel").hidden = !shown.tree;
  const { nodes } = shown.episode;
  byId("tree-size").textContent = visible(tree
    ? `${plural(tree.nodes.length, "node")}, ${plural(tree.elements.filter(Boolean).length, "element")}` +
      (tree.reason ? ` (truncated: ${tree.reason})` : "")
    : "");
  if (!shown.tree) return;
  if (tree) showTree(byId("tree"), tree, nodes, targetRow(tree, nodes, step), drawOverlay);
  else byId("tree").replaceChildren(make("p", { class: "muted" }, missing.join("; ")));
}

function showDownloads(place, { meta, steps, rubrics }) {
  const lines = (values) => values.map((value) => JSON.stringify(value)).join("\n");
  const files = [
    ["meta.json", () => JSON.stringify(meta, null, 1)],
    ["traj.jsonl", () => lines(steps)],
    ["rubrics.jsonl", () => lines(rubrics.map(([step, rubric]) => ({ step, rubric })))],
    ["tree.json", () => JSON.stringify(treeJson(shown.episode, shown.step), null, 1)],
  ];
  place.replaceChildren(...files.map(([name, text]) => {
    const link = make("a", { href: "#", download: name }, name === "tree.json" ? "tree of this step" : name);
    link.addEventListener("click", () => {
      const url = URL.createObjectURL(new Blob([text()], { type: "application/json" }));
      link.href = url;
      setTimeout(() => URL.revokeObjectURL(url), 10_000);
    });
    return link;
  }));
}

function treeJson({ views, nodes }, step) {
  const { tree } = views[step];
  return tree?.nodes.map((number, row) => {
    const [role, name, text, description, box, states] = nodes[number];
    const element = tree.elements[row];
    return { depth: tree.depths[row], role, name, text, description, box, states: states.split(" "), element };
  }) ?? null;
}

function goTo(step) {
  stopPlaying();
  showStep(step);
}

function stopPlaying() {
  clearInterval(shown.timer);
  shown.timer = 0;
  byId("play").setAttribute("aria-pressed", "false");
}

function togglePlaying() {
  if (shown.timer) return stopPlaying();
  const last = shown.episode.views.length - 1;
  if (shown.step === last) showStep(0);
  byId("play").setAttribute("aria-pressed", "true");
  shown.timer = setInterval(() => {
    if (shown.step >= last) stopPlaying();
    else showStep(shown.step + 1);
  }, PLAY_MS);
}

function toggle(name) {
  shown[name] = !shown[name];
  byId(name === "zoom" ? "zoom" : `show-${name}`).setAttribute("aria-pressed", String(shown[name]));
  if (name === "tree") showTreePanel(shown.episode.views[shown.step], shown.episode.steps[shown.step]);
  if (name === "zoom") {
    byId("stage").classList.toggle("zoomed", shown.zoom);
    if (shown.zoom) bringActionIntoView();
  }
  drawOverlay();
}
