// Builds the page. Strings are always inserted as text, never parsed as HTML.

const SVG = "http://www.w3.org/2000/svg";

const byId = (id) => document.getElementById(id);

/** Escape invisible characters and those that change the text direction, like the command line. */
function visible(text) {
  return String(text).replace(UNPRINTABLE, (match) =>
    [...Array(match.length).keys()].map((index) => `\\u${match.charCodeAt(index).toString(16).padStart(4, "0")}`).join(""));
}

function safeChild(child) {
  return child instanceof Node ? child : visible(child);
}

function fillNode(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    node.setAttribute(name, value === true ? "" : visible(value));
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== "").map(safeChild));
  return node;
}

/** Make an HTML element; a child that is a string becomes text. */
function make(tag, attributes = {}, ...children) {
  return fillNode(document.createElement(tag), attributes, children);
}

/** Make an SVG element. */
function draw(tag, attributes = {}, ...children) {
  return fillNode(document.createElementNS(SVG, tag), attributes, children);
}

function plural(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function truncate(text, maxChars) {
  const chars = [...String(text)];
  return chars.length > maxChars ? `${chars.slice(0, maxChars - 1).join("")}…` : String(text);
}

/** Format a score; only exactly 1 becomes 1.00, and only exactly 0 becomes 0.00. */
function scoreText(score) {
  if (score === null || score === undefined) return "–";
  if (score < 1 && score >= 0.995) return ">0.99";
  if (score > 0 && score < 0.005) return "<0.01";
  return score.toFixed(2);
}

function outcomeOf(entry) {
  if (entry.infra) return "infra";
  if (entry.score === null) return "unscored";
  if (entry.score >= 1) return "full";
  return entry.score > 0 ? "part" : "none";
}

function scoreChip(entry) {
  const outcome = outcomeOf(entry);
  const labels = { infra: "infra failed", unscored: "unscored" };
  return make("span", { class: `chip ${outcome}` }, labels[outcome] ?? scoreText(entry.score));
}

const isWide = () => matchMedia("(min-width: 900px)").matches;
