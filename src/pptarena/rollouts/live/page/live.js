// The live page: tiles of all environments, and one in full.

const tiles = new Map();
const names = ["pause", "resume", "step", "speed", "stop", "take", "hand_back", "propose", "hint", "answer", "allow", "refuse", "input"];
let socket = null;
let selected = null;
let full = null;
let follow = location.hash === "#follow";
let lastQuestion = "";
let lastValues = {};
const MAX_CURVE = 400;
const MAX_TILE_OUTLINE = 600;

function send(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

const isOn = (name) => byId(name).getAttribute("aria-pressed") === "true";

/** Request what the page shows: elements are sent only to a page that shows them. */
function watch() {
  send({ type: "watch", station: selected, tree: isOn("show-marks") || byId("tree-details").open });
}

function control(what, more = {}) {
  if (selected && names.includes(what)) send({ type: "control", station: selected, what, ...more });
}

/** Return whether a value differs from the last one of this name; unchanged parts keep their scroll position. */
function isNew(name, value) {
  const text = JSON.stringify(value);
  const changed = lastValues[name] !== text;
  lastValues[name] = text;
  return changed;
}

/** Show a picture from the server and free the previous one. */
function showPicture(image, data, type) {
  const before = image.src;
  image.src = URL.createObjectURL(new Blob([data], { type }));
  if (before.startsWith("blob:")) URL.revokeObjectURL(before);
}

function connect() {
  socket = new WebSocket(new URL("ws", location.href.replace(/^http/, "ws")));
  socket.binaryType = "arraybuffer";
  socket.onopen = () => {
    showConnection("connected", true);
    if (selected) watch();
  };
  socket.onclose = () => {
    showConnection("not connected", false);
    for (const name of [...tiles.keys()]) removeTile(name);
    setTimeout(connect, 1000);
  };
  socket.onmessage = ({ data }) => receive(data);
}

function showConnection(text, isOn) {
  byId("connection").textContent = text;
  byId("connection").classList.toggle("on", isOn);
}

function receive(data) {
  if (typeof data === "string") {
    removeTile(JSON.parse(data).station);
    return;
  }
  const length = new DataView(data).getUint32(0);
  const message = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length)));
  const picture = new Uint8Array(data, 4 + length);
  if (message.type === "tile") showTile(message, picture);
  else if (message.station === selected) showFull(message, picture);
}

function stateText({ status, over }) {
  if (over) return "ended";
  if (status.question !== null) return "waits for an answer";
  if (status.risk !== null) return "waits for a confirmation";
  if (status.proposal !== null) return "waits for a decision";
  if (status.owned) return "person plays";
  if (status.held) return "person in control";
  return status.paused ? "paused" : "running";
}

function showTile(message, picture) {
  let tile = tiles.get(message.station);
  if (!tile) {
    tile = { image: make("img", { alt: "" }), outline: make("span", { class: "tile-outline" }), title: make("span", { class: "tile-title" }),
      facts: make("span", { class: "tile-facts" }) };
    tile.button = make("button", { type: "button", class: "tile" }, tile.image, tile.outline,
      make("span", { class: "tile-text" }, tile.title, tile.facts));
    tile.button.addEventListener("click", () => select(message.station));
    tiles.set(message.station, tile);
    byId("tiles").append(tile.button);
    showCount();
  }
  const onScreen = message.outline === undefined;
  tile.image.hidden = !onScreen;
  tile.outline.hidden = onScreen;
  if (onScreen) showPicture(tile.image, picture, "image/jpeg");
  else tile.outline.textContent = visible(message.outline);
  showTileFacts(tile, message);
  if (follow && !selected) select(message.station);
}

function showTileFacts(tile, message) {
  tile.title.textContent = visible(message.task);
  tile.facts.replaceChildren(
    make("span", { class: `chip ${ruleOutcome(message.score)}` }, scoreText(message.score)),
    make("span", {}, `${message.agent || "agent"}, ${plural(message.step, "action")}, ${stateText(message)}`));
}

/** Keep the tile of the selected environment up to date: the server sends only its complete state. */
function showOnTile(message) {
  const tile = tiles.get(message.station);
  if (!tile) return;
  showTileFacts(tile, message);
  if (message.outline === undefined) tile.image.src = byId("picture").src;
  else tile.outline.textContent = visible(message.outline.slice(0, MAX_TILE_OUTLINE));
}

function removeTile(name) {
  const tile = tiles.get(name);
  if (!tile) return;
  URL.revokeObjectURL(tile.image.src);
  tile.button.remove();
  tiles.delete(name);
  showCount();
  if (name === selected && socket?.readyState === WebSocket.OPEN) {
    byId("state").textContent = "closed";
    setEnabled(false);
  }
}

