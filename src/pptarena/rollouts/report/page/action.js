// The action of a step, as a caption and as a drawing on the screen.

const ACTION_NAMES = {
  move: "Move to", click: "Click", double_click: "Double-click", triple_click: "Triple-click",
  right_click: "Right-click", middle_click: "Middle-click", mouse_down: "Press the button on",
  mouse_up: "Release the button on", drag: "Drag", scroll: "Scroll", key: "Press", type: "Type",
  copy_text: "Copy the text", copy_image: "Copy the picture of", paste: "Paste",
  open_program: "Open", switch_window: "Switch to", wait: "Wait", done: "Done", fail: "Give up",
  ask: "Ask",
};
const RINGS = { double_click: 2, triple_click: 3 };
const MARK_SYMBOLS = { right_click: "R", middle_click: "M", mouse_down: "↓", mouse_up: "↑" };

function targetText(step) {
  if (step.target) {
    const name = step.target.name ? `“${truncate(step.target.name, 60)}”` : "without a name";
    return `${step.target.role} ${name} [${step.action.element}]`;
  }
  if (step.action.element) return `element ${step.action.element}`;
  return step.point_px ? step.point_px.join(", ") : "";
}

function actionText(step) {
  const { kind, keys, text, amount } = step.action;
  const parts = [ACTION_NAMES[kind] ?? kind];
  if (kind === "key") parts.push(keys, amount > 1 ? `${amount} times` : "");
  else if (kind === "scroll") parts.push(`${amount < 0 ? "up" : "down"} by ${Math.abs(amount ?? 0)} over`);
  else if (keys) parts.push(`with ${keys}:`);
  if (text) parts.push(`“${truncate(text, 160)}”`);
  parts.push(targetText(step));
  if (step.end_px && kind === "drag") parts.push(`to ${step.end_px.join(", ")}`);
  if (kind === "wait" && amount) parts.push(String(amount));
  return parts.filter(Boolean).join(" ");
}

/** Return the caption of an action: keys as key caps, typed text verbatim. */
function actionCaption(step) {
  const { kind, keys, text, amount } = step.action;
  if (kind === "key") {
    const names = String(keys ?? "").split(/[+ ]/).filter(Boolean);
    const caps = (names.length ? names : ["+"]).map((name) => make("kbd", {}, name));
    return [make("span", {}, "Press"), ...caps, amount > 1 ? make("span", {}, `× ${amount}`) : ""];
  }
  if (kind === "type") return [make("span", {}, "Type"), make("span", { class: "typed" }, truncate(text ?? "", 400))];
  return [make("span", {}, actionText(step))];
}

/** Draw a shape twice, for contrast on any background. */
function withHalo(tag, attributes, width) {
  return [
    draw(tag, { ...attributes, class: "halo", "stroke-width": width * 2.4 }),
    draw(tag, { ...attributes, class: "ink", "stroke-width": width }),
  ];
}

function drawAction(step, screen, unit) {
  const group = draw("g", { id: "aim" });
  if (step.target) {
    group.append(...withHalo("rect", visibleBox(step.target.box, screen), 1.6 * unit));
  }
  if (!step.point_px) return group;
  const [x, y] = step.point_px;
  const { kind } = step.action;
  if (kind === "copy_image") group.append(...region(step, unit));
  else if (kind === "drag" && step.end_px) group.append(...arrow([x, y], step.end_px, unit));
  else if (kind === "scroll") group.append(...wheel(step, unit));
  const radius = 9 * unit;
  const rings = kind === "copy_image" ? 0 : RINGS[kind] ?? 1;
  for (let ring = 0; ring < rings; ring++) {
    group.append(...withHalo("circle", { cx: x, cy: y, r: radius * (1 + 0.55 * ring) }, 2 * unit));
  }
  const symbol = MARK_SYMBOLS[kind];
  if (symbol) group.append(drawSymbol(symbol, x, y, unit));
  else group.append(draw("circle", { cx: x, cy: y, r: 2.5 * unit, class: "dot" }));
  return group;
}

function drawSymbol(text, x, y, unit) {
  return draw("text", { x, y, class: "aim-letter", "font-size": 11 * unit }, text);
}

function arrow([x, y], [endX, endY], unit) {
  const angle = Math.atan2(endY - y, endX - x);
  const wing = (turn) => [
    endX - 14 * unit * Math.cos(angle + turn),
    endY - 14 * unit * Math.sin(angle + turn),
  ];
  const head = [wing(0.45), [endX, endY], wing(-0.45)].map((point) => point.join(",")).join(" ");
  return [
    ...withHalo("line", { x1: x, y1: y, x2: endX, y2: endY }, 2.4 * unit),
    ...withHalo("polyline", { points: head }, 2.4 * unit),
  ];
}

function wheel(step, unit) {
  const [x, y] = step.point_px;
  const amount = step.action.amount ?? 0;
  const end = y + (amount < 0 ? -1 : 1) * 40 * unit;
  return [
    ...arrow([x, y], [x, end], unit),
    draw("text", { x: x + 16 * unit, y: end, class: "aim-note", "font-size": 13 * unit },
      `× ${Math.abs(amount)}`),
  ];
}

function region(step, unit) {
  const [x, y] = step.point_px;
  const [endX, endY] = step.end_px ?? step.point_px;
  const box = {
    x: Math.min(x, endX), y: Math.min(y, endY),
    width: Math.abs(endX - x), height: Math.abs(endY - y), "stroke-dasharray": 6 * unit,
  };
  return withHalo("rect", box, 2 * unit);
}
