// Mouse and keyboard of a person, collected into the actions of the environment.

const DRAG_PX = 5;
const CLICKS_MS = 260; // the time in which further clicks make a double or triple click
const WHEEL_MS = 150;
const TYPING_MS = 700;
const WHEEL_PX = 100; // of one click of a wheel
const MODIFIERS = [["ctrlKey", "ctrl"], ["altKey", "alt"], ["metaKey", "super"], ["shiftKey", "shift"]];
const KEY_NAMES = { " ": "space", "+": "plus" };
const ONLY_MODIFIERS = new Set(["Control", "Shift", "Alt", "Meta", "AltGraph", "CapsLock", "Dead", "Process", "Unidentified"]);

const screenArea = byId("screen");
let pointerDown = null;
let pendingClicks = null;
let pendingWheel = null;
let pendingText = { text: "", timer: 0 };

const canAct = () => byId("stage").classList.contains("held");

function act(event) {
  control("input", { event });
}

/** Return the point of a pointer in [0, 1]. */
function pointOf(event) {
  const box = byId("picture").getBoundingClientRect();
  const part = (value, start, size) => Math.min(Math.max((value - start) / size, 0), 1);
  return [part(event.clientX, box.left, box.width), part(event.clientY, box.top, box.height)];
}

function modifierKeys(event, without = "") {
  return MODIFIERS.filter(([field, name]) => event[field] && name !== without).map(([, name]) => name);
}

function flushTyping() {
  clearTimeout(pendingText.timer);
  if (pendingText.text) act({ kind: "type", text: pendingText.text });
  pendingText = { text: "", timer: 0 };
}

function flushClicks() {
  if (!pendingClicks) return;
  clearTimeout(pendingClicks.timer);
  act(pendingClicks.event);
  pendingClicks = null;
}

function flushWheel() {
  if (!pendingWheel) return;
  clearTimeout(pendingWheel.timer);
  const amount = Math.max(-50, Math.min(50, Math.round(pendingWheel.pixels / WHEEL_PX) || Math.sign(pendingWheel.pixels)));
  if (amount) act({ kind: "scroll", xy: pendingWheel.xy, amount, keys: pendingWheel.keys });
  pendingWheel = null;
}

/** Send what is collected, except for one kind, so that the order of events is kept. */
function flush(except) {
  if (except !== "typing") flushTyping();
  if (except !== "clicks") flushClicks();
  if (except !== "wheel") flushWheel();
}

screenArea.addEventListener("pointerdown", (event) => {
  if (!canAct()) return;
  event.preventDefault();
  screenArea.focus();
  screenArea.setPointerCapture(event.pointerId);
  flush("clicks");
  pointerDown = { xy: pointOf(event), x: event.clientX, y: event.clientY, button: event.button };
});

screenArea.addEventListener("pointerup", (event) => {
  if (!pointerDown || !canAct()) return;
  const from = pointerDown;
  pointerDown = null;
  const keys = modifierKeys(event).join("+");
  const far = Math.hypot(event.clientX - from.x, event.clientY - from.y) > DRAG_PX;
  if (far && from.button === 0) {
    flush();
    act({ kind: "drag", xy: from.xy, end_xy: pointOf(event), keys });
    return;
  }
  const near = pendingClicks && Math.hypot(event.clientX - pendingClicks.x, event.clientY - pendingClicks.y) <= DRAG_PX;
  if (from.button !== 0 || !near || pendingClicks.event.count >= 3) flushClicks();
  if (from.button > 2) return;
  const count = pendingClicks ? pendingClicks.event.count + 1 : 1;
  if (pendingClicks) clearTimeout(pendingClicks.timer);
  pendingClicks = {
    x: event.clientX, y: event.clientY, event: { kind: "click", xy: from.xy, button: from.button, count, keys },
    timer: setTimeout(flushClicks, from.button === 0 ? CLICKS_MS : 0),
  };
});

screenArea.addEventListener("contextmenu", (event) => canAct() && event.preventDefault());
screenArea.addEventListener("auxclick", (event) => canAct() && event.preventDefault());

screenArea.addEventListener("wheel", (event) => {
  if (!canAct()) return;
  event.preventDefault();
  flush("wheel");
  const pixels = event.deltaY * (event.deltaMode === 1 ? 33 : event.deltaMode === 2 ? 400 : 1);
  if (pendingWheel) clearTimeout(pendingWheel.timer);
  pendingWheel = {
    xy: pointOf(event), keys: modifierKeys(event).join("+"), pixels: (pendingWheel?.pixels ?? 0) + pixels,
    timer: setTimeout(flushWheel, WHEEL_MS),
  };
}, { passive: false });

screenArea.addEventListener("keydown", (event) => {
  if (!canAct() || ONLY_MODIFIERS.has(event.key) || event.isComposing) return;
  event.preventDefault();
  const isText = [...event.key].length === 1;
  const altGraph = event.getModifierState("AltGraph");
  if (isText && (altGraph || !(event.ctrlKey || event.altKey || event.metaKey))) {
    flush("typing");
    clearTimeout(pendingText.timer);
    pendingText = { text: pendingText.text + event.key, timer: setTimeout(flushTyping, TYPING_MS) };
    return;
  }
  flush();
  // A character already contains the effect of Shift, except for letters.
  const isLetter = isText && event.key.toLowerCase() !== event.key.toUpperCase();
  const keys = modifierKeys(event, isText && !isLetter ? "shift" : "");
  const name = KEY_NAMES[event.key] ?? (isLetter ? event.key.toLowerCase() : event.key);
  act({ kind: "key", keys: [...keys, name].join("+") });
});

screenArea.addEventListener("focus", () => byId("stage").classList.add("focused"));
screenArea.addEventListener("blur", () => {
  byId("stage").classList.remove("focused");
  flush();
});

function finish(kind) {
  flush();
  const difficulty = Number(byId("difficulty").value) || null;
  act({ kind, difficulty, note: byId("note").value });
}

byId("finish").addEventListener("submit", (event) => {
  event.preventDefault();
  finish("done");
});
onClick("fail", () => finish("fail"));