function showCount() {
  byId("count").textContent = tiles.size ? plural(tiles.size, "environment") : "No environments";
  byId("empty").hidden = tiles.size > 0 || selected !== null;
}

function select(name) {
  selected = name;
  full = null;
  lastValues = {};
  byId("detail").hidden = name === null;
  byId("tiles").classList.toggle("small", name !== null);
  for (const [each, tile] of tiles) tile.button.setAttribute("aria-current", String(each === name));
  tiles.get(name)?.button.scrollIntoView({ block: "nearest", inline: "nearest" });
  if (name === null) follow = false;
  watch();
  showCount();
}

function showFull(message, picture) {
  full = message;
  const { status, task, agent, score, step, windows } = message;
  byId("task").textContent = visible(task);
  byId("score").replaceChildren(make("span", { class: `chip ${ruleOutcome(score)}` }, scoreText(score)));
  byId("state").textContent = stateText(message);
  const help = status.help.interventions === undefined ? "" :
    ` · helped: ${plural(status.help.human_steps, "action")} by a person`;
  const place = message.outline === undefined ? windows[0] ?? "no window" : "document";
  byId("facts").textContent = visible(
    `${agent || "agent"} · ${plural(step, "action")} · ${place}${help}`);
  byId("instruction").textContent = visible(message.instruction);
  const onScreen = message.outline === undefined;
  byId("stage").hidden = !onScreen && !picture.length;
  if (picture.length) showPicture(byId("picture"), picture, "image/png");
  byId("stage-column").classList.toggle("on-document", !onScreen);
  byId("caption").hidden = !onScreen;
  byId("outline-panel").hidden = byId("result-panel").hidden = onScreen;
  if (!onScreen) showDocument(message);
  byId("screen-tools").hidden = byId("tree-details").hidden = !onScreen;
  if (onScreen) showMarks();
  else byId("overlay").replaceChildren();
  showQuestion(status.question);
  showDecision(status);
  showControls(message);
  if (isNew("scores", message.scores)) showScores(message);
  if (isNew("rubric", message.rubric)) {
    showRubric(byId("rubric"), { now: message.rubric.score === undefined ? null : message.rubric });
  }
  if (isNew("actions", message.actions)) showActions(message);
  if (isNew("model", message.model)) showModel(message.model);
  if (byId("tree-details").open && isNew("nodes", message.nodes)) showNodes();
  byId("node-count").textContent = String(message.node_count ?? 0);
  showOnTile(message);
}

function showControls({ status, over }) {
  const { controlled, owned, held, paused, pending } = status;
  const canAct = (held || owned) && !over;
  setEnabled(controlled && !over);
  byId("controls").hidden = owned || !controlled;
  byId("hint-form").hidden = owned || !controlled;
  byId("finish").hidden = !owned || over;
  byId("pause").textContent = paused ? "Resume" : "Pause";
  byId("take").textContent = held ? "Hand back" : "Take control";
  byId("take").setAttribute("aria-pressed", String(held));
  byId("propose").hidden = !held;
  byId("propose").disabled = over || status.proposal_wanted || status.proposal !== null;
  byId("step").disabled ||= held;
  const onScreen = full.outline === undefined;
  byId("stage").classList.toggle("held", canAct && onScreen);
  byId("call-form").hidden = !canAct || onScreen;
  if (document.activeElement !== byId("speed")) byId("speed").value = String(status.delay_sec);
  const waiting = pending ? ` ${plural(pending, "action")} waiting.` : "";
  byId("input-help").textContent = canAct && onScreen
    ? `Click the screen, then use mouse and keyboard. Moving the pointer alone is not an action.${waiting}` : "";
}

/** Show a risky action, or what the agent would do while a person has control. */
function showDecision({ risk, proposal }) {
  byId("risk").hidden = risk === null && proposal === null;
  byId("risk-label").textContent = risk === null ? "The agent proposes:" : "The agent wants an action that";
  const text = proposal === null ? "" : proposal.call ? callText(proposal.call) : actionText(proposal);
  byId("risk-text").textContent = visible(risk ?? text);
}

function setEnabled(isOn) {
  for (const name of ["pause", "step", "take", "stop", "speed", "done", "fail"]) byId(name).disabled = !isOn;
}

function showQuestion(question) {
  byId("question").hidden = question === null;
  byId("question-text").textContent = visible(question ?? "");
  if (question !== null && question !== lastQuestion) byId("answer").focus();
  lastQuestion = question ?? "";
}

function showMarks() {
  const overlay = byId("overlay");
  const [width, height] = full.screen;
  const unit = width / Math.max(overlay.clientWidth, 300);
  overlay.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const shapes = [];
  if (isOn("show-marks")) {
    const nodes = full.nodes ?? [];
    const tree = { elements: nodes.map((node) => node[5]), nodes: [...nodes.keys()] };
    shapes.push(drawMarks(tree, nodes, { width, height }, unit));
  }
  const last = full.status.proposal ?? full.actions.at(-1);
  if (last?.point_px) shapes.push(drawAction(last, { width, height }, unit));
  overlay.replaceChildren(...shapes);
}

function showScores({ scores }) {
  const recent = scores.slice(-MAX_CURVE - 1);
  const steps = recent.slice(1).map((score, index) => ({
    step: index, score, action_error: null,
    reward: score === null || recent[index] === null ? 0 : score - recent[index],
  }));
  if (!steps.length) {
    byId("curve").replaceChildren(make("p", { class: "muted small" }, "No action yet"));
    return;
  }
  showCurve(byId("curve"), { steps, meta: { reward: "dense" } }, steps.length, () => {});
}

function callText({ tool, arguments: values, refused }) {
  return tool ? `${tool} ${truncate(JSON.stringify(values), 400)}` : `no call: ${truncate(refused, 400)}`;
}

function showActions({ actions }) {
  const rows = [...actions].reverse().map((row) => make("li", {},
    make("span", { class: "number" }, `${row.step + 1}`),
    row.by === "person" ? make("span", { class: "tag news" }, "person") : null,
    make("span", {}, row.call ? callText(row.call) : actionText(row)),
    Math.abs(row.reward) > 1e-9
      ? make("span", { class: row.reward > 0 ? "gain" : "loss" }, ` ${row.reward > 0 ? "+" : ""}${row.reward.toFixed(3)}`) : null,
    row.call && !row.error ? make("span", { class: "result" }, truncate(row.call.result, 400)) : null,
    row.error ? make("span", { class: "refusal" }, row.error) : null));
  byId("actions").replaceChildren(...(rows.length ? rows : [make("li", { class: "muted small" }, "No action yet")]));
  const last = actions.at(-1);
  byId("caption").replaceChildren(...(last?.action ? actionCaption(last) : [make("span", {}, "No action yet")]));
}

function showModel({ messages = [], count = 0, cost_usd: cost = null }) {
  byId("model-panel").hidden = !count;
  byId("cost").textContent = `${plural(count, "reply").replace("replys", "replies")}${cost === null ? "" : `, $${cost.toFixed(4)}`}`;
  byId("messages").replaceChildren(...[...messages].reverse().map((message) => make("li", {},
    message.thought ? make("p", { class: "thought" }, message.thought) : null,
    message.text ? make("p", {}, message.text) : null,
    ...(message.calls ?? []).map((call) => make("p", {}, `${call.name} ${JSON.stringify(call.arguments)}`)),
    message.error ? make("p", { class: "refusal" }, message.error) : null)));
}

function showNodes() {
  byId("nodes").replaceChildren(...(full.nodes ?? []).map(([depth, role, name, text, , element]) =>
    make("li", { class: `node depth-${Math.min(depth, 6)}` },
      element ? make("span", { class: `badge mark-${(element - 1) % 8}` }, String(element)) : null,
      make("span", { class: "role" }, role), make("span", { class: "name" }, name),
      text && text !== name ? make("span", {}, text) : null)));
}

function onClick(name, work) {
  byId(name).addEventListener("click", work);
}

onClick("back", () => select(null));
onClick("pause", () => control(full?.status.paused ? "resume" : "pause"));
onClick("step", () => control("step"));
onClick("stop", () => control("stop"));
onClick("take", () => {
  control(full?.status.held ? "hand_back" : "take");
  byId("screen").focus();
});
onClick("propose", () => control("propose"));
onClick("allow", () => control("allow"));
onClick("show-marks", ({ currentTarget: button }) => {
  button.setAttribute("aria-pressed", String(!isOn("show-marks")));
  watch();
  if (full) showMarks();
});
byId("speed").addEventListener("change", () => control("speed", { delay_sec: Number(byId("speed").value) }));
byId("tree-details").addEventListener("toggle", watch);
for (const [form, field, what] of [["question", "answer", "answer"], ["risk", "refusal", "refuse"], ["hint-form", "hint", "hint"]]) {
  byId(form).addEventListener("submit", (event) => {
    event.preventDefault();
    control(what, { text: byId(field).value });
    byId(field).value = "";
  });
}
connect();
